"""Fixtures: a course with a small lab, and the class of `tiny_class` graded once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import tiny_lab

from autograder import demo
from autograder.course import Course, quiet
from autograder.jail import JailRunner
from autograder.kernels import Limits


@pytest.fixture(scope="session")
def empty_gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new gradebook. nbgrader starts a process to make one, which takes longer than most tests here."""
    from autograder import gradebook

    course = tiny_lab.make_course(tmp_path_factory.mktemp("empty"))
    with quiet(), gradebook.book(course):
        return course.root / "gradebook.db"


@pytest.fixture
def course(tmp_path: Path, empty_gradebook: Path) -> Course:
    """A fresh course with the tiny lab and nobody in it."""
    made = tiny_lab.make_course(tmp_path / "course")
    shutil.copyfile(empty_gradebook, made.root / "gradebook.db")
    return made


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course in which the whole class has been graded. Tests read it and leave it as it is."""
    root = tmp_path_factory.mktemp("graded")
    course = tiny_lab.make_course(root / "course")
    runner = JailRunner(Limits(cell_s=30))
    return demo.demo(course, root / "demo", tiny_lab.CLASS, runner, workers=2, say=lambda text: None, quiet=True)
