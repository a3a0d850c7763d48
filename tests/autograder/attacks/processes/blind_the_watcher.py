# Takes the means from the process that watches it, then takes memory; the machine would be short of it.
# limits: tight
# ends: died
import os
import resource
import time

for kind, most in ((resource.RLIMIT_NOFILE, 1), (resource.RLIMIT_AS, 1 << 20), (resource.RLIMIT_CPU, 1)):
    try:
        resource.prlimit(1, kind, (most, most))
    except OSError as error:
        print(error)
for _ in range(12):
    if os.fork() == 0:
        held = bytearray(b"x") * (40 << 20)
        time.sleep(60)
        os._exit(0)
time.sleep(60)
