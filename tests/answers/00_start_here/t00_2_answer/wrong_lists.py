# reason: gives back the lists of records in place of their lengths
# says: launches
# Task 0.2: measure a function
def measure(run):
    with sp.trace(sim) as t:
        run()
    return {"launches": t.launches, "copies": t.copies, "waits": t.waits, "us": t.elapsed_us}
