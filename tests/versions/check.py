"""Run the core's tests and notebooks on other versions than those in .venv.

    python tests/versions/check.py colab        Python 3.13 and Google Colab's versions, torch 2.11
    python tests/versions/check.py torch213     this Python and torch 2.13.0
    python tests/versions/check.py colab --venv /tmp/colab      keep that environment elsewhere
    python tests/versions/check.py --venv MINE  an environment of your own, with pytest, hypothesis and nbclient in it

Each name is a file of pins beside this one. The check makes an environment (.venv-NAME unless told otherwise, 1 to
6 GB, used again the next time), installs the course as a learner does (``pip install .``: core dependencies alone),
makes sure that this replaced none of the pinned packages, and then runs in it the core's tests, every instructor's
notebook, and every learner's notebook, which may stop nowhere but at its tasks. It does not check the autograder, and
not the browser.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
PINS = Path(__file__).parent
PYTHONS = {"colab": "3.13"}  # the others take the Python that runs this file
TESTS = [f"tests/{name}" for name in ("sim", "trace", "mnist", "demos", "loops", "layout", "pipeline")]

NOTEBOOKS = """
import sys, pathlib, nbclient, nbformat
for path in map(pathlib.Path, sys.argv[1:]):
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
    print(f"{path}: {len(notebook.cells)} cells ran")
"""

RELEASES = """
import pathlib, sys
from autograder import forked, labs, notebooks
for path in map(pathlib.Path, sys.argv[1:]):
    source, release = (notebooks.read(pathlib.Path(kind, *path.parts[-2:])).cells for kind in ("source", "release"))
    solutions = {}
    for index, cell in enumerate([cell for cell in source if cell.cell_type == "code"]):
        if labs.kind(cell) == "answer" and (task := labs.own_task(cell)):
            solutions[index] = (task.number, labs.without_markers(cell.source))
    stops = forked.learn([cell.source for cell in release if cell.cell_type == "code"], solutions)
    for stop in stops:
        if stop.error != "NotImplementedError":
            sys.exit(f"{path}: code cell {stop.cell + 1}: {stop.error}: {stop.message}")
    met, tasks = {stop.message.split()[1].rstrip(":") for stop in stops}, {number for number, _ in solutions.values()}
    if met != tasks:
        sys.exit(f"{path}: stopped at {sorted(met)}; its tasks are {sorted(tasks)}")
    print(f"{path}: stopped {len(stops)} times, and only at its {len(tasks)} tasks", flush=True)
"""

VERSIONS = """
import sys, importlib.metadata as m
print("Python", sys.version.split()[0], *(f"{name} {m.version(name)}" for name in sys.argv[1:]))
"""


def run(*command: str | Path) -> None:
    """Run one command in the repository's root, shown first, and stop where it fails."""
    words = [str(word) for word in command]
    print("+", *(word if "\n" not in word else "..." for word in words), flush=True)
    start = time.monotonic()
    code = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL).returncode
    print(f"  {time.monotonic() - start:.0f} s", flush=True)
    if code:
        sys.exit(f"failed with exit code {code}: {' '.join(words[:4])} ...")


def find_python(version: str) -> str:
    """A Python of this version: on the path, or among pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for candidate in [shutil.which(f"python{version}"), *sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True)]:
        # pyenv puts a stand-in on the path for versions that are installed but not chosen: ask it.
        if candidate and subprocess.run([candidate, "-c", ""], capture_output=True).returncode == 0:
            return str(candidate)
    sys.exit(f"Python {version} is not on this machine: install it (Debian: apt install python{version} "
             f"python{version}-venv where it is offered; anywhere: pyenv install {version})")


def python_of(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_environment(name: str, folder: Path) -> Path:
    """The environment's Python, made when it is not there or when its pins have changed since."""
    python = python_of(folder)
    pins = PINS / f"{name}.txt"
    stamp = folder / ".ready"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != pins.read_text(encoding="utf-8"):
        run(find_python(PYTHONS[name]) if name in PYTHONS else sys.executable, "-m", "venv", folder)
        run(python, "-m", "pip", "install", "-r", pins)
        stamp.write_text(pins.read_text(encoding="utf-8"), encoding="utf-8")
    return python


def pinned(name: str | None) -> list[str]:
    """The packages that must not be replaced: those of the pin file that stand for one exact version."""
    lines = (PINS / f"{name}.txt").read_text(encoding="utf-8").splitlines() if name else ["torch=="]
    return [line.split("==")[0] for line in lines if "==" in line]


def install_course(python: Path) -> None:
    """``pip install .`` from a copy: an old build folder in the repository must not add files to the package."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ["pyproject.toml", "README.md", "LICENSE"]:
            shutil.copy(ROOT / name, folder)
        for name in ["course", "autograder"]:
            shutil.copytree(ROOT / name, Path(folder) / name, ignore=shutil.ignore_patterns("*.egg-info"))
        run(python, "-m", "pip", "install", folder)


def versions(python: Path, names: list[str]) -> str:
    asked = subprocess.run([python, "-c", VERSIONS, *names], capture_output=True, text=True, check=True)
    return asked.stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", choices=sorted(path.stem for path in PINS.glob("*.txt")))
    parser.add_argument("--venv", type=Path, help="the environment's folder (default: .venv-NAME)")
    arguments = parser.parse_args()
    if not (arguments.name or arguments.venv):
        parser.error("name one of the pin files, or give an environment of your own with --venv")
    folder = (arguments.venv or ROOT / f".venv-{arguments.name}").absolute()
    python = make_environment(arguments.name, folder) if arguments.name else python_of(folder)

    before = versions(python, pinned(arguments.name))
    install_course(python)
    after = versions(python, pinned(arguments.name))
    if before != after:
        sys.exit(f"installing the course replaced packages under a running kernel:\n  {before}\n  {after}")

    run(python, "-m", "pytest", "-q", *(folder for folder in TESTS if any((ROOT / folder).glob("test_*.py"))))
    run(python, "-c", NOTEBOOKS, *sorted(ROOT.glob("source/*/*.ipynb")))
    if hasattr(os, "fork"):  # as a learner: at each stub that stops the run, its solution is filled in
        run(python, "-c", RELEASES, *sorted(path.relative_to(ROOT) for path in ROOT.glob("release/*/*.ipynb")))
    print("passed on", after)


if __name__ == "__main__":
    main()
