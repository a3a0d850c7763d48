# reason: believes that adding to a total reads it
# says: line F
def count_waits(steps, every):
    return {"A": 1, "B": 0, "C": 0, "D": 0, "E": steps, "F": steps, "G": len(range(0, steps, every)), "H": 1}
