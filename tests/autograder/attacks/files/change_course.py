# Changes, empties, renames and deletes files of the course; their bytes, names and times would differ on the host.
# on the host: works
import os
from pathlib import Path

for name in ("gradebook.db", "source/lab/lab.ipynb"):
    path = Path(HOST["course"], name)
    attempt(f"append to {name}", lambda path=path: open(path, "a").write("x"))
    attempt(f"truncate {name}", os.truncate, path, 0)
    attempt(f"touch {name}", os.utime, path, (0, 0))
    attempt(f"chmod {name}", os.chmod, path, 0o777)
    attempt(f"rename {name}", os.rename, path, f"{path}-{HOST['name']}")
    attempt(f"remove {name}", os.remove, f"{path}-{HOST['name']}")
