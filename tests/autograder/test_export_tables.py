"""Marks into files of Canvas and Moodle: only the cells of grades change, and nobody gets another's mark."""

from __future__ import annotations

import contextlib
import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tiny_lab import LAB

from autograder.course import UsageError
from autograder.export import sheet
from autograder.export.canvas import canvas
from autograder.export.marks import Mark
from autograder.export.moodle import comment, moodle
from autograder.export.people import Filled
from autograder.export.table import Table
from autograder.intake.roster import Roster, Student

MARKS = [
    Mark("ada", 7.5, 8, lms={"canvas": "101", "moodle": "5511"}),
    Mark("zoe", 3, 8),
    Mark("bob", 0, 8, state="unreadable"),
    Mark("cat", 5, 8, held="waits for a human"),
    Mark("dan", 0, 8, held="has no mark: no space left", state="failed"),
    Mark("eve", 8, 8),
    Mark("fay", 2, 8),
]
PEOPLE = [
    Student("zoe", "Zoë", "Müller, Dr.", "zoe@uni.example", "zm99"),
    Student("bob", "Bob", "O'Neil"),
    Student("cat", "Cat", "Stevens"),
    Student("dan", "Dan", "Brown"),
    Student("eve", "Eve", "=HYPERLINK(1)", lms_id="105"),
]
CANVAS = (
    '\ufeff"Student",ID,SIS User ID,SIS Login ID,Section,Tiny (7001),Other lab (7002),Final Score\r\n'
    "    Points Possible,,,,,8,10,(read only)\r\n"
    '"Lovelace, Ada",101,s1,al15,A,,9.0,91.5\r\n'
    '"Müller, Dr., Zoë",102,s2,zm99,A,"3.00",,12\r\n'
    '"O\'Neil, Bob",103,s3,,A,5,,\r\n'
    '"Stevens, Cat",104,s4,,B,,,\r\n'
    '"=HYPERLINK(1), Eve",105,s5,,B,EX,,\r\n'
    '"Nobody, Ned ""N""",106,s6,,B,1,,\r\n'
    "\r\n"
    "    Student, Test,107,,,B,,,"
)
MOODLE = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (grade),"
    "Feedback comments\n"
    'Participant 5511,Ada Lovelace,ada@x.example,Submitted for grading,,8.00,Yes,"Sunday, 29 November 2026, 1:00 PM",\n'
    "Participant 5512,Zoë Müller Dr.,ZOE@uni.example,No submission,3.00,8.00,Yes,-,good start\n"
    "Participant 5513,Bob O'Neil,,Submitted,5.00,8.00,No,-,\n"
    "Participant 5514,Ned Nobody,,Submitted,,8.00,Yes,-,\n"
)


def everybody(lms: str = "canvas") -> Roster:
    known = [Student("ada", lms_id="101" if lms == "canvas" else "participant 5511")]
    names = [Student(mark.student, name=mark.student) for mark in MARKS]
    return Roster([*PEOPLE, *known, *names], closed=True, where="the class")


def on_canvas(text: str = CANVAS, **options: object) -> Filled:
    return canvas(text.encode("utf-8"), LAB, MARKS, everybody(), **options)  # type: ignore[arg-type]


def on_moodle(text: str = MOODLE, **options: object) -> Filled:
    return moodle(text.encode("utf-8"), MARKS, everybody("moodle"), **options)  # type: ignore[arg-type]


def test_canvas_only_its_cells_change() -> None:
    filled = on_canvas()
    wanted = CANVAS.replace("al15,A,,9.0", "al15,A,7.5,9.0").replace("103,s3,,A,5", "103,s3,,A,0")
    assert filled.table.bytes().decode("utf-8") == wanted
    assert filled.students == {"ada": "7.5", "zoe": "3.00", "bob": "0"}
    assert filled.unchanged == ["zoe"]
    assert filled.held == ["cat waits for a human", "dan has no mark: no space left"]
    assert filled.kept == ["eve: is excused in Canvas"]
    assert filled.unmatched == ["fay"]
    assert filled.unclear == []
    assert filled.attention


