# Task 0.2: measure a function
def measure(run):
    watched = sp.trace(sim)
    with watched:
        run()
    return dict(
        us=watched.elapsed_us,
        waits=sum(1 for _ in watched.waits),
        copies=sum(1 for _ in watched.copies),
        launches=sum(1 for _ in watched.launches),
    )
