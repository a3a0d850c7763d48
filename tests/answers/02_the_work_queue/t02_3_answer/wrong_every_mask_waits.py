# reason: believes that each use of a mask waits
# says: line D
def count_waits(steps, every):
    return {"A": 1, "B": 0, "C": 0, "D": steps, "E": steps, "F": 0, "G": len(range(0, steps, every)), "H": 1}
