"""The labs' own solutions, run as submissions are: every point, and nothing that looks like a trick."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder import integrity, prepare, release, scores
from autograder.course import Course
from autograder.jail import JailRunner
from autograder.kernels import Limits, Runner
from autograder.notebooks import grade_id

COURSE = Course(Path(__file__).parents[2])
FAST = "01_tensors_and_devices"
LABS = [pytest.param(lab, marks=[] if lab == FAST else [pytest.mark.slow]) for lab in COURSE.labs()]


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    made = JailRunner(Limits(cell_s=300, notebook_s=1200))
    yield made
    made.close()


@pytest.mark.parametrize("name", LABS)
def test_a_labs_own_solutions_get_every_point_and_no_suspicion(runner: Runner, name: str) -> None:
    lab = COURSE.lab(name)
    notebook, _ = prepare.prepare(lab.notebook, release.master(COURSE.directory(name), name, name))
    with tempfile.TemporaryDirectory() as folder:
        release.copy_extra_files(COURSE, name, Path(folder))
        runs = runner.run(notebook, Path(folder), integrity.imports_of(lab.notebook))
    tests = {name: cell for cell in notebook.cells if (name := grade_id(cell)) in lab.points}
    points = {name: score.points for name, cell in tests.items() if (score := scores.score(cell)).points is not None}
    assert points == {name: most for name, most in lab.points.items() if name in points}
    assert len(points) >= 2
    assert integrity.suspicions(notebook, runs) == []
