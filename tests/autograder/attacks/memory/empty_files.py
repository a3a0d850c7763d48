# Makes empty files and folders without end, which take the kernel's memory; the machine would be short of it.
import errno
import os

made = 0
try:
    while made < 200_000:
        os.mkdir(f"/tmp/{made}") if made % 2 else os.close(os.open(f"{made}", os.O_CREAT))
        made += 1
except OSError as error:
    print(made, error)
    assert error.errno == errno.ENOSPC
assert made < 25_000, "ESCAPED"
os.system("rm -rf /tmp/* ./*")
