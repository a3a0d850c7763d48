# reason: subtracts angles, so the difference can leave the range from -pi to pi
# fails: t11_3_test
# Task 11.3: calibrate with one known echo
def antenna_phases(Y, a, b):
    angles = ((Y @ b.conj()) * a.conj()).angle()
    return angles - angles[0]
