# Never ends, and takes no interrupt.
# limits: tight
# ends: timeout
import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
while True:
    pass
