# Announces an answer of 4 GB on the connection to the grader; its memory would be full.
# ends: died
import os

for descriptor in connections():
    os.write(descriptor, b"\xff\xff\xff\xff" + b"x" * 100_000)
