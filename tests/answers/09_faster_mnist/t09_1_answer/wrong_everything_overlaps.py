# reason: takes the largest of all three, as if loading and launching were not both the host's
# fails: t09_1_test
# says: waits=False
# Task 9.1: predict the virtual time
def predict_us(steps, load_us, launch_us, device_us, waits):
    if waits:
        return steps * (load_us + max(launch_us, device_us))
    return steps * max(load_us, launch_us, device_us)
