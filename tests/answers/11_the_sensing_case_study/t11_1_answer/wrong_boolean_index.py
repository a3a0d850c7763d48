# reason: picks the atoms that count with a mask as an index, one measurement after the other; each mask waits
# fails: t11_1_test_waits
# says: expected exactly 0 waits
# Task 11.1: gains for the atoms that count
def fit(Y, atoms, active):
    gains = Y.new_zeros(active.shape)
    for n in range(len(Y)):
        D = atoms[n][active[n]].flatten(1)
        gains[n, active[n]] = torch.linalg.solve_ex(D.conj() @ D.mT, D.conj() @ Y[n].flatten()).result
    return gains
