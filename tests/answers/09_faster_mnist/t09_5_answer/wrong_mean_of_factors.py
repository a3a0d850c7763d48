# reason: takes the mean of the factors, however long the parts are
# fails: t09_5_test
# says: amdahl({'load': 9, 'compute': 1}
# Task 9.5: Amdahl's law
def amdahl(parts, times_faster):
    return sum(times_faster.get(name, 1) for name in parts) / len(parts)
