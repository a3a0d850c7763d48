# reason: takes the time at which the host was through; the device may still have work
# says: us, the time until host and device were done
# Task 0.2: measure a function
def measure(run):
    with sp.trace(sim) as t:
        run()
    return {"launches": len(t.launches), "copies": len(t.copies), "waits": len(t.waits), "us": t.host_us}
