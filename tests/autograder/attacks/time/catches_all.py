# Never ends, and catches the interrupt.
# limits: tight
# ends: timeout
import time

while True:
    try:
        time.sleep(60)
    except BaseException:
        pass
