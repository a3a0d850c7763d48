# reason: reads the first antenna's angle as a Python number, and the host waits
# fails: t11_3_test_waits
# says: expected exactly 0 waits
# Task 11.3: calibrate with one known echo
def antenna_phases(Y, a, b):
    arrows = (Y @ b.conj()) * a.conj()
    first = arrows[0].item()
    return (arrows * first.conjugate()).angle()
