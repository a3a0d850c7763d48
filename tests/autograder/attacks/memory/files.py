# Fills its folders, which lie in memory, by one file and by many; the machine would be short of memory.
# limits: tight
import os

written = 0
for folder in (".", "/tmp", "/dev/shm"):
    for number in range(200):
        try:
            with open(f"{folder}/{number}", "wb") as file:
                for _ in range(20):
                    written += file.write(bytes(1 << 20))
        except OSError as error:
            print(folder, number, error)
            break
print(written >> 20, "MB")
assert written <= 21 << 20, "ESCAPED"
for folder in (".", "/tmp", "/dev/shm"):
    os.system(f"rm -f {folder}/[0-9]*")
