# Memory, environment and open files of every other process; the grader's secret would be in the output.
import os

for pid in ["1", "2", str(os.getppid()), *filter(str.isdigit, os.listdir("/proc"))]:
    if pid == os.readlink("/proc/self"):
        continue
    for name in ("environ", "mem", "maps", "smaps", "auxv", "syscall", "stack", "pagemap", "io"):
        attempt(f"/proc/{pid}/{name}", lambda path=f"/proc/{pid}/{name}": open(path, "rb").read(9))
    attempt(f"/proc/{pid}/fd", os.listdir, f"/proc/{pid}/fd")
    for number in range(12):
        attempt(f"/proc/{pid}/fd/{number}", os.open, f"/proc/{pid}/fd/{number}", os.O_RDWR)
