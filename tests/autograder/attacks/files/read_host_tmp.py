# Reads what others have in the host's /tmp, /run and /var/tmp; the secret would be in the output.
# on the host: works
import os
from pathlib import Path

attempt("canary", Path(HOST["canary"]).read_text)
for folder in (os.path.dirname(HOST["canary"]), "/run", "/var/tmp", "/var/run"):
    attempt(f"list {folder}", os.listdir, folder)
