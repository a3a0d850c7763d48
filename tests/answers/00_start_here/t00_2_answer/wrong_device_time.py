# reason: takes the time for which the device was busy, without the gaps between the kernels
# says: us, the time until host and device were done
# Task 0.2: measure a function
def measure(run):
    with sp.trace(sim) as t:
        run()
    return {"launches": len(t.launches), "copies": len(t.copies), "waits": len(t.waits), "us": t.device_us}
