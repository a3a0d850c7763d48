# The same on standard error, without line ends.
# limits: tight
import sys

for _ in range(3000):
    sys.stderr.write("y" * 10_000)
