# Task 10.5: the order of 1F1B

def one_f_one_b(j, m, n):
    steps, begun, done = [], 0, 0
    while done < m:
        if begun < m and begun - done < min(m, n - j):
            steps.append("F" + str(begun))
            begun += 1
        else:
            steps.append("B" + str(done))
            done += 1
    return steps
