"""Damage that nobody thought of: 2,000 notebooks, made by hypothesis, through reading and repair, none of them run.

Whatever the file is, it ends as a notebook that can be graded or as a reason in plain words. ``SYNCPOINT_FUZZ=20``
makes twenty times as many examples, other ones each time.
"""

from __future__ import annotations

import contextlib
import copy
import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
import pytest
from download_files import answered, put, zipped
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbformat import NotebookNode
from tiny_lab import LAB, make_course

from autograder import grade, labs, notebooks, prepare, release
from autograder.course import Course, UsageError
from autograder.intake import intake
from autograder.kernels import NOT_RUN, CellRun, Runner, error_output
from autograder.repair import repair

TIMES = int(os.environ.get("SYNCPOINT_FUZZ", "1"))


def fuzz(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The same examples on every machine, unless more are asked for."""
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return settings(
        max_examples=examples * TIMES, derandomize=TIMES == 1, deadline=None, suppress_health_check=slow, database=None
    )


@cache
def master() -> NotebookNode:
    """The tiny lab with all its tests."""
    with TemporaryDirectory() as folder:
        course = make_course(Path(folder))
        return release.master(course.directory(LAB), LAB, LAB)


SOUND: dict[str, Any] = json.loads(json.dumps(answered()))
NAMES = [str(cell["metadata"].get("nbgrader", {}).get("grade_id")) for cell in SOUND["cells"]]

texts = st.text(max_size=20) | st.sampled_from(
    ["", "\ud800", "\0", "%%bash\n", "### BEGIN HIDDEN TESTS", "(" * 300, *NAMES]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)
keys = st.sampled_from(["cell_type", "source", "metadata", "outputs", "execution_count", "id", "attachments", "odd"])
about = st.sampled_from(["grade_id", "grade", "solution", "locked", "points", "schema_version", "task", "cell_type"])
place = st.integers(0, 20)

Step = Callable[[dict[str, Any]], None]


def on_cell(change: Callable[[dict[str, Any]], None], where: int) -> Step:
    """A change to one of the cells, if there is any that can be changed."""

    def step(notebook: dict[str, Any]) -> None:
        cells = notebook.get("cells")
        if isinstance(cells, list) and cells and isinstance(cells[where % len(cells)], dict):
            change(cells[where % len(cells)])

    return step


def on_cells(change: Callable[[list[Any]], None]) -> Step:
    """A change to the list of cells."""
    return lambda notebook: change(notebook["cells"]) if isinstance(notebook.get("cells"), list) else None


def mark(cell: dict[str, Any], key: str, value: Any) -> None:
    """Forge one entry of nbgrader's metadata."""
    if isinstance(cell.get("metadata"), dict):
        had = cell["metadata"].get("nbgrader")
        cell["metadata"]["nbgrader"] = {**(had if isinstance(had, dict) else {}), key: value}


def put_aside(cells: list[Any], one: int, other: int) -> None:
    """Move a cell."""
    if cells:
        cells.insert(other % len(cells), cells.pop(one % len(cells)))


steps = st.one_of(
    st.builds(lambda where, key, value: on_cell(lambda c: c.update({key: value}), where), place, keys, values),
    st.builds(lambda where, text: on_cell(lambda c: c.update(source=text), where), place, texts),
    st.builds(lambda where, key: on_cell(lambda c: c.pop(key, None), where), place, keys),
    st.builds(lambda where, key, value: on_cell(lambda c: mark(c, key, value), where), place, about, scalars),
    st.builds(lambda where, name: on_cell(lambda c: mark(c, "grade_id", name), where), place, st.sampled_from(NAMES)),
    st.builds(lambda where, tags: on_cell(lambda c: c.update(metadata={"tags": tags}), where), place, values),
    st.builds(lambda one, other: on_cells(lambda cells: put_aside(cells, one, other)), place, place),
    st.builds(lambda where: on_cells(lambda cells: cells and cells.pop(where % len(cells))), place),
    st.builds(lambda where: on_cells(lambda cells: cells.extend(copy.deepcopy(cells[where : where + 2]))), place),
    st.builds(lambda where, value: on_cells(lambda cells: cells.insert(where, value)), place, values),
    st.builds(lambda: on_cells(list.reverse)),
    st.builds(lambda key, value: lambda nb: nb.update({key: value}), st.sampled_from([*SOUND, "worksheets"]), values),
    st.builds(lambda key: lambda nb: nb.pop(key, None), st.sampled_from(list(SOUND))),
)


def damaged(changes: list[Step]) -> bytes:
    """A sound submission after these changes."""
    notebook = copy.deepcopy(SOUND)
    for change in changes:
        change(notebook)
    return json.dumps(notebook).encode("ascii")


files = st.lists(steps, min_size=1, max_size=6).map(damaged)
whole = json.dumps(SOUND).encode("ascii")
cuts = st.integers(0, len(whole))
broken_bytes = st.one_of(
    st.builds(lambda end: whole[:end], cuts),
    st.builds(lambda at, junk: whole[:at] + junk + whole[at:], cuts, st.binary(max_size=6)),
    st.builds(lambda at, junk: whole[:at] + junk + whole[at + len(junk) :], cuts, st.binary(min_size=1, max_size=9)),
    st.builds(lambda one, other: whole[: min(one, other)] + whole[max(one, other) :], cuts, cuts),
    st.builds(
        lambda front: front + whole, st.sampled_from([b"\xef\xbb\xbf", b"\xff\xfe", b"\0", b"\n", b"PK\x03\x04"])
    ),
    st.binary(max_size=200),
)
any_json = st.builds(
    lambda cells, rest: json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, **rest, "cells": cells}
    ).encode(),
    st.lists(st.dictionaries(keys, values, max_size=5) | values, max_size=6) | values,
    st.dictionaries(st.sampled_from(["nbformat", "nbformat_minor", "metadata"]), values, max_size=2),
)


