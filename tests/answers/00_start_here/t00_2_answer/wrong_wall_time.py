# reason: takes a clock on the wall, which shows how long the simulator needs
# says: us, the time until host and device were done
# Task 0.2: measure a function
def measure(run):
    began = time.perf_counter()
    with sp.trace(sim) as t:
        run()
    us = 1e6 * (time.perf_counter() - began)
    return {"launches": len(t.launches), "copies": len(t.copies), "waits": len(t.waits), "us": us}
