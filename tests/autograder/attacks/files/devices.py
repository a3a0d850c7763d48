# The machine's disks, memory, consoles and accelerators, and devices made anew; the host's would have been opened.
import os

for name in ("vda", "vda1", "sda", "nvme0n1", "mem", "kmem", "port", "kmsg", "kvm", "vsock", "vhost-vsock", "fuse", "tty",
             "console", "loop-control", "net/tun", "nvidia0", "nvidiactl", "dri/card0", "ptmx", "uinput"):  # fmt: skip
    attempt(name, os.open, f"/dev/{name}", os.O_RDWR)
for number, device in enumerate(((254, 0), (8, 0), (1, 1), (10, 232))):
    attempt(f"make {device}", os.mknod, f"made{number}", 0o600 | 0o060000, os.makedev(*device))
    attempt(f"make {device}", os.mknod, f"char{number}", 0o600 | 0o020000, os.makedev(*device))
