# Every signal to its parent, to low numbers, and to processes of the host; one of those would be dead or stopped.
import os
import signal

pids = {os.getppid(), 1, *range(2, 40), HOST["pid"], HOST["bystander"]} - {os.getpid(), 0}
for pid in pids:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGSTOP, signal.SIGSEGV, signal.SIGUSR1, signal.SIGKILL):
        try:
            os.kill(pid, number)
        except OSError as error:
            print(pid, error)
