# The beginning of an answer, and then nothing.
# limits: tight
# ends: timeout
import time

for descriptor in connections():
    say(descriptor, b"x" * 100, announced=1000)
time.sleep(3600)
