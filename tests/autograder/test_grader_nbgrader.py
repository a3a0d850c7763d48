"""nbgrader's own commands on the same course: the same release, the same points, the same gradebook."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tiny_lab import CLASS, LAB

from autograder import demo, example_class, gradebook, release
from autograder.course import Course, quiet


def nbgrader(course: Course, *args: str) -> str:
    """Run nbgrader as an instructor would, in the course's folder."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = [sys.executable, "-W", "ignore", "-m", "nbgrader", *args]
    done = subprocess.run(command, cwd=course.root, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_nbgraders_own_commands_agree_with_ours(course: Course) -> None:
    files = release.build(course, LAB)
    nbgrader(course, "generate_assignment", LAB)
    assert (course.release(LAB) / f"{LAB}.ipynb").read_bytes() == files[f"{LAB}.ipynb"]

    dan = [student for student in example_class.read_class(CLASS) if student.name == "dan"]  # warns, and is half right
    demo.hand_in(course, LAB, dan)
    nbgrader(course, "autograde", LAB)
    with quiet():
        cells = gradebook.marks(course, LAB)["dan"].cells
    assert {name: mark.auto for name, mark in cells.items()} == {
        "test_double": 1,
        "test_double_more": 2,
        "test_count": 1,
        "essay": None,
    }
