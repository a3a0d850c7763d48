# reason: believes that device= makes torch.tensor on the device, without a copy
# says: line A
def count_waits(steps, every):
    return {"A": 0, "B": 0, "C": 0, "D": 0, "E": steps, "F": 0, "G": len(range(0, steps, every)), "H": 1}
