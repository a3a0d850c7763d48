# Prints without end; the grader's memory and the gradebook would be full of it.
# limits: tight
for _ in range(3000):
    print("x" * 10_000)
