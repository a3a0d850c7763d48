"""Cells that editors lost, copied, moved or renamed are found again, and what was mended is told."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable

import nbformat
import pytest
import tiny_lab
from nbformat import NotebookNode, v4
from tiny_lab import LAB, cell

from autograder import notebooks, release
from autograder.repair import repair

Pair = tuple[NotebookNode, NotebookNode]
RIGHT = "# Task 1.1: double a number\ndef double(x):\n    return 2 * x"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """(release, master) of the tiny lab, with imports in a cell without a name, as the course's labs have them."""
    course = tiny_lab.make_course(tmp_path_factory.mktemp("repair"))
    source = tiny_lab.tiny_notebook()
    source.cells.insert(1, tiny_lab.code("from itertools import count as endless\nfrom math import prod"))
    source.cells.insert(4, tiny_lab.code("print('a demonstration')"))
    cell(source, "test_count").source = "prod([1])\n" + cell(source, "test_count").source
    tiny_lab.write(course.source(LAB) / f"{LAB}.ipynb", notebooks.canonical(source))
    released = notebooks.parse(release.build(course, LAB)[f"{LAB}.ipynb"])
    return released, release.master(course.directory(LAB), LAB, LAB)


@pytest.fixture
def submission(pair: Pair) -> NotebookNode:
    made = copy.deepcopy(pair[0])
    cell(made, "double").source = RIGHT
    return made


@pytest.fixture
def master(pair: Pair) -> NotebookNode:
    return pair[1]


def names(notebook: NotebookNode) -> list[str]:
    return [name for c in notebook.cells if (name := notebooks.grade_id(c))]


def texts(notebook: NotebookNode) -> list[str]:
    return [c.source for c in notebook.cells]


def without_names(notebook: NotebookNode) -> None:
    """As a converter leaves it: no metadata and new ids."""
    for number, each in enumerate(notebook.cells):
        each.metadata = NotebookNode()
        each["id"] = f"new-{number}"


def test_all_metadata_lost(submission: NotebookNode, master: NotebookNode) -> None:
    cell(submission, "essay").source = "Addition has no loop, whatever the number is."
    cell(submission, "count").source = "def count_even(numbers):\n    return len([n for n in numbers if not n % 2])"
    cell(submission, "double").source = "double = lambda x: x + x"
    wanted, order = texts(submission), names(submission)
    without_names(submission)
    mended, notes = repair(submission, master)
    assert texts(mended) == wanted
    assert names(mended) == order
    assert cell(mended, "essay").source == "Addition has no loop, whatever the number is."
    assert cell(mended, "double").metadata == cell(master, "double").metadata
    assert notes == [
        "names were lost and found again: setup by its text, double by its place, test_double by its text, "
        "test_double_more by its text, count by its place, test_count by its text, essay by its place"
    ]


def test_an_answer_is_found_by_its_task_wherever_it_stands(submission: NotebookNode, master: NotebookNode) -> None:
    answer = v4.new_code_cell(RIGHT, id="pasted")
    submission.cells = [c for c in submission.cells if notebooks.grade_id(c) != "double"] + [answer]
    order = names(master)
    mended, notes = repair(submission, master)
    assert names(mended) == order
    assert cell(mended, "double").source == RIGHT
    assert notes == ["names were lost and found again: double by its task", "moved back to their places: double"]


def test_an_answer_is_found_by_the_function_that_it_defines(submission: NotebookNode, master: NotebookNode) -> None:
    place = submission.cells.index(cell(submission, "double"))
    submission.cells[place] = v4.new_code_cell("def double(x):\n    return 2 * x", id="retyped")
    submission.cells.insert(place, v4.new_code_cell("def helper(): pass", id="helper"))
    mended, notes = repair(submission, master)
    assert cell(mended, "double").source.startswith("def double")
    assert notes == ["names were lost and found again: double by its task"]


def test_what_a_learner_added_stays_where_it_was(submission: NotebookNode, master: NotebookNode) -> None:
    for place in range(len(submission.cells), -1, -1):
        submission.cells.insert(place, v4.new_code_cell(f"mine({place})", id=f"mine-{place}"))
    wanted = texts(submission)
    mended, notes = repair(submission, master)
    assert texts(mended) == wanted
    assert notes == []


