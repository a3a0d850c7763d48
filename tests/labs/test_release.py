"""release/ is what source/ makes, gives nothing away, and stops a learner only where there is something to do."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from autograder import forked, labs, leaks, notebooks, release
from autograder.course import Course

COURSE = Course.find(Path(__file__))
LABS = COURSE.labs()


def test_there_is_a_source_for_every_release() -> None:
    folder = COURSE.release("x").parent
    released = {p.parent.name for p in folder.glob("*/*.ipynb")} if folder.is_dir() else set()
    assert released == set(LABS)


@pytest.mark.parametrize("name", LABS)
def test_release_is_what_source_makes(name: str) -> None:
    changes = release.release(COURSE, name, check=True)
    assert not changes, f"{changes}: run `autograder release {name}`"


@pytest.mark.parametrize("name", LABS)
def test_release_gives_nothing_away(name: str) -> None:
    source = COURSE.lab(name).notebook
    released = notebooks.read(COURSE.release(name) / f"{name}.ipynb")
    assert not leaks.in_release(source, released)
    text = "\n".join(cell.source for cell in released.cells)
    assert not re.search(r"(begin|end)[ _-]*(solution|hidden)", text, re.IGNORECASE)


@pytest.mark.parametrize("path", notebooks.find([COURSE.source("x").parent, COURSE.release("x").parent]), ids=str)
def test_notebook_is_in_canonical_form(path: Path) -> None:
    assert notebooks.check(path) is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the run-through needs forked processes")
@pytest.mark.parametrize("name", LABS)
def test_a_learner_is_stopped_only_by_tasks(name: str) -> None:
    """Run from top to bottom; at each stub fill in that task's solution and go on. Nothing else may stop the run."""
    source = [cell for cell in COURSE.lab(name).notebook.cells if cell.cell_type == "code"]
    released = notebooks.read(COURSE.release(name) / f"{name}.ipynb").cells
    solutions = {}
    for index, cell in enumerate(source):
        task = labs.own_task(cell)
        if labs.kind(cell) == "answer" and task:
            solutions[index] = (task.number, labs.without_markers(cell.source))
    stops = forked.learn([cell.source for cell in released if cell.cell_type == "code"], solutions)
    for stop in stops:
        assert stop.error == "NotImplementedError", f"code cell {stop.cell + 1}: {stop.error}: {stop.message}"
    met = {re.sub(r"^task (\S+):.*", r"\1", stop.message) for stop in stops}
    assert met == {task for task, _ in solutions.values()}, "a task whose stub stops nobody is not tested"
