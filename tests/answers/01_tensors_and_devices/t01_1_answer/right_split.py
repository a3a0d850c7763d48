# Task 1.1: are two devices the same one?
def same_device(a, b):
    def parts(device):
        kind, _, number = str(device).partition(":")
        return kind, int(number) if number else 0

    return parts(a) == parts(b)
