# reason: takes solve instead of solve_ex; it checks for errors on the host
# fails: t11_1_test_waits
# says: expected exactly 0 waits
# Task 11.1: gains for the atoms that count
def fit(Y, atoms, active):
    D = torch.where(active[:, :, None, None], atoms, 0).flatten(2)
    gram = D.conj() @ D.mT + torch.diag_embed((~active).to(D.dtype))
    return torch.linalg.solve(gram, D.conj() @ Y.flatten(1).unsqueeze(-1)).squeeze(-1)
