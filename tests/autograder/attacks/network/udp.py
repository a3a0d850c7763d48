# Sends datagrams to the host; the listener would have got one.
# on the host: works
import socket

sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for address in ("127.0.0.1", HOST["address"]):
    try:
        sender.sendto(b"secret", (address, HOST["udp"]))
        print("ESCAPED, if the listener heard it") if address != "127.0.0.1" else None
    except OSError as error:
        print(address, error)
