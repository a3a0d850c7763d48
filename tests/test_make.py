"""The short commands work as the first call, install once, and say plainly what they miss.

Nothing is installed here: ``make -n`` only tells what it would do, in a copy of the two files that it reads.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="make is not installed (Debian: package make)")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A fresh clone, as far as make can see."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    from_outer_make = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL"}
    environment = {name: value for name, value in os.environ.items() if name not in from_outer_make}
    return subprocess.run(["make", *arguments], cwd=folder, env=environment, capture_output=True, text=True)


def stamp(folder: Path, *extras: str, age: int) -> None:
    """What is left behind once these extras have been installed, ``age`` seconds ago."""
    written = (folder / "pyproject.toml").stat().st_mtime - age
    (folder / ".venv" / "bin").mkdir(parents=True, exist_ok=True)
    for path in [folder / ".venv" / "bin" / "python", *(folder / ".venv" / f".ready-{extra}" for extra in extras)]:
        path.touch()
        os.utime(path, (written, written))


@pytest.mark.parametrize(("target", "extra"), [("lab", "lab"), ("demo", "grade"), ("test", "test"), ("setup", "test")])
def test_the_first_call_sets_up_what_it_needs(folder: Path, target: str, extra: str) -> None:
    said = make(folder, "-n", target).stdout
    assert "-m venv .venv" in said
    assert said.count("pip install") == 1
    assert f'pip install -e ".[{extra}]"' in said


@pytest.mark.parametrize("target", ["lab", "demo", "test", "setup", "release", "bench"])
def test_a_second_call_installs_nothing(folder: Path, target: str) -> None:
    stamp(folder, "lab", "grade", "test", age=-60)
    said = make(folder, "-n", target).stdout
    assert "pip" not in said
    assert "venv .venv" not in said


def test_a_changed_pyproject_installs_again(folder: Path) -> None:
    stamp(folder, "lab", "grade", "test", age=60)
    said = make(folder, "-n", "demo").stdout
    assert 'pip install -e ".[grade]"' in said
    assert "-m venv" not in said


def test_the_test_extra_covers_the_other_two(folder: Path) -> None:
    last_line_of_recipe = [line for line in make(folder, "-n", "setup").stdout.splitlines() if line.startswith("touch")]
    assert last_line_of_recipe == ["touch .venv/.ready-lab .venv/.ready-grade .venv/.ready-test"]


def stand_in(folder: Path, script: str) -> str:
    """A ``python3`` that behaves in one chosen way."""
    path = folder / "fake-python"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return f"PYTHON={path}"


def test_a_missing_python_is_named_with_its_package(folder: Path) -> None:
    done = make(folder, "demo", "PYTHON=python-that-is-not-there")
    assert done.returncode != 0
    assert "python-that-is-not-there is not on this machine" in done.stderr
    assert "apt install python3 python3-venv" in done.stderr


def test_an_old_python_is_refused_with_its_version(folder: Path) -> None:
    old = stand_in(folder, 'case "$*" in -V) echo Python 3.10.13;; *version_info*) exit 1;; esac')
    done = make(folder, "demo", old)
    assert done.returncode != 0
    assert "needs Python 3.11 or newer" in done.stderr
    assert "is Python 3.10.13" in done.stderr
    assert not (folder / ".venv").exists()


def test_a_python_without_venv_is_named_with_its_package(folder: Path) -> None:
    done = make(folder, "demo", stand_in(folder, 'case "$*" in *ensurepip*) exit 1;; esac'))
    assert done.returncode != 0
    assert "apt install python3-venv" in done.stderr


def test_an_unknown_lab_lists_those_that_there_are(folder: Path) -> None:
    stamp(folder, "lab", age=-60)
    (folder / "release" / "01_tensors_and_devices").mkdir(parents=True)
    done = make(folder, "lab", "LAB=99_nothing")
    assert done.returncode != 0
    assert "no lab 99_nothing; there are: 01_tensors_and_devices" in done.stderr
