# reason: gives the time of one step
# fails: t09_1_test
# says: predict_us(
# Task 9.1: predict the virtual time
def predict_us(steps, load_us, launch_us, device_us, waits):
    return load_us + max(launch_us, device_us) if waits else max(load_us + launch_us, device_us)
