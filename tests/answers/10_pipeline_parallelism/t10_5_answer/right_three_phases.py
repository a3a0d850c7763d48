# Task 10.5: the order of 1F1B

def one_f_one_b(j, m, n):
    ahead = min(n - j, m)
    first = ["F%d" % i for i in range(ahead)]
    middle = [step for i in range(m - ahead) for step in ("B%d" % i, "F%d" % (i + ahead))]
    last = ["B%d" % i for i in range(m - ahead, m)]
    return first + middle + last
