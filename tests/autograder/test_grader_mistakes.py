"""What a class is told about its mistakes, and a student about the host's waits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tiny_lab
from tiny_lab import LAB

from autograder import mistakes, pictures
from autograder.course import Course
from autograder.feedback import waits_by_line
from autograder.results import CellResult, Result

TRACE: dict[str, Any] = {
    "device": "sim",
    "counts": {"waits": 3, "copies": 1, "launches": 2},
    "host_us": 40.0,
    "elapsed_us": 50.0,
    "waits": [
        {"kind": "value read", "op": "item", "us": 11.0, "place": {"cell": "a", "line": 4, "source": "x.item()"}},
        {"kind": "value read", "op": "item", "us": 11.0, "place": {"cell": "a", "line": 4, "source": "x.item()"}},
        {"kind": "copy", "op": "copy", "us": 9.0, "place": None},
    ],
    "bars": [("host waits", "item", 0.0, 11.0), ("sim:0 stream 0", "add <b>", 5.0, 50.0)],
}


def test_a_wrong_answer_of_the_bank_is_recognised(tmp_path: Path) -> None:
    course = tiny_lab.make_course(tmp_path)
    folder = tmp_path / "tests" / "answers" / LAB / "double"
    folder.mkdir(parents=True)
    (folder / "wrong_square.py").write_text("# reason: squares\ndef double(x):\n    y = x * x\n    return y\n")
    (folder / "right_sum.py").write_text("def double(x):\n    return x + x\n")
    bank = mistakes.Bank.of(course, LAB)
    assert bank.reason("double", 'def double(x):\n    """Twice."""\n    y = x * x  # twice\n    return y') == "squares"
    assert bank.reason("double", "def double(x):\n    return sum([x for _ in range(2)])") == ""
    assert bank.reason("count", "def double(x):\n    y = x * x\n    return y") == ""
    assert bank.reason("double", "def double(x:\n 'no python") == ""
    assert mistakes.Bank.of(Course(tmp_path / "elsewhere"), LAB).reason("double", "x") == ""


def failing(student: str, message: str, **more: Any) -> Result:
    cell = CellResult("test", "2.1", "test", 0.0, 1.0, "error", message, **more)
    return Result(student, LAB, cells=[cell])


def test_mistakes_of_several_students_are_counted_without_their_numbers_and_places() -> None:
    told = "expected exactly {} waits, got {}:\n  cell double, line 4: x.item()"
    found = mistakes.commonest(
        [
            failing("ann", told.format(3, 12), traces=[TRACE]),
            failing("bob", told.format(0, 1)),
            failing("cat", "alone"),
            failing("dan", told.format(2, 5), traces=[TRACE]),
        ]
    )
    assert [(m.what, m.students) for m in found] == [
        ("expected exactly N waits, got N", ("ann", "bob", "dan")),
        ("the host waits: value read (item)", ("ann", "dan")),
    ]


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        ("3 of 4 values differ", "N of N values differ"),
        ("t05_1 is 1.5e-3, not -2", "t05_1 is N, not N"),
        ("x" * 200, "x" * 80 + " ..."),
        ("", ""),
    ],
)
def test_plain(message: str, plain: str) -> None:
    assert mistakes.plain(message) == plain


def test_the_timeline_is_told_in_words_and_escapes_what_it_shows() -> None:
    svg = pictures.timeline(TRACE)
    assert 'aria-label="50 virtual microseconds; lanes: host waits, sim:0 stream 0; the host waited 1 times"' in svg
    assert "add &lt;b&gt;: 5.0 to 50.0 us" in svg
    assert "<b>" not in svg
    assert pictures.timeline({**TRACE, "bars": []}) == ""


def test_waits_are_told_by_line() -> None:
    assert [(wait["place"]["line"], times) for wait, times in waits_by_line(TRACE)] == [(4, 2)]


def test_histogram_counts_everybody_once() -> None:
    counts = pictures.histogram([0, 2.4, 24, 23.9, 12, -1], 24)
    assert sum(count for _, count in counts) == 6
    assert counts[0] == ("0 to 2.4", 2)
    assert counts[9] == ("21.6 to 24", 2)
    assert sum(count for _, count in pictures.histogram([0.0], 0)) == 1
