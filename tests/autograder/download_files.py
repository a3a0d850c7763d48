"""Downloads for the tests of intake: notebooks of the tiny lab, zips with odd entries."""

from __future__ import annotations

import copy
import os
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from nbformat import NotebookNode
from tiny_lab import LAB, cell, tiny_notebook

from autograder import labs, notebooks
from autograder.course import Course
from autograder.intake import Report

NOON = datetime(2026, 11, 29, 12, 0, 0, tzinfo=UTC)


def answered(answer: str = "return 2 * x") -> NotebookNode:
    """A submission of the tiny lab; the answer makes it another one."""
    notebook = copy.deepcopy(tiny_notebook())
    for each in notebook.cells:
        each.source = labs.without_markers(each.source)
    cell(notebook, "double").source = f"# Task 1.1: double a number\ndef double(x):\n    {answer}"
    more = cell(notebook, "test_double_more")
    more.source = more.source.split("\n")[0]
    return notebook


def data(answer: str = "return 2 * x") -> bytes:
    """The same as a file."""
    return notebooks.dumps(answered(answer)).encode("utf-8")


def put(path: Path, content: bytes, when: datetime = NOON) -> Path:
    """A file with a time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (when.timestamp(), when.timestamp()))
    return path


def entry(name: str, when: datetime = NOON) -> zipfile.ZipInfo:
    """A zip's entry that knows its time in UTC."""
    made = zipfile.ZipInfo(name, (2026, 11, 29, 12, 0, 0))
    made.extra = b"UT\x05\x00\x01" + int(when.timestamp()).to_bytes(4, "little", signed=True)
    made.compress_type = zipfile.ZIP_DEFLATED
    return made


def zipped(path: Path, files: dict[str, bytes], when: datetime = NOON) -> Path:
    """A zip of these files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(entry(name, when), content)
    return path


def submitted(course: Course, student: str) -> bytes:
    """What lies in a student's place."""
    return (course.submitted(student, LAB) / f"{LAB}.ipynb").read_bytes()


def tree(course: Course) -> dict[str, bytes]:
    """All that lies in submitted/."""
    folder = course.root / "submitted"
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def states(report: Report) -> dict[str, str]:
    """What became of each student's hand-in."""
    return {t.student: t.state for t in report.students}


def one(report: Report) -> str:
    """The only problem of a report."""
    (problem,) = report.problems
    return problem[1]
