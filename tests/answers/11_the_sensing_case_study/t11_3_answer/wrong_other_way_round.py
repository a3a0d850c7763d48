# reason: gives the correction (what to turn back by) instead of the deviation
# fails: t11_3_test
# Task 11.3: calibrate with one known echo
def antenna_phases(Y, a, b):
    arrows = (Y @ b.conj()) * a.conj()
    return (arrows.conj() * arrows[0]).angle()
