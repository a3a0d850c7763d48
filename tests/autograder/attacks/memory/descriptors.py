# Opens files, pipes and sockets without end; the machine's table would be full.
# ends: error
import os
import socket

held = []
while len(held) < 100_000:
    held.append(os.pipe() if len(held) % 2 else socket.socketpair())  # OSError at the limit
print("ESCAPED")
