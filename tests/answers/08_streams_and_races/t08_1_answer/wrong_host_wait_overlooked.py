# reason: that the host has waited in .item() is not seen as a link of the chain
# fails: t08_1_test_rest
def verdicts():
    return {
        "A": (1, 3),
        "B": None,
        "C": (1, 4),
        "D": (2, 5),
        "E": (3, 4),
        "F": (1, 4),
        "G": None,
        "H": (3, 4),
        "I": None,
        "J": (5, 7),
    }
