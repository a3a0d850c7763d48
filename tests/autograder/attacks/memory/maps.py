# Takes memory in shared and private maps; the machine would be short of it.
# limits: tight
# ends: error
import mmap

held = []
while len(held) < 1000:
    made = mmap.mmap(-1, 20 << 20, mmap.MAP_SHARED if len(held) % 2 else mmap.MAP_PRIVATE)
    made.write(b"x" * (20 << 20))
    held.append(made)
print("ESCAPED")
