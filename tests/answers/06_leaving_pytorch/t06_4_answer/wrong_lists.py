# reason: goes through Python lists, which makes an object of every number
# fails: t06_4_test_copies
# says: one by one
def to_tensor(arrays, device):
    return torch.tensor([array.tolist() for array in arrays], dtype=torch.float32).to(device)