def test_moved_cells_go_back_and_take_what_stands_behind_them_along(
    submission: NotebookNode, master: NotebookNode
) -> None:
    order = names(submission)
    test, more = cell(submission, "test_double"), cell(submission, "test_double_more")
    rest = [c for c in submission.cells if c is not test and c is not more]
    submission.cells = [more, test, v4.new_code_cell("print(double(3))", id="mine"), *rest]
    mended, notes = repair(submission, master)
    assert names(mended) == order
    assert texts(mended)[texts(mended).index(test.source) + 1] == "print(double(3))"
    assert notes == ["moved back to their places: test_double, test_double_more"]


def test_of_two_copies_the_untouched_one_never_counts(
    pair: Pair, submission: NotebookNode, master: NotebookNode
) -> None:
    stub = copy.deepcopy(cell(pair[0], "double"))
    stub["id"] = "copy"
    submission.cells.insert(submission.cells.index(cell(submission, "double")) + 1, stub)
    mended, notes = repair(submission, master)
    assert cell(mended, "double").source == RIGHT
    assert stub.source not in texts(mended), "it would undo the answer above it"
    assert notes == ["cell 'double' is there more than once: the last one that was changed counts"]


def test_an_earlier_copy_still_runs_as_it_may_define_a_helper(submission: NotebookNode, master: NotebookNode) -> None:
    place = submission.cells.index(cell(submission, "double"))
    helper = copy.deepcopy(submission.cells[place])
    helper.source = "def twice(x):\n    return x + x"
    helper["id"] = "helper"
    submission.cells.insert(place, helper)
    mended, notes = repair(submission, master)
    assert texts(mended)[place] == helper.source
    assert mended.cells[place].metadata == {}
    assert cell(mended, "double").source == RIGHT
    assert notes == ["cell 'double' is there more than once: the last one counts"]


def test_a_copied_test_goes_and_an_edited_copy_is_the_learners_own(
    submission: NotebookNode, master: NotebookNode
) -> None:
    place = submission.cells.index(cell(submission, "test_double"))
    for number, text in enumerate([submission.cells[place].source, "assert double(3) == 6"]):
        again = copy.deepcopy(submission.cells[place])
        again.source, again["id"] = text, f"copy-{number}"
        submission.cells.insert(place, again)
    mended, _ = repair(submission, master)
    assert texts(mended).count(cell(master, "test_double").source) == 1
    assert texts(mended).count("assert double(3) == 6") == 1
    assert names(mended).count("test_double") == 1


def test_exchanged_names_go_back_by_what_the_cells_say(submission: NotebookNode, master: NotebookNode) -> None:
    one, other = cell(submission, "test_double"), cell(submission, "test_count")
    wanted = texts(submission)
    one.metadata.nbgrader.grade_id, other.metadata.nbgrader.grade_id = "test_count", "test_double"
    mended, notes = repair(submission, master)
    assert names(mended) == names(master)
    assert [t for t in texts(mended) if "hidden" not in t.lower()] == [t for t in wanted if t in texts(mended)]
    assert len(notes) == 1
    assert notes[0].startswith("names were lost and found again: test_double (called test_count) by its ")


def test_a_name_of_many_lines_is_told_in_one(submission: NotebookNode, master: NotebookNode) -> None:
    cell(submission, "test_count").metadata.nbgrader.grade_id = "a\r\n" + 100 * "b"
    submission.cells.append(tiny_lab.code("1", grade_id="c\n" + 100 * "d"))
    _, notes = repair(submission, master)
    assert notes == [
        f"cell 'c?{35 * 'd'}...' is not a cell of this lab: it is run, but not graded",
        f"names were lost and found again: test_count (called a??{34 * 'b'}...) by its id",
    ]


def test_a_name_given_twice_by_mistake(submission: NotebookNode, master: NotebookNode) -> None:
    """The second answer carries the first one's name: both keep their work."""
    second = cell(submission, "count")
    second.source = "# Task 1.2: count the even numbers\ndef count_even(numbers):\n    return 0"
    second.metadata.nbgrader.grade_id = "double"
    mended, notes = repair(submission, master)
    assert cell(mended, "double").source == RIGHT
    assert cell(mended, "count").source == second.source
    assert notes == ["names were lost and found again: count (called double) by its id"]


