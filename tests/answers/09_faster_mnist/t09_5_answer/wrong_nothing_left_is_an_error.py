# reason: divides by zero when no part is left
# fails: t09_5_test
# says: division by zero
# Task 9.5: Amdahl's law
def amdahl(parts, times_faster):
    return sum(parts.values()) / sum(part / times_faster.get(name, 1) for name, part in parts.items())
