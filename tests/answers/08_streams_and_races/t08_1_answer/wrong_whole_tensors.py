# reason: views of one tensor are taken for the same bytes
# fails: t08_1_test_rest
def verdicts():
    return {
        "A": (1, 3),
        "B": None,
        "C": (1, 4),
        "D": (2, 5),
        "E": (3, 4),
        "F": None,
        "G": (3, 4),
        "H": (3, 4),
        "I": None,
        "J": (5, 7),
    }
