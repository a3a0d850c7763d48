# reason: forgets that the gain has a phase of its own, so the phases are not relative to the first antenna
# fails: t11_3_test
# Task 11.3: calibrate with one known echo
def antenna_phases(Y, a, b):
    return ((Y @ b.conj()) * a.conj()).angle()
