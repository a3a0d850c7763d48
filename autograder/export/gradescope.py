"""The autograder zip for Gradescope: upload it under "Configure Autograder".

    run_autograder            starts container.py with the lab's name
    setup.sh                  run once, when the image is built: Python 3.12 and requirements.txt in /autograder/venv
    requirements.txt          torch in its build for CPUs, and what grading needs
    course/                   nbgrader_config.py and source/<lab>/, with the hidden tests
    packages/                 syncpoint and autograder, as they are installed here

Layout and limits: gradescope-autograders.readthedocs.io. The container must have at least the memory that `MEMORY`
names; Gradescope's own default of 768 MB is too small: grading labs 01 and 03 here took 1.0 GB at most, with PyTorch's
build for CUDA, in all processes together.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import io
import zipfile
from pathlib import Path

from autograder import leaks, release
from autograder.course import CONFIG, Course

MEMORY = "1.5 GB"
_TEMPLATES = Path(__file__).parents[1] / "templates" / "gradescope"
_TIME = (2026, 1, 1, 0, 0, 0)  # the same files give the same zip
_SKIP = {"__pycache__", "example_students"}


def gradescope(course: Course, lab: str) -> bytes:
    """The zip for one lab. Raises release.Refused if the lab is not fit to be graded."""
    source = course.lab(lab).notebook
    if problems := leaks.in_source(source):
        raise release.Refused(lab, problems)
    folder = course.source(lab)
    files = {
        "run_autograder": _template("run_autograder").replace("@LAB@", lab).encode("utf-8"),
        "setup.sh": _template("setup.sh").encode("utf-8"),
        "requirements.txt": requirements().encode("utf-8"),
        f"course/{CONFIG}": (course.root / CONFIG).read_bytes(),
        f"course/source/{lab}/{lab}.ipynb": (folder / f"{lab}.ipynb").read_bytes(),
    }
    for path in leaks.extra_files(folder):
        files[f"course/source/{lab}/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    for package in ("syncpoint", "autograder"):
        files |= {f"packages/{name}": data for name, data in _package(package).items()}
    return _zip(files)


def _template(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8").replace("\r\n", "\n")


def requirements() -> str:
    """What must be installed there: the requirements of the course's core and of its extra [grade]."""
    from packaging.requirements import Requirement

    wanted = [Requirement(line) for line in importlib.metadata.requires("syncpoint") or []]
    lines = []
    for each in wanted:
        plain = each.marker is None or each.marker.evaluate({"extra": ""})
        if plain or (each.marker and each.marker.evaluate({"extra": "grade"})):
            lines.append(f"{each.name}{each.specifier}")
    lines = sorted(set(lines) | {"torchvision"}, key=str.lower)
    return "\n".join(["--extra-index-url https://download.pytorch.org/whl/cpu", *lines]) + "\n"


def _package(name: str) -> dict[str, bytes]:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.submodule_search_locations
    top = Path(spec.submodule_search_locations[0])
    return {
        f"{name}/{path.relative_to(top).as_posix()}": path.read_bytes()
        for path in sorted(top.rglob("*"))
        if path.is_file() and not _SKIP & set(path.relative_to(top).parts) and path.suffix != ".pyc"
    }


def _zip(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _TIME)
            mode = 0o755 if name in ("run_autograder", "setup.sh") else 0o644
            entry.external_attr = (0o100000 | mode) << 16
            entry.create_system = 3  # Unix: the modes count
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return out.getvalue()
