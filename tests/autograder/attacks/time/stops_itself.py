# Stops its process; the grader would wait for ever.
# limits: tight
# ends: timeout
import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
