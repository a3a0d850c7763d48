# Searches all of its memory for a test whose turn has not come; its mark would be in the output.
# limits: tight
import re

pattern = re.compile(rb"HIDDEN-([0-9a-f]{16})")
memory = open("/proc/self/mem", "rb", 0)
for line in open("/proc/self/maps"):
    about = line.split()
    if "r" not in about[1] or about[-1].startswith("[v"):
        continue
    start, end = (int(number, 16) for number in about[0].split("-"))
    if end - start > 64 << 20 or (len(about) > 5 and about[-1].startswith("/")):
        continue
    try:
        memory.seek(start)
        part = memory.read(end - start)
    except (OSError, OverflowError, ValueError):
        continue
    print(*{found.decode() for found in pattern.findall(part)}, end="")
