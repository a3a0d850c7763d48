# reason: takes two reads for a race
# fails: t08_1_test_first
# says: B: you say (1, 3)
def verdicts():
    return {
        "A": (1, 3),
        "B": (1, 3),
        "C": (1, 4),
        "D": (2, 5),
        "E": (3, 4),
        "F": None,
        "G": None,
        "H": (3, 4),
        "I": None,
        "J": (5, 7),
    }
