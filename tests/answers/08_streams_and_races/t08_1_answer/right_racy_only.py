def verdicts():
    racy = {"A": (1, 3), "C": (1, 4), "D": (2, 5), "E": (3, 4), "H": (3, 4), "J": (5, 7)}
    return {letter: racy.get(letter) for letter in "ABCDEFGHIJ"}