def test_deleted_imports_come_back_when_a_test_needs_them(submission: NotebookNode, master: NotebookNode) -> None:
    gone = [c for c in submission.cells if c.source.startswith(("from itertools", "print('a demo"))]
    submission.cells = [c for c in submission.cells if c not in gone]
    mended, notes = repair(submission, master)
    assert texts(mended)[:2] == ["# A tiny lab", gone[0].source]
    assert gone[1].source not in texts(mended)
    assert notes == [
        "missing and put back: the cell that begins with 'from itertools import count as endless'",
    ]


def test_imports_that_a_learner_wrote_anew_are_enough(submission: NotebookNode, master: NotebookNode) -> None:
    (gone,) = [c for c in submission.cells if c.source.startswith("from itertools")]
    submission.cells.remove(gone)
    submission.cells.append(v4.new_code_cell("import math\nfrom math import *\nprod = math.prod", id="mine"))
    mended, notes = repair(submission, master)
    assert gone.source not in texts(mended)
    assert notes == []


def test_no_cells_at_all(submission: NotebookNode, master: NotebookNode) -> None:
    submission.cells = []
    mended, notes = repair(submission, master)
    assert names(mended) == ["setup", "test_double", "test_double_more", "test_count", "essay"]
    assert notes == [
        "missing and put back: the cell that begins with 'from itertools import count as endless', setup, test_double, "
        "test_double_more, test_count, essay",
        "missing answers: double, count",
    ]


@pytest.mark.parametrize(
    ("damage", "note"),
    [
        (lambda c: c.metadata.nbgrader.update(points=200), "the marking of cell 'test_double' was changed (points)"),
        (
            lambda c: c.metadata.nbgrader.update(solution=True, locked=False),
            "the marking of cell 'test_double' was changed (solution, locked)",
        ),
        (lambda c: c.metadata.nbgrader.update(schema_version=1), "(schema_version): the lab's own was used"),
        (lambda c: c.metadata.update(tags=["skip-execution"]), "cell 'test_double' was marked to be skipped"),
        (lambda c: c.update(cell_type="raw"), "cell 'test_double' was a raw cell: it is a code cell again"),
        (lambda c: c.update(source="pass"), "cell 'test_double' was edited: the lab's own text was used"),
    ],
)
def test_forged_marks_are_undone_and_told(
    damage: Callable[[NotebookNode], object], note: str, submission: NotebookNode, master: NotebookNode
) -> None:
    damage(cell(submission, "test_double"))
    mended, notes = repair(submission, master)
    made = cell(mended, "test_double")
    assert (made.cell_type, made.metadata) == ("code", cell(master, "test_double").metadata)
    assert len(notes) == 1
    assert note in notes[0]


def colab(notebook: NotebookNode) -> None:
    notebook.nbformat_minor = 0
    notebook.metadata = {"colab": {"provenance": []}, "accelerator": "GPU", "widgets": {"x": {"state": {}}}}
    for number, each in enumerate(notebook.cells):
        each.metadata = {**each.metadata, "id": f"pWg{number}", "colab": {"base_uri": "https://localhost:8080/"}}
        for key in ("deletable", "editable"):
            each.metadata.pop(key, None)
        del each["id"]


def vs_code(notebook: NotebookNode) -> None:
    notebook.nbformat_minor = 2
    notebook.metadata = {"kernelspec": {"name": "my-venv-kernel", "display_name": "my venv", "language": "python"}}
    for each in notebook.cells:
        each.metadata["vscode"] = {"languageId": "python"}
        del each["id"]


@pytest.mark.parametrize("editor", [colab, vs_code])
def test_what_other_editors_save_is_as_good(
    editor: Callable[[NotebookNode], None], submission: NotebookNode, master: NotebookNode
) -> None:
    wanted = texts(submission)
    editor(submission)
    read, told = notebooks.parse_with_notes(json.dumps(submission).encode("utf-8"))
    mended, notes = repair(read, master)
    assert (texts(mended), told, notes) == (wanted, [], [])
    nbformat.validate(mended)


def test_repairing_twice_changes_nothing(submission: NotebookNode, master: NotebookNode) -> None:
    without_names(submission)
    submission.cells.reverse()
    once, _ = repair(submission, master)
    twice, notes = repair(once, master)
    assert twice == once
    assert notes == []


def test_the_submission_itself_is_left_alone(submission: NotebookNode, master: NotebookNode) -> None:
    del cell(submission, "test_double").metadata["nbgrader"]
    before = copy.deepcopy((submission, master))
    repair(submission, master)
    assert (submission, master) == before
