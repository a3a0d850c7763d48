# Task 2.3: count the waits of a loop
def count_waits(steps, every):
    waits = {"A": 1, "B": 0, "C": 0, "D": 0, "E": 0, "F": 0, "G": 0, "H": 1}
    for step in range(steps):
        waits["E"] += 1
        if step % every == 0:
            waits["G"] += 1
    return waits