def outcome(data: bytes) -> None:
    """A notebook that can be graded, or a reason."""
    try:
        read, told = notebooks.parse_with_notes(data)
    except notebooks.UnreadableNotebook as error:
        reason = str(error)
        assert reason
        assert len(reason.splitlines()) == 1
        return
    made, notes = prepare.prepare(read, master())
    notebooks.dumps(made).encode("utf-8")
    nbformat.validate(made)
    assert all(note and len(note.splitlines()) == 1 for note in [*told, *notes]), notes
    here = [(name, cell) for cell in made.cells if (name := notebooks.grade_id(cell))]
    wanted = [(str(notebooks.grade_id(cell)), cell) for cell in master().cells if notebooks.grade_id(cell)]
    there = {name for name, _ in here}
    assert [name for name, _ in here] == [name for name, _ in wanted if name in there], "each once, in the lab's order"
    for name, cell in wanted:
        kind = labs.kind(cell)
        if kind == "answer":
            assert name in there or f" {name}" in notes[-1]
            continue
        (mine,) = [mine for mine_name, mine in here if mine_name == name]
        assert (mine.metadata, mine.cell_type) == (cell.metadata, cell.cell_type)
        assert mine.source == cell.source or kind == "essay"
    twice, again = repair(made, master())
    assert [c.source for c in twice.cells] == [c.source for c in made.cells]
    assert [note for note in again if "missing answers" not in note and "was edited" not in note] == []


@fuzz(1000)
@given(files)
def test_cells_that_editors_and_people_damaged(data: bytes) -> None:
    outcome(data)


@fuzz(500)
@given(broken_bytes)
def test_files_that_were_cut_and_overwritten(data: bytes) -> None:
    outcome(data)


@fuzz(500)
@given(any_json)
def test_json_that_is_hardly_a_notebook(data: bytes) -> None:
    outcome(data)


class RunsNothing(Runner):
    """Every cell is left alone, as if the time were over before it began."""

    def run(self, notebook: NotebookNode, folder: Path, imports: dict[str, str] | None = None) -> list[CellRun]:
        """See `Runner`."""
        runs = []
        for index, cell in enumerate(notebook.cells):
            if cell.cell_type == "code":
                cell.outputs = [error_output(NOT_RUN, "this cell was not run")]
                runs.append(CellRun(index, "not run", 0.0))
        return runs


@fuzz(3)
@given(st.lists(files | broken_bytes | any_json, min_size=40, max_size=40))
def test_a_class_of_them_is_graded_to_the_last_row(empty_gradebook: Path, batch: list[bytes]) -> None:
    with TemporaryDirectory() as folder:
        course = make_course(Path(folder))
        put(course.root / "gradebook.db", empty_gradebook.read_bytes())
        submissions = {f"s{number:02}": data for number, data in enumerate(batch)} | {"good": whole, "zgood": whole}
        for student, data in submissions.items():
            put(course.submitted(student, LAB) / f"{LAB}.ipynb", data)
        rows = {row.student: row for row in grade.grade(course, LAB, runner=RunsNothing())}
    assert set(rows) == set(submissions)
    for student, row in rows.items():
        assert row.status in ("graded", "unreadable"), (student, row.reason, submissions[student])
        assert row.reason or row.status == "graded"
        assert row.max_points == 8
    for student in ("good", "zgood"):
        assert (rows[student].status, rows[student].notes) == ("graded", [])
        assert [cell.status for cell in rows[student].cells if cell.kind == "test"] == ["not run"] * 3


archive_bytes = st.builds(
    lambda at, junk, drop: (at, junk, drop), st.floats(0, 1), st.binary(max_size=12), st.integers(0, 30)
)


@pytest.fixture(scope="module")
def one_course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course that takes in one archive after the other."""
    return make_course(tmp_path_factory.mktemp("archives") / "course")


@fuzz(150)
@given(archive_bytes, files)
def test_a_damaged_archive_is_a_report_or_a_reason(
    one_course: Course, where: tuple[float, bytes, int], data: bytes
) -> None:
    path = zipped(one_course.root.parent / "x.zip", {"ada/01_tiny.ipynb": data, "bob/x.ipynb": whole})
    raw = path.read_bytes()
    at = int(where[0] * len(raw))
    path.write_bytes(raw[:at] + where[1] + raw[at + where[2] :])
    with contextlib.suppress(UsageError):
        report = intake(one_course, path, LAB)
        assert all(reason for _, reason in report.problems)
    assert outside(path.parent) == {"course", "x.zip"}


def outside(folder: Path) -> set[str]:
    """What stands beside the course."""
    return {path.name for path in folder.iterdir()}


def test_the_sound_one_is_sound() -> None:
    """Otherwise all of the above would be about something else."""
    made, notes = repair(notebooks.parse(whole), master())
    assert notes == []
    assert len(made.cells) == len(SOUND["cells"])


@pytest.mark.parametrize("times", [1, 20])
def test_more_by_a_variable(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "TIMES", times)
    made = fuzz(7)(lambda: None)
    assert made._hypothesis_internal_use_settings.max_examples == 7 * times  # type: ignore[attr-defined]
