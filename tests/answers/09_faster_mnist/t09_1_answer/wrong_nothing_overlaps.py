# reason: adds up all three times: within a step the device works while the host launches
# fails: t09_1_test
# says: waits=True
# Task 9.1: predict the virtual time
def predict_us(steps, load_us, launch_us, device_us, waits):
    if waits:
        return steps * (load_us + launch_us + device_us)
    return steps * max(load_us + launch_us, device_us)
