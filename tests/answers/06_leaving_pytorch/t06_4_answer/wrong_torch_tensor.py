# reason: torch.tensor fetches every element of every array by itself
# fails: t06_4_test_copies
# says: one by one
import warnings


def to_tensor(arrays, device):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.tensor(arrays, dtype=torch.float32, device=device)
