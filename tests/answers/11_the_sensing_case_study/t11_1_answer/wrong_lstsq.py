# reason: takes lstsq, which looks at its own work, so the host waits
# fails: t11_1_test_waits
# says: expected exactly 0 waits
# Task 11.1: gains for the atoms that count
def fit(Y, atoms, active):
    D = torch.where(active[:, :, None, None], atoms, 0).flatten(2).mT
    unit = torch.diag_embed((~active).to(D.dtype))  # a row of its own for each atom that does not count
    right = torch.cat([Y.flatten(1), torch.zeros_like(active, dtype=Y.dtype)], dim=1)
    return torch.linalg.lstsq(torch.cat([D, unit], dim=1), right[:, :, None]).solution[..., 0]
