# reason: overlapping views are taken for different memory, as CUDA's sanitizer does
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
        "H": None,
        "I": None,
        "J": (5, 7),
    }
