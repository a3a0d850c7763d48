"""A small lab on the simulated device, and the submissions to it that stand in `cheats/` and `honest/`.

A file is one submission: the right answers everywhere but in one cell, whose text the file is. Comment lines at its top
say what about it:

    # tries: what the cheat is after, or what is odd about an honest one
    # cell: the answer that it replaces
    # no points: tests that must give none                    (cheats)
    # flagged: words of the reason for review                 (cheats)
    # tag: skip-execution test_total                          (metadata put on a cell)
    # extra: tests that need not give all points              (honest ones; with the reason)

A line ``# %%`` begins a further cell, put after the answer; ``# %% before`` puts it before. All are graded in one run.
"""

from __future__ import annotations

import copy
import functools
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode, v4
from tiny_lab import ROOT, cell, code, text, write

from autograder import example_class, notebooks, release
from autograder.course import Course
from autograder.grade import grade
from autograder.jail import JailRunner
from autograder.kernels import Limits
from autograder.results import Result

HERE = Path(__file__).parent
LAB = "01_watched"
_ABOUT = re.compile(r"^# ([a-z ]+): (.+)$")


def _answer(name: str, title: str, source: str) -> list[NotebookNode]:
    begin, _, body = source.strip("\n").partition("\n")
    solution = f"{begin}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION"
    return [text(f"## {title}"), code(f"# {title}\n{solution}", grade_id=name, solution=True)]


def _test(name: str, points: float, source: str) -> NotebookNode:
    return code(source, grade_id=name, grade=True, locked=True, points=points)


def cells() -> list[NotebookNode]:
    """Five tasks: values and partial credit, devices, counts and time, a class, a number."""
    return [
        code(SETUP),
        *_answer("total", "Task 1.1: the sum of the positive numbers", TOTAL),
        _test("test_total", 2, TEST_TOTAL),
        _test("test_total_part", 2, TEST_TOTAL_PART),
        *_answer("stretch", "Task 1.2: twice a tensor and one, where it is", STRETCH),
        _test("test_stretch", 3, TEST_STRETCH),
        _test("test_stretch_strict", 1, TEST_STRETCH_STRICT),
        *_answer("shrink", "Task 1.3: divide by the norm, and wait once", SHRINK),
        _test("test_shrink", 3, TEST_SHRINK),
        _test("test_shrink_time", 2, TEST_SHRINK_TIME),
        *_answer("point", "Task 1.4: points that can be compared", POINT),
        _test("test_point", 2, TEST_POINT),
        *_answer("average", "Task 1.5: the average of numbers", AVERAGE),
        _test("test_average", 1, TEST_AVERAGE),
    ]


SETUP = """
import torch
from torch import nn

import syncpoint as sp

sim = torch.device("sim")
sp.sim.use("T4")
"""
TOTAL = """
def total(values):
    return sum(v for v in values if v > 0)
"""
TEST_TOTAL = """
assert total([1, -2, 3]) == 4, "1 and 3 are positive"
assert total([]) == 0
### BEGIN HIDDEN TESTS
for secret_numbers, right in (([5, 5], 10), ([-1], 0), (list(range(9)), 36)):
    assert total(secret_numbers) == right
### END HIDDEN TESTS
"""
TEST_TOTAL_PART = """
cases = [([2, 2], 4), ([1, -1], 1), ([-5, 6, 7], 13), ([0.5], 0.5)]
2 * sum(total(values) == right for values, right in cases) / len(cases)
"""
STRETCH = """
def stretch(x):
    return x * 2 + 1
"""
TEST_STRETCH = """
points = torch.arange(6.0, device=sim).reshape(2, 3)
with sp.trace(sim) as t:
    out = stretch(points)
assert isinstance(out, torch.Tensor)
assert out.device.type == "sim" and out.shape == (2, 3), "it should be where x is"
assert torch.equal(out.cpu(), torch.arange(6.0).reshape(2, 3) * 2 + 1)
sp.checks.copies(t, exactly=0)
sp.checks.waits(t, exactly=0)
sp.checks.launches(t, exactly=2)
"""
TEST_STRETCH_STRICT = """
out = stretch(torch.ones(3, device=sim))
sp.checks.on_device(out, sim)
sp.checks.equal(out, torch.full((3,), 3.0))
assert torch.allclose(out.cpu(), torch.full((3,), 3.0))
"""
SHRINK = """
def shrink(x, steps):
    for _ in range(steps):
        x = x / x.norm()
    return x.norm().item()
"""
TEST_SHRINK = """
x = torch.ones(4, device=sim)
with sp.trace(sim) as t:
    norm = shrink(x, 5)
sp.checks.number(norm, 1.0, rel=1e-5)
sp.checks.waits(t, exactly=1)
sp.checks.copies(t, exactly=0)
sp.checks.launches(t, exactly=11)
"""
TEST_SHRINK_TIME = """
sp.sim.use("T4")
x = torch.ones(4, device=sim)
with sp.trace(sim) as t:
    shrink(x, 50)
assert 500 < t.elapsed_us < 1100, f"{t.elapsed_us:.0f} us"
### BEGIN HIDDEN TESTS
sp.checks.waits(t, at_most=1, kind="value read")
### END HIDDEN TESTS
"""
POINT = """
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))
"""
TEST_POINT = """
assert Point(1, 2) == Point(1, 2)
assert Point(1, 2) != Point(2, 1)
assert [Point(1, 2)] == [Point(1, 2)]
assert Point(1, 2) in [Point(0, 0), Point(1, 2)]
assert Point(3, 4).x == 3
"""
AVERAGE = """
def average(values):
    return sum(values) / len(values)
"""
TEST_AVERAGE = """
sp.checks.number(average([1, 2, 6]), 3.0)
assert average([2, 4]) == 3
"""


