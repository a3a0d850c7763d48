# Leaves daemons behind that ignore signals; they would be found on the host by their name.
import os
import signal
import time

for _ in range(5):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGPIPE):
                signal.signal(number, signal.SIG_IGN)
            os.chdir("/tmp")
            for descriptor in range(3, 60):
                try:
                    os.close(descriptor)
                except OSError:
                    pass
            os.execv("/usr/bin/env", ["env", f"NAME={HOST['name']}", "/bin/sh", "-c", f"sleep 300 # {HOST['name']}"])
        os._exit(0)
    os.wait()
os.system(f"nohup setsid sh -c 'sleep 300; : {HOST['name']}' >/dev/null 2>&1 &")
time.sleep(0.2)
