"""What a learner is told: the check's own words, the learner's own line, and nothing of the hidden tests."""

from __future__ import annotations

from nbformat import NotebookNode, v4
from tiny_lab import cell, tiny_notebook

from autograder import labs
from autograder.explain import explain
from autograder.results import CellResult, Place

LAB = labs.as_lab("01_tiny", tiny_notebook())
HIDDEN_LINE = "for secret_number in (-7, 10**6):"


def executed() -> NotebookNode:
    """The tiny notebook as a kernel leaves it, without any output yet."""
    notebook = tiny_notebook()
    for count, code_cell in enumerate((c for c in notebook.cells if c.cell_type == "code"), 1):
        code_cell.execution_count = count
    return notebook


def told(name: str, message: str, frames: str = "", error: str = "AssertionError") -> CellResult:
    """What is said when this cell raises. `frames`: places as in IPython's traceback, "4:1" for In[4], line 1."""
    notebook = executed()
    traceback = [f"\x1b[36mCell\x1b[39m\x1b[36m \x1b[39m\x1b[32mIn[{f.split(':')[0]}]\x1b[39m\x1b[32m, line "
                 f"{f.split(':')[1]}\x1b[39m" for f in frames.split()]
    cell(notebook, name).outputs = [v4.new_output("error", ename=error, evalue=message, traceback=traceback)]
    return next(c for c in explain(LAB, notebook, []) if c.grade_id == name)


def test_a_checks_own_words() -> None:
    result = told("test_double", "double(2) should be 4", "3:1")
    assert (result.message, result.points, result.hidden, result.place) == ("double(2) should be 4", 0, False, None)


def test_a_visible_check_without_words_is_quoted() -> None:
    assert told("test_double_more", "", "4:1").message == "this check failed: assert double(0) == 0"


def test_a_hidden_check_without_words_is_not_quoted() -> None:
    result = told("test_double_more", "", "4:4")
    assert (result.message, result.hidden) == ("a check that is not shown failed", True)


def test_the_place_is_the_innermost_line_of_the_learners_own() -> None:
    result = told("test_double", "division by zero", "3:1 2:2 2:3", error="ZeroDivisionError")
    assert result.message == "ZeroDivisionError: division by zero"
    assert result.place == Place("double", 3, "### BEGIN SOLUTION")


def test_places_in_a_message_get_the_cells_name() -> None:
    places = "cell In[3], line 1: x\n  cell In[2], line 4: twice = x + x\n  cell In[77], line 1: y"
    result = told("test_double", f"expected 1 wait, got 3:\n  {places}", "3:1")
    assert result.message == (
        "expected 1 wait, got 3:\n  cell test_double, line 1: x\n  cell double, line 4: twice = x + x\n"
        "  cell In[77], line 1: y"
    )
    assert result.place == Place("double", 4, "twice = x + x")


def test_a_hidden_line_in_a_message_is_taken_out() -> None:
    words = f"expected 1 wait:\n  cell In[4], line 3: {HIDDEN_LINE}\n  Remedy: one read"
    result = told("test_double_more", words, "4:4")
    assert "secret" not in result.message
    assert "cell test_double_more, line 3: (a line that is not shown)\n  Remedy: one read" in result.message


def test_a_message_that_is_the_hidden_test_is_withheld() -> None:
    result = told("test_double_more", LAB.cell("test_double_more").source, "4:4 2:2", error="ValueError")
    assert result.message == (
        "a check that is not shown failed; its message is withheld because it repeats the check"
    )


def test_an_answer_that_does_not_compile() -> None:
    result = told("double", "incomplete input (2758104121.py, line 4)", "2:4", error="SyntaxError")
    assert result.message == "SyntaxError: incomplete input"
    assert result.place == Place("double", 4, "twice = x + x")


def test_a_very_long_message_is_cut() -> None:
    assert len(told("test_double", "x" * 10_000, "3:1").message) < 2100


def test_an_untouched_stub_is_no_error() -> None:
    result = told("test_count", "task 1.2: your code goes here", "6:1 5:2", error="NotImplementedError")
    assert result.message == "no answer yet: task 1.2"
