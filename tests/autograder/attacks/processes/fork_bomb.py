# Forks without end; the machine would be full of its processes.
# limits: tight
# ends: timeout
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
