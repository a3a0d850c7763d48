# reason: weighs the factors by the share of the time: speeds can't be averaged so
# fails: t09_5_test
# says: amdahl({'load': 9, 'compute': 1}
# Task 9.5: Amdahl's law
def amdahl(parts, times_faster):
    whole = sum(parts.values())
    return sum(part / whole * times_faster.get(name, 1) for name, part in parts.items())
