# reason: multiplies by the mask; NaN times 0 is NaN
# fails: t11_1_test_values
# Task 11.1: gains for the atoms that count
def fit(Y, atoms, active):
    D = (atoms * active[:, :, None, None]).flatten(2)
    gram = D.conj() @ D.mT + torch.diag_embed((~active).to(D.dtype))
    return torch.linalg.solve_ex(gram, D.conj() @ Y.flatten(1).unsqueeze(-1)).result.squeeze(-1)
