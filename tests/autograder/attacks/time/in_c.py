# Never ends, in C, where Python sees no interrupt.
# limits: tight
# ends: timeout
import re

re.match(r"(a+)+$", "a" * 60 + "b")
