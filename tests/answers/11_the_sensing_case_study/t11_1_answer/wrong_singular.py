# reason: leaves zero rows in the matrix, so it has no inverse where an atom does not count
# fails: t11_1_test_values
# Task 11.1: gains for the atoms that count
def fit(Y, atoms, active):
    D = torch.where(active[:, :, None, None], atoms, 0).flatten(2)
    right = D.conj() @ Y.flatten(1).unsqueeze(-1)
    return torch.linalg.solve_ex(D.conj() @ D.mT, right).result.squeeze(-1)
