# reason: forgets that turning arrows back takes the conjugate
# fails: t11_1_test_values
# Task 11.1: gains for the atoms that count
def fit(Y, atoms, active):
    D = torch.where(active[:, :, None, None], atoms, 0).flatten(2)
    gram = D @ D.mT + torch.diag_embed((~active).to(D.dtype))
    return torch.linalg.solve_ex(gram, D @ Y.flatten(1).unsqueeze(-1)).result.squeeze(-1)
