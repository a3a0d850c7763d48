# Writes to file descriptor 1, past Python.
# limits: tight
import os

try:
    for _ in range(4000):
        os.write(1, b"z" * 10_000)
except OSError as error:
    print(error)
