# Connects to a socket with an abstract name, which no file system hides; the listener would know.
# on the host: works
import socket

for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    attempt(f"abstract {kind}", socket.socket(socket.AF_UNIX, kind).connect, "\0" + HOST["abstract"])
