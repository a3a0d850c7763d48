# reason: fits each atom by itself, as if atoms were orthogonal to each other
# fails: t11_1_test_values
# Task 11.1: gains for the atoms that count
def fit(Y, atoms, active):
    D = torch.where(active[:, :, None, None], atoms, 0).flatten(2)
    right = (D.conj() * Y.flatten(1)[:, None]).sum(-1)
    return right / (D.abs().square().sum(-1) + (~active))
