"""The packaging tells one story: pyproject.toml, environment.yml, the folders and what an import costs."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
CONDA_NAMES = {"pytorch": "torch"}  # conda's name -> pip's name, where they differ


@pytest.fixture(scope="module")
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def specifiers(lines: list[str]) -> dict[str, Any]:
    """Requirement lines as ``{pip name: SpecifierSet}``; a name that stands twice must say the same twice."""
    packaging = pytest.importorskip("packaging.requirements")
    found: dict[str, Any] = {}
    for line in lines:
        requirement = packaging.Requirement(line)
        name = CONDA_NAMES.get(requirement.name, requirement.name)
        assert found.setdefault(name, requirement.specifier) == requirement.specifier, f"{name} stands twice"
    return found


def conda_lines() -> tuple[list[str], list[str]]:
    """The dependencies of environment.yml: conda's own lines and those of its pip section."""
    yaml = pytest.importorskip("yaml")
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    (pip_section,) = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    return [entry for entry in environment["dependencies"] if isinstance(entry, str)], pip_section


def test_core_depends_on_three_packages_alone(pyproject: dict[str, Any]) -> None:
    assert set(specifiers(pyproject["project"]["dependencies"])) == {"torch", "matplotlib", "ipywidgets"}


def test_the_extras(pyproject: dict[str, Any]) -> None:
    assert set(pyproject["project"]["optional-dependencies"]) == {"lab", "grade", "cluster", "postgres", "test"}


def test_environment_yml_agrees_with_pyproject(pyproject: dict[str, Any]) -> None:
    project = pyproject["project"]
    wanted = project["dependencies"] + [line for extra in project["optional-dependencies"].values() for line in extra]
    conda, from_pip = conda_lines()
    assert from_pip[-1] == "-e .", "the course itself comes last, so that pip finds all it needs in place"
    there = specifiers([*conda, *from_pip[:-1]])
    assert there.pop("python") == specifiers(["python" + project["requires-python"]])["python"]
    assert "pip" in there, "conda warns when the pip section comes without pip itself"
    there.pop("pip")
    needed = specifiers([line for line in wanted if not line.startswith("syncpoint[")])
    assert there == needed


def test_the_test_extra_holds_the_others(pyproject: dict[str, Any]) -> None:
    """The Makefile counts on it: after ``[test]`` neither ``make lab`` nor ``make demo`` installs again."""
    assert "syncpoint[lab,grade,cluster,postgres]" in pyproject["project"]["optional-dependencies"]["test"]


def test_environment_yml_uses_only_signs_that_conda_and_pip_both_read() -> None:
    conda, _ = conda_lines()
    for line in conda:
        assert re.fullmatch(r"[a-z0-9-]+((>=|<)[0-9.]+(,<[0-9.]+)?)?", line), line


def test_every_package_folder_is_packaged(pyproject: dict[str, Any]) -> None:
    """A folder that is missing from the list works in an editable install and is absent from a real one."""
    folders = [ROOT / "course" / "syncpoint", ROOT / "autograder"]
    found = {
        ".".join(init.parent.relative_to(top.parent).parts) for top in folders for init in top.rglob("__init__.py")
    }
    assert set(pyproject["tool"]["setuptools"]["packages"]) == found


def test_every_file_that_is_not_python_is_packaged(pyproject: dict[str, Any]) -> None:
    listed = pyproject["tool"]["setuptools"]["package-data"]
    for name, folder in {"syncpoint": ROOT / "course" / "syncpoint", "autograder": ROOT / "autograder"}.items():
        covered = {path for pattern in listed[name] for path in folder.glob(pattern)}
        for path in folder.rglob("*"):
            ours = path.is_file() and path.suffix not in {".py", ".pyc"} and "." not in path.parent.name
            assert not ours or path in covered, f"{path.relative_to(ROOT)} is in no package-data pattern"


def run(code: str) -> str:
    """What a fresh Python prints for this code."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


#: A learner's first cell uses the device and a trace. Nothing of this may be loaded for it.
HEAVY = ["torchvision", "nbgrader", "nbformat", "IPython", "ipywidgets", "matplotlib.pyplot", "autograder"]
FIRST_CELL = """
import torch
x = torch.ones(3, device=sp.device(quiet=True))
with sp.trace() as t:
    (x + x).sum().item()
"""


@pytest.mark.parametrize("code", ["", FIRST_CELL], ids=["import", "first cell"])
def test_the_course_starts_light(code: str) -> None:
    lines = ["import sys, syncpoint as sp", code, f"print([name for name in {HEAVY} if name in sys.modules])"]
    assert run("\n".join(lines)).splitlines()[-1] == "[]"


def test_the_version_stands_twice_and_is_one(pyproject: dict[str, Any]) -> None:
    assert run("import syncpoint; print(syncpoint.__version__)") == pyproject["project"]["version"]


def test_only_the_two_packages_are_importable() -> None:
    """`course`, `tests` and `source` are folders, not packages: an import of one would hide a missing install."""
    code = """
import importlib.util, os
os.chdir(os.sep)
print([name for name in ("course", "tests", "source", "benchmarks") if importlib.util.find_spec(name)])
"""
    assert run(code) == "[]"
