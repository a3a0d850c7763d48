# Task 2.3: count the waits of a loop
def count_waits(steps, every):
    waits = dict.fromkeys("ABCDEFGH", 0)
    waits["A"] = waits["H"] = 1
    waits["E"] = steps
    waits["G"] = -(-steps // every)
    return waits
