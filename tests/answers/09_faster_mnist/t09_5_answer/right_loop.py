# Task 9.5: Amdahl's law
def amdahl(parts, times_faster):
    before = after = 0.0
    for name, part in parts.items():
        before += part
        after += part / times_faster[name] if name in times_faster else part
    if after == 0:
        return math.inf
    return before / after
