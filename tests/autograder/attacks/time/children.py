# Ends at once and leaves busy children behind, stopped ones, too; they would go on after the submission.
# limits: tight
import os
import signal

for number in range(6):
    if os.fork() == 0:
        os.setsid()
        if number % 2:
            os.kill(os.getpid(), signal.SIGSTOP)
        while True:
            pass