def test_canvas_without_the_other_assignments() -> None:
    text = on_canvas(only=True, provisional=True).table.bytes().decode("utf-8")
    assert text == (
        '\ufeff"Student",ID,SIS User ID,SIS Login ID,Section,Tiny (7001)\r\n'
        "    Points Possible,,,,,8\r\n"
        '"Lovelace, Ada",101,s1,al15,A,7.5\r\n'
        '"Müller, Dr., Zoë",102,s2,zm99,A,"3.00"\r\n'
        '"O\'Neil, Bob",103,s3,,A,0\r\n'
        '"Stevens, Cat",104,s4,,B,5\r\n'
    )


@pytest.mark.parametrize("column", ["Tiny (7001)", "7001", "Tiny"])
def test_canvas_the_column_by_name_or_number(column: str) -> None:
    assert on_canvas(column=column).column == "Tiny (7001)"


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ("Final Score", "0 columns are 'Final Score'"),
        ("7003", r"Assignments in the file: 'Tiny \(7001\)', 'Other lab \(7002\)'"),
    ],
)
def test_canvas_a_column_that_is_not_there(column: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        on_canvas(column=column)


def test_canvas_a_title_that_canvas_ignores_is_no_column() -> None:
    with pytest.raises(UsageError, match="0 columns are the lab 01_tiny"):
        on_canvas(CANVAS.replace("Tiny (7001)", "Tiny Final Score (7001)"))


def test_canvas_another_worth_is_asked_about() -> None:
    other = CANVAS.replace(",,,,,8,10", ",,,,,100,10")
    with pytest.raises(UsageError, match="worth 8 points here and 100 in Canvas"):
        on_canvas(other)
    assert on_canvas(other, scale=True).students == {"ada": "93.75", "zoe": "37.5", "bob": "0"}
    assert on_canvas(CANVAS.replace(",,,,,8,10", ",,,,,,10")).students["ada"] == "7.5"
    with pytest.raises(UsageError, match="is read only"):
        on_canvas(CANVAS.replace(",,,,,8,10", ",,,,,(read only),10"))


def test_canvas_with_semicolons() -> None:
    rows = list(csv.reader(io.StringIO(CANVAS.removeprefix("\ufeff"))))
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows(rows)
    assert on_canvas(out.getvalue()).students == {"ada": "7.5", "zoe": "3.00", "bob": "0"}


def test_one_student_in_two_rows_gets_nothing_filled_in() -> None:
    filled = on_canvas(CANVAS.replace("106,s6", "101,s6"))
    assert set(filled.students) == {"zoe", "bob"}
    assert filled.unclear == ["ada may be 'Lovelace, Ada' or 'Nobody, Ned \"N\"'"]
    assert filled.unmatched == ["ada", "fay"]


def test_a_row_that_fits_two_students_is_nobodys() -> None:
    twins = Roster([Student("a1", "Ann", "Lee"), Student("a2", "Ann", "Lee")], closed=True, where="the class")
    text = 'Student,ID,Section,Tiny (1)\n"Lee, Ann",9,A,\n'
    filled = canvas(text.encode(), LAB, [Mark("a1", 1, 8), Mark("a2", 2, 8)], twins)
    assert filled.students == {}
    assert filled.unclear == ["'Lee, Ann' may be a1 or a2"]
    assert filled.unmatched == ["a1", "a2"]
    assert filled.table.bytes() == text.encode()


@pytest.mark.parametrize("text", ["", "a,b,c\n", "Identifier,Full name,Grade\n", "\n\n"])
def test_what_is_no_gradebook(text: str) -> None:
    with pytest.raises(UsageError, match="not a gradebook exported from Canvas"):
        on_canvas(text)


def test_a_file_that_is_not_utf8() -> None:
    with pytest.raises(UsageError, match="not UTF-8: byte 3"):
        canvas(b"abc\xff", LAB, MARKS, everybody())


def test_moodle_only_grades_change() -> None:
    filled = on_moodle()
    assert filled.table.bytes().decode("utf-8") == MOODLE.replace("for grading,,8.00", "for grading,7.5,8.00")
    assert filled.students == {"ada": "7.5", "zoe": "3.00"}
    assert filled.kept == ["bob: the grade is locked in Moodle"]
    assert filled.unmatched == ["eve", "fay"]


def test_moodle_comments_go_where_none_stands() -> None:
    marks = [Mark("ada", 3, 8, exercises={"Task 1.1": 1, "Task 1.2: count": 2}), Mark("zoe", 1, 8)]
    filled = moodle(MOODLE.encode(), marks, everybody("moodle"), comments=True)
    (ada,) = [row for row in filled.table.rows if row[0] == "Participant 5511"]
    assert ada[-1] == comment(marks[0]) == "3 of 8 points. Task 1.1: 1; Task 1.2: count: 2"
    assert ",good start\n" in filled.table.bytes().decode()
    without = "\n".join(line.rpartition(",")[0] for line in MOODLE.splitlines())
    assert moodle(without.encode(), marks, everybody("moodle"), comments=True).notes


def test_moodle_in_another_language_with_commas() -> None:
    text = MOODLE.replace("8.00", '"8,00"').replace("3.00", '"3,00"').replace("5.00", '"5,00"')
    text = text.replace(",Grade,", ",Bewertung,").replace("Participant", "Teilnehmer/in")
    with pytest.raises(UsageError, match="no column is called 'Grade': give --column"):
        on_moodle(text)
    filled = on_moodle(text, column="Bewertung")
    assert filled.students == {"ada": "7,5", "zoe": "3,00"}
    assert ',"7,5","8,00",' in filled.table.bytes().decode() or ",7,5," not in filled.table.bytes().decode()


def test_moodle_without_names() -> None:
    text = "Identifier,Status,Grade,Last modified (grade)\nParticipant 77,Submitted,,-\n"
    known = Roster([Student("Participant77", name="Participant77")], closed=True, where="the class")
    filled = moodle(text.encode(), [Mark("Participant77", 4, 8)], known)
    assert filled.table.bytes().decode() == text.replace("Submitted,,", "Submitted,4,")


def test_moodles_participants_are_not_the_lms_numbers_of_the_roster() -> None:
    text = "Identifier,Full name,Grade,x\nParticipant 105,Somebody Else,,-\n"
    assert on_moodle(text).students == {}


@pytest.mark.parametrize("text", ["", "a,b\n", "Grade,b,c\n"])
def test_what_is_no_worksheet(text: str) -> None:
    with pytest.raises(UsageError):
        on_moodle(text)


busy = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # machines may be
FIELD = st.text(st.sampled_from('ab ,;"\t\r\n=é'), max_size=8)


@busy
@given(st.lists(st.lists(FIELD, min_size=1, max_size=5), max_size=6), st.sampled_from([",", ";", "\t"]), st.booleans())
@example([["", ""]], ",", False)
def test_any_table_keeps_its_bytes(rows: list[list[str]], delimiter: str, crlf: bool) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n" if crlf else "\n").writerows(rows)
    data = out.getvalue().encode("utf-8")
    table = Table.parse(data)
    assert table.bytes() == data
    if table.delimiter == delimiter:
        read = csv.reader(io.StringIO(out.getvalue(), newline=""), delimiter=delimiter)
        assert table.rows == [row or [""] for row in read]


@busy
@given(st.binary(max_size=60))
def test_any_bytes_are_a_table_or_a_reason(data: bytes) -> None:
    with contextlib.suppress(UsageError):
        assert Table.parse(data).bytes() == data


@busy
@given(st.lists(st.lists(FIELD, min_size=2, max_size=4), min_size=1, max_size=4), FIELD)
def test_setting_a_cell_changes_that_cell_alone(rows: list[list[str]], value: str) -> None:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    table = Table.parse(out.getvalue().encode("utf-8"))
    if table.delimiter != ",":
        return
    before = [list(row) for row in table.rows]
    table.set(0, 1, value)
    before[0][1] = value
    assert Table.parse(table.bytes()).rows == before or table.delimiter != Table.parse(table.bytes()).delimiter


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("=1+1", "'=1+1"), ("+1", "'+1"), ("-x", "'-x"), ("-2.5", "-2.5"), ("@a", "'@a"), ("\tx", "'\tx"), ("a=1", "a=1"),
     ("＝1", "'＝1"), ("", ""), ("12", "12")],
)  # fmt: skip
def test_formulas_are_defused(text: str, wanted: str) -> None:
    assert sheet.guarded(text) == wanted


def test_the_demo_lab_has_a_template_for_every_writer() -> None:
    folder = Path(sheet.__file__).parents[1] / "templates" / "gradescope"
    assert {path.name for path in folder.iterdir()} == {"run_autograder", "setup.sh"}
