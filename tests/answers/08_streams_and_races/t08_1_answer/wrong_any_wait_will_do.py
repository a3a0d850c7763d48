# reason: a wait in the wrong direction is taken for an order
# fails: t08_1_test_first
# says: C: you say None
def verdicts():
    return {
        "A": (1, 3),
        "B": None,
        "C": None,
        "D": (2, 5),
        "E": (3, 4),
        "F": None,
        "G": None,
        "H": (3, 4),
        "I": None,
        "J": (5, 7),
    }
