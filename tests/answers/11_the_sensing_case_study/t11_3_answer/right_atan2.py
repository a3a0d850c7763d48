# Task 11.3: calibrate with one known echo
def antenna_phases(Y, a, b):
    echo = torch.einsum("ks,s,k->k", Y, b.conj(), a.conj())
    relative = echo * echo[:1].conj()
    return torch.atan2(relative.imag, relative.real)
