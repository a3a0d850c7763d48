# reason: joins the arrays end to end, so there is no dimension for the list
# fails: t06_4_test_values
# says: shape
def to_tensor(arrays, device):
    return torch.from_numpy(np.concatenate(arrays).astype(np.float32)).to(device)
