# reason: forgets the parts that stay as they are
# fails: t09_5_test
# says: amdahl({'load': 9, 'compute': 1}
# Task 9.5: Amdahl's law
def amdahl(parts, times_faster):
    before = sum(parts[name] for name in times_faster)
    after = sum(parts[name] / factor for name, factor in times_faster.items())
    return before / after if after else math.inf
