# reason: believes that only .item() waits
# says: line G
def count_waits(steps, every):
    return {"A": 1, "B": 0, "C": 0, "D": 0, "E": steps, "F": 0, "G": 0, "H": 1}
