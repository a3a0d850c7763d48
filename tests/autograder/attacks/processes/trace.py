# Attaches to its parent, the zygote and all others, to read and change them; they would stop or die.
import ctypes
import os

ATTACH, SEIZE = 16, 0x4206
for pid in {1, 2, os.getppid(), *map(int, filter(str.isdigit, os.listdir("/proc")))}:
    for request in (ATTACH, SEIZE):
        attempt(f"ptrace {pid}", syscall, "ptrace", request, pid, 0, 0)
    attempt(f"process_vm_readv {pid}", syscall, "process_vm_readv", pid, ctypes.create_string_buffer(16), 0, 0, 0, 0)
    descriptor = ctypes.CDLL(None).syscall(434, pid, 0)  # pidfd_open
    if descriptor >= 0:
        attempt(f"pidfd_getfd {pid}", syscall, "pidfd_getfd", descriptor, 0, 0)
