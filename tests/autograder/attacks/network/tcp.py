# Connects to listeners of the host, over loopback and by its address; they would have had a connection.
# on the host: works
import socket

for address in ("127.0.0.1", "0.0.0.0", HOST["address"], "localhost"):
    attempt(f"tcp {address}", lambda address=address: socket.create_connection((address, HOST["tcp"]), 1).send(b"x"))
attempt("fast open", lambda: socket.socket().sendto(b"x", 0x20000000, ("127.0.0.1", HOST["tcp"])))
