# reason: believes that writing through a mask never waits
# says: line E
def count_waits(steps, every):
    return {"A": 1, "B": 0, "C": 0, "D": 0, "E": 0, "F": 0, "G": len(range(0, steps, every)), "H": 1}
