"""nbgrader's autograde gives every well-formed, honest submission of the example class the points that we give it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import demo, example_class, grade, gradebook, release
from autograder.course import CONFIG, Course, quiet

ROOT = Path(__file__).parents[2]
LABS = ("03_mnist_cnn",)  # nbgrader needs ten seconds and more for each notebook


def points(course: Course, lab: str) -> dict[str, dict[str, float | None]]:
    with quiet():
        marks = gradebook.marks(course, lab)
    return {student: {name: mark.auto for name, mark in found.cells.items()} for student, found in marks.items()}


@pytest.mark.slow
@pytest.mark.parametrize("lab", LABS)
def test_points_agree(lab: str, tmp_path: Path) -> None:
    course = Course(tmp_path)
    shutil.copyfile(ROOT / CONFIG, tmp_path / CONFIG)
    shutil.copytree(ROOT / "source" / lab, course.source(lab))
    with quiet():
        release.release(course, lab)
    demo.hand_in(course, lab, example_class.read_class(example_class.BUNDLED))
    found = grade.grade(course, lab, workers=2)
    honest = {
        result.student
        for result in found
        if result.status == "graded" and not result.notes and not result.suspicions
        if not any(cell.status in ("died", "timeout", "missing", "not run") for cell in result.cells)
    }
    assert len(honest) >= 4
    ours = points(course, lab)
    for student in set(ours) - honest:
        shutil.rmtree(course.submitted(student, lab).parent)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "nbgrader", "autograde", lab, "--force"],
        cwd=tmp_path,
        env={**os.environ, "SYNCPOINT_DEVICE": "sim", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    theirs = points(course, lab)
    assert {student: theirs[student] for student in honest} == {student: ours[student] for student in honest}
