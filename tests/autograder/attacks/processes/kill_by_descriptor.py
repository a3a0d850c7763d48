# Signals by descriptors of what /proc shows, and by groups; the zygote or the watching process would be dead.
import os
import signal


def send(call, whom):
    try:
        call(whom, signal.SIGKILL)
    except OSError as error:
        print(whom, error)


for name in filter(str.isdigit, os.listdir("/proc")):
    if name == os.readlink("/proc/self"):
        continue
    folder = os.open(f"/proc/{name}", os.O_RDONLY | os.O_DIRECTORY)
    send(signal.pidfd_send_signal, folder)
    for call in (os.getpgid, os.getsid):
        try:
            group = call(int(name))
        except OSError:
            continue
        if group > 1 and group != os.getpgid(0):
            send(os.killpg, group)
