# reason: takes a text that begins like the other for the same device, so "cuda" matches any card
# fails: t01_1_test
def same_device(a, b):
    a, b = str(a), str(b)
    return a.startswith(b) or b.startswith(a)
