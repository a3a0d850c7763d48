# reason: calls everything on two streams a race
# fails: t08_1_test_first, t08_1_test_rest
def verdicts():
    return {
        "A": (1, 3),
        "B": (1, 3),
        "C": (1, 4),
        "D": (2, 5),
        "E": (3, 4),
        "F": (1, 4),
        "G": (3, 4),
        "H": (3, 4),
        "I": (1, 5),
        "J": (5, 7),
    }
