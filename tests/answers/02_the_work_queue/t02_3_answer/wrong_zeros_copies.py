# reason: believes that torch.zeros is copied to the device
# says: line B
def count_waits(steps, every):
    return {"A": 1, "B": 1, "C": 0, "D": 0, "E": steps, "F": 0, "G": len(range(0, steps, every)), "H": 1}
