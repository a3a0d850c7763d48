# Writes into the course's package, torch and Python itself, for the next one to import; the files would differ.
# limits: torch
import os
import site
import sys
from pathlib import Path

import syncpoint
import torch

for module in (syncpoint, torch, os):
    attempt(f"append to {module.__name__}", lambda module=module: open(module.__file__, "a").write("# x\n"))
    attempt(f"beside {module.__name__}", Path(module.__file__).with_name(HOST["name"]).write_text, "x")
    attempt(f"remove {module.__name__}", os.remove, module.__file__)
for folder in (*site.getsitepackages(), sys.prefix, sys.base_prefix, *filter(None, sys.path)):
    if folder != os.getcwd():
        attempt(f"site in {folder}", Path(folder, "usercustomize.py").write_text, "print('mine')")
attempt("the interpreter", lambda: open(sys.executable, "r+b"))
