# Asks for other users, capabilities and programs that are root's; it would be another user, or have a right.
import ctypes
import os
import subprocess

for call in (os.setuid, os.setgid, os.seteuid):
    attempt(call.__name__, call, 0)
attempt("setgroups", os.setgroups, [0])
attempt("setresuid", os.setresuid, 1, 1, 1)
for command in ("su -c id", "sudo -n id", "pkexec id", "setpriv --reuid 0 id", "mount -t tmpfs none /tmp && echo uid=0"):
    done = subprocess.run(command, shell=True, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert "uid=0" not in done.stdout, f"ESCAPED {command}"
header = (ctypes.c_uint32 * 2)(0x20080522, 0)
every = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
attempt("capset", lambda: 1 / (ctypes.CDLL(None).capset(header, every) == 0))
print(status := open("/proc/self/status").read())
assert "NoNewPrivs:\t1" in status, "ESCAPED"
assert "CapEff:\t0000000000000000" in status, "ESCAPED"
assert "CapBnd:\t0000000000000000" in status, "ESCAPED"
