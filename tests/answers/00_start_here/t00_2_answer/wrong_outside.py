# reason: runs the function before the trace begins, so there is nothing to see
# says: launches
# Task 0.2: measure a function
def measure(run):
    run()
    with sp.trace(sim) as t:
        pass
    return {"launches": len(t.launches), "copies": len(t.copies), "waits": len(t.waits), "us": t.elapsed_us}
