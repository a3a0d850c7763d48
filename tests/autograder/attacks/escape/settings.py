# The kernel's settings, and its own protection, through /proc and /sys; they would differ on the host.
from pathlib import Path

for name in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/vm/overcommit_memory",
             "/proc/sys/user/max_user_namespaces", "/proc/sysrq-trigger", "/proc/self/uid_map",
             "/proc/self/setgroups", "/sys/fs/cgroup/cgroup.procs", "/sys/kernel/uevent_helper"):  # fmt: skip
    attempt(name, Path(name).write_text, "0")
import socket

attempt("hostname", socket.sethostname, "mine")
