# reason: counts one report too many when every divides steps
# says: line G
def count_waits(steps, every):
    return {"A": 1, "B": 0, "C": 0, "D": 0, "E": steps, "F": 0, "G": steps // every + 1, "H": 1}
