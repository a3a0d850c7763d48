# Task 11.1: gains for the atoms that count
def fit(Y, atoms, active):
    keep = active.to(atoms.dtype)
    D = atoms.masked_fill(~active[:, :, None, None], 0)
    gram = torch.einsum("nrks,ntks->nrt", D.conj(), D)
    right = torch.einsum("nrks,nks->nr", D.conj(), Y)
    gram = gram + torch.eye(D.shape[1], dtype=D.dtype, device=D.device) * (1 - keep)[:, None, :]
    return torch.linalg.solve_ex(gram, right[:, :, None])[0][:, :, 0]
