# Task 0.2: measure a function
def measure(run):
    with sp.trace(sim) as trace:
        run()
    numbers = {name: len(getattr(trace, name)) for name in ("launches", "copies", "waits")}
    numbers["us"] = trace.elapsed_us
    return numbers
