"""What a lab asks, read from its notebook."""

from __future__ import annotations

import pytest
from nbformat import v4
from tiny_lab import code, text, tiny_notebook

from autograder import labs
from autograder.labs import Task


def test_exercises_of_the_tiny_lab() -> None:
    lab = labs.as_lab("01_tiny", tiny_notebook())
    assert [(e.label, e.answers, e.points) for e in lab.exercises] == [
        ("Task 1.1: double a number", ["double"], {"test_double": 1, "test_double_more": 2}),
        ("Task 1.2: count the even numbers", ["count"], {"test_count": 2}),
        ("Task 1.3: explain", ["essay"], {"essay": 3}),
    ]
    assert lab.max_points == 8


def test_a_task_of_two_answers_is_one_exercise() -> None:
    cells = [
        code("# Task 2.1: first half", grade_id="a", solution=True),
        code("# Task 2.2: another", grade_id="b", solution=True),
        code("1", grade_id="test_b", grade=True, points=1),
        code("# Task 2.1", grade_id="c", solution=True),
        code("1", grade_id="test_c", grade=True, points=1),
    ]
    first, second = labs.as_lab("x", v4.new_notebook(cells=cells)).exercises
    assert (first.answers, list(first.points)) == (["a", "c"], ["test_c"])
    assert (second.answers, list(second.points)) == (["b"], ["test_b"])


def test_a_title_may_stand_in_the_heading() -> None:
    cells = [text("### Task 4.1: read it\n\nand more"), code("# Task 4.1", grade_id="a", solution=True)]
    (exercise,) = labs.as_lab("x", v4.new_notebook(cells=cells)).exercises
    assert exercise.label == "Task 4.1: read it"


@pytest.mark.parametrize(
    ("source", "metadata", "task"),
    [
        ("# Task 3.2: repair the wait\nx", {}, Task("3.2", "repair the wait")),
        ("import x\n    # task 3.2 repair it", {}, Task("3.2", "repair it")),
        ("# Task 3.2", {"task": "9", "title": "other"}, Task("9", "other")),
        ("# a task 3.2", {}, None),
        ("x = 'Task 3.2'", {}, None),
    ],
)
def test_own_task(source: str, metadata: dict[str, str], task: Task | None) -> None:
    cell = v4.new_code_cell(source, metadata={"syncpoint": metadata} if metadata else {})
    assert labs.own_task(cell) == task


def test_regions() -> None:
    source = "a\n### BEGIN SOLUTION\nb\n### END SOLUTION\nc\n### BEGIN SOLUTION\n### END SOLUTION"
    assert labs.regions(source, labs.BEGIN_SOLUTION, labs.END_SOLUTION) == [(1, 3), (5, 6)]
    assert labs.without_markers(source) == "a\nb\nc"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("### BEGIN SOLUTION", "line 1: 'BEGIN SOLUTION' is never closed"),
        ("x\n### END SOLUTION", "line 2: 'END SOLUTION' without 'BEGIN SOLUTION'"),
        ("### BEGIN SOLUTION\n### BEGIN SOLUTION", "line 2: 'BEGIN SOLUTION' inside a region"),
    ],
)
def test_broken_regions_are_named(source: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        labs.regions(source, labs.BEGIN_SOLUTION, labs.END_SOLUTION)


def test_hidden_lines_count_from_one() -> None:
    assert labs.hidden_lines("a\n### BEGIN HIDDEN TESTS\nb\n### END HIDDEN TESTS\nc") == {2, 3, 4}
