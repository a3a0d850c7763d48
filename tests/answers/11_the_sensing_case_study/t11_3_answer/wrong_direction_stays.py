# reason: does not turn back by the direction of the post, and takes its arrows for deviations
# fails: t11_3_test
# Task 11.3: calibrate with one known echo
def antenna_phases(Y, a, b):
    arrows = Y @ b.conj()
    return (arrows * arrows[0].conj()).angle()
