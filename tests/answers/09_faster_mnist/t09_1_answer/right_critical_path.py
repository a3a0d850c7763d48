# Task 9.1: predict the virtual time
def predict_us(steps, load_us, launch_us, device_us, waits):
    idle_host_us = max(0, device_us - launch_us)  # what the host would have to wait for within a step
    hidden_us = 0 if waits else min(idle_host_us, load_us)
    return steps * (load_us + launch_us + idle_host_us - hidden_us)
