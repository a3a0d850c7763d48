# reason: gives the strongest cell itself; no gradient comes through an index
# fails: t11_4_test_values, t11_4_test_waits
# Task 11.4: a window without a question
def window_centre(scores, row, column, angles, delays, half):
    return angles[row[None]].squeeze(0), delays[column[None]].squeeze(0)
