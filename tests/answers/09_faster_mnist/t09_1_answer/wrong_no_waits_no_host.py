# reason: without waits only the device counts, even when the host is slower
# fails: t09_1_test
# says: waits=False
# Task 9.1: predict the virtual time
def predict_us(steps, load_us, launch_us, device_us, waits):
    if waits:
        return steps * (load_us + max(launch_us, device_us))
    return steps * device_us
