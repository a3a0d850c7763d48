# Symbolic links in its own folder that lead out, read and written through; the canary would change or be shown.
# on the host: works
import os
from pathlib import Path

for number, target in enumerate((HOST["canary"], HOST["course"], "/", "/proc/1/root", f"/proc/{HOST['pid']}/cwd")):
    link = Path(f"link{number}")
    link.unlink(missing_ok=True)
    link.symlink_to(target)
    attempt(f"list {target}", os.listdir, link)
    attempt(f"read {target}", link.read_text)
    attempt(f"write {target}", link.write_text, "changed")
    link.unlink()
