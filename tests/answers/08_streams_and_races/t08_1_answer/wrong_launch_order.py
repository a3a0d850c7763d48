# reason: believes that the host's order of launching is the order of the streams
# fails: t08_1_test_first
# says: A: you say None
def verdicts():
    return {
        "A": None,
        "B": None,
        "C": (1, 4),
        "D": (2, 5),
        "E": (3, 4),
        "F": None,
        "G": None,
        "H": (3, 4),
        "I": None,
        "J": (5, 7),
    }
