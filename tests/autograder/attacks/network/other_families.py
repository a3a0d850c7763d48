# Sockets that network namespaces do not hold, or raw ones: to a virtual machine's host, netlink, packets, the kernel's
# cryptography. Each one opened is a way out, or a wide face of the kernel.
import socket

for name, family, kind in (("vsock", 40, 1), ("netlink", 16, 3), ("packet", 17, 3), ("crypto", 38, 5), ("bluetooth", 31, 3),
                           ("xdp", 44, 3), ("tipc", 30, 1), ("can", 29, 3), ("raw", 2, 3), ("raw6", 10, 3)):  # fmt: skip
    attempt(name, socket.socket, family, kind, 1 if name in ("raw", "raw6") else 0)
