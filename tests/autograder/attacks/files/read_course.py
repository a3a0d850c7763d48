# Reads the gradebook, a source with its hidden tests and the settings; the secret in them would be in the output.
# on the host: works
from pathlib import Path

for name in ("gradebook.db", "source/lab/lab.ipynb", "nbgrader_config.py"):
    attempt(name, Path(HOST["course"], name).read_text)
attempt("list", lambda: list(Path(HOST["course"]).iterdir()))
attempt("walk", lambda: [p for p in Path(HOST["course"]).rglob("*")][0])
