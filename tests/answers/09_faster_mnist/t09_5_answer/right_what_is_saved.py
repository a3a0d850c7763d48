# Task 9.5: Amdahl's law
def amdahl(parts, times_faster):
    whole = sum(parts.values())
    named = [name for name in times_faster if name in parts]
    shares = {name: parts[name] / whole for name in named}
    rest = (whole - sum(parts[name] for name in named)) / whole
    after = rest + sum(share / times_faster[name] for name, share in shares.items())
    return 1 / after if after else float("inf")
