# Task 11.3: calibrate with one known echo
def antenna_phases(Y, a, b):
    turned_back = (Y * b.conj()).mean(dim=1) / a
    return torch.angle(turned_back / turned_back[0])
