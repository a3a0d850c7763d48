# reason: looks at the first subcarrier only; with noise that is not enough
# fails: t11_3_test
# Task 11.3: calibrate with one known echo
def antenna_phases(Y, a, b):
    arrows = Y[:, 0] * b[0].conj() * a.conj()
    return (arrows * arrows[0].conj()).angle()
