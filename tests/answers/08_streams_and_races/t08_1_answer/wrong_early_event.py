# reason: an event is thought to stand for all that the stream does until it is waited for
# fails: t08_1_test_first
# says: D: you say None
def verdicts():
    return {
        "A": (1, 3),
        "B": None,
        "C": (1, 4),
        "D": None,
        "E": (3, 4),
        "F": None,
        "G": None,
        "H": (3, 4),
        "I": None,
        "J": (5, 7),
    }
