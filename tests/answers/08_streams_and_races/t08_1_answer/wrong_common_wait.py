# reason: two streams that waited for the same one are thought to be in order
# fails: t08_1_test_rest
def verdicts():
    return {
        "A": (1, 3),
        "B": None,
        "C": (1, 4),
        "D": (2, 5),
        "E": (3, 4),
        "F": None,
        "G": None,
        "H": (3, 4),
        "I": None,
        "J": None,
    }
