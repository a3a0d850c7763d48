# reason: believes that a wait costs nothing, because the device works meanwhile
# fails: t09_1_test
# says: waits=True
# Task 9.1: predict the virtual time
def predict_us(steps, load_us, launch_us, device_us, waits):
    return steps * max(load_us + launch_us, device_us)
