# reason: gives the share of the time that is saved, not how many times faster it gets
# fails: t09_5_test
# says: amdahl({'load': 9, 'compute': 1}
# Task 9.5: Amdahl's law
def amdahl(parts, times_faster):
    before = sum(parts.values())
    after = sum(part / times_faster.get(name, 1) for name, part in parts.items())
    return (before - after) / before
