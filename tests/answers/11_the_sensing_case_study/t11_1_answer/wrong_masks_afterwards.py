# reason: fits all atoms and sets the gains of the others to 0 afterwards, so they have had their influence
# fails: t11_1_test_values
# Task 11.1: gains for the atoms that count
def fit(Y, atoms, active):
    D = atoms.flatten(2)
    right = D.conj() @ Y.flatten(1).unsqueeze(-1)
    gains = torch.linalg.solve_ex(D.conj() @ D.mT, right).result.squeeze(-1)
    return torch.where(active, gains, 0)
