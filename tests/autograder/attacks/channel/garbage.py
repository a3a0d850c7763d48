# Writes what is no message.
# ends: died
import os

for descriptor in connections():
    os.write(descriptor, b"\0\0\0\x05{]nul")
