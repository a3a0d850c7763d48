# Many children, each of which stays below the limit of one process; the machine would be short of memory.
# limits: tight
# ends: died its processes together used more than 100 MB of memory
import os
import time

for _ in range(12):
    if os.fork() == 0:
        held = bytearray(b"x") * (40 << 20)
        time.sleep(60)
        os._exit(0)
time.sleep(60)
