# reason: a write that comes after a read is thought to be harmless
# fails: t08_1_test_first
# says: E: you say None
def verdicts():
    return {
        "A": (1, 3),
        "B": None,
        "C": (1, 4),
        "D": (2, 5),
        "E": None,
        "F": None,
        "G": None,
        "H": (3, 4),
        "I": None,
        "J": (5, 7),
    }
