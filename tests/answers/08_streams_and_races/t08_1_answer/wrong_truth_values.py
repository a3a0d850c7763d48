# reason: says whether there is a race, but not between which lines
# fails: t08_1_test_first
# says: neither None nor a pair of lines
def verdicts():
    return {letter: letter in "ACDEHJ" or None for letter in "ABCDEFGHIJ"}