@dataclass(frozen=True)
class Case:
    """One file: a submission and what must become of it."""

    path: Path
    about: dict[str, str]
    texts: tuple[tuple[str, str], ...]  # (where: "answer", "before" or "after"; text)

    @property
    def student(self) -> str:
        return f"{self.path.parent.name}-{self.path.stem}"


def read(path: Path) -> Case:
    """A file of `cheats/` or `honest/`."""
    about: dict[str, str] = {}
    lines = path.read_text(encoding="utf-8").split("\n")
    while found := _ABOUT.match(lines[0]):
        about[found[1]] = found[2]
        lines = lines[1:]
    parts = re.split(r"^# %%(.*)\n", "\n".join(lines), flags=re.MULTILINE)
    further = [
        (where.strip() or "after", part.strip("\n")) for where, part in zip(parts[1::2], parts[2::2], strict=True)
    ]
    return Case(path, about, (("answer", parts[0].strip("\n")), *further))


def cases(folder: str) -> list[Case]:
    """All files of a folder."""
    return [read(path) for path in sorted((HERE / folder).glob("*.txt"))]


def submission(case: Case, lab: NotebookNode, released: NotebookNode) -> NotebookNode:
    """The notebook that is handed in."""
    edits = {"start": "reference"}
    notebook = notebooks.parse(example_class.submission(edits, released, lab))
    answer = cell(notebook, case.about["cell"])
    place = notebook.cells.index(answer)
    for where, source in case.texts:
        if where == "answer":
            answer.source = source or answer.source
        elif where == "before":
            notebook.cells.insert(place, v4.new_code_cell(source))
            place += 1
        else:
            place += 1
            notebook.cells.insert(place, v4.new_code_cell(source))
    if "tag" in case.about:
        tag, name = case.about["tag"].split()
        cell(notebook, name).metadata["tags"] = [tag]
    return notebook


@functools.cache
def graded() -> dict[str, Result]:
    """Every submission, graded in one run with warm processes."""
    with tempfile.TemporaryDirectory(prefix="watched-") as folder:
        course = _course(Path(folder))
        released = notebooks.read(course.release(LAB) / f"{LAB}.ipynb")
        for case in [*cases("cheats"), *cases("honest")]:
            path = course.submitted(case.student, LAB) / f"{LAB}.ipynb"
            write(path, submission(case, course.lab(LAB).notebook, released))
        runner = JailRunner(Limits(cell_s=10, notebook_s=60))
        try:
            return {result.student: result for result in grade(course, LAB, runner=runner, workers=2)}
        finally:
            runner.close()


def _course(root: Path) -> Course:
    (root / "nbgrader_config.py").write_bytes((ROOT / "nbgrader_config.py").read_bytes())
    lab = notebooks.canonical(v4.new_notebook(cells=copy.deepcopy(cells())))
    write(root / "source" / LAB / f"{LAB}.ipynb", lab)
    course = Course(root)
    release.release(course, LAB)
    return course


def points(result: Result) -> dict[str, float | None]:
    """Each test's points."""
    return {c.grade_id: c.points for c in result.cells if c.max_points}
