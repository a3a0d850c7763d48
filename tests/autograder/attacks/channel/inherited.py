# Looks for connections of the grader's that came along: to the zygote, to its orders, to the host's files.
import os

found = [os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd") if os.path.islink(f"/proc/self/fd/{n}")]
print(found)
assert len([name for name in found if name.startswith("socket:")]) == 1, "ESCAPED"
kinds = ("socket:", "/dev/null", "/tmp/", "/proc/", "anon_inode:", "pipe:")
assert all(name.startswith(kinds) for name in found), "ESCAPED"
assert os.system("ls -l /proc/self/fd | grep -q socket:") != 0, "ESCAPED"  # no program inherits it
