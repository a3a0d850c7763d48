# reason: an order by way of a third stream is not seen
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
        "I": (1, 5),
        "J": (5, 7),
    }
