# reason: forgets that step 0 is written down as well
# says: line G
def count_waits(steps, every):
    return {"A": 1, "B": 0, "C": 0, "D": 0, "E": steps, "F": 0, "G": steps // every, "H": 1}
