# Task 9.1: predict the virtual time
def predict_us(steps, load_us, launch_us, device_us, waits):
    if not waits:
        host_us = load_us + launch_us
        return steps * host_us if host_us > device_us else steps * device_us
    one = load_us
    one += launch_us if launch_us > device_us else device_us
    return one * steps
