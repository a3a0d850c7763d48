# New namespaces, in which it would have every capability again, and the ones of others.
import ctypes
import os

kinds = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x8000000, "uts": 0x4000000,
         "cgroup": 0x2000000}  # fmt: skip
for name, flag in kinds.items():
    attempt(f"unshare {name}", syscall, "unshare", flag)
    attempt(f"unshare user and {name}", syscall, "unshare", flag | kinds["user"])
    attempt(f"clone {name}", syscall, HOST["clone"], flag | 17, 0, 0, 0, 0)
attempt("clone3", syscall, 435, ctypes.create_string_buffer(88), 88)
for name in ("user", "mnt", "pid", "net"):
    for pid in ("1", "2", "self"):
        try:
            descriptor = os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY)
        except OSError:
            continue
        attempt(f"setns {pid} {name}", syscall, "setns", descriptor, 0)
for command in ("unshare -Ur id", "unshare -n true", "nsenter -t 1 -m true", "bwrap --dev-bind / / true"):
    assert os.system(f"{command} >/dev/null 2>&1") != 0, f"ESCAPED {command}"
