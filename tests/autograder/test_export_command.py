"""`autograder export` by its command line: our CSV of a class, files of Canvas and Moodle, wrong use."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from download_files import data, zipped
from tiny_lab import LAB

from autograder import cli, gradebook, report
from autograder.course import Course, quiet
from autograder.export.marks import marks

Capture = pytest.CaptureFixture[str]


@pytest.mark.xdist_group("graded class")
def test_our_csv_of_a_class(graded: Course, tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "marks.csv"
    roster = tmp_path / "students.csv"
    roster.write_text('id,first_name,last_name,email\nann,Ann,"Smith, Jr",a@x\nzed,Zed,"=cmd",\n', encoding="utf-8")
    arguments = ["export", "csv", LAB, "--to", str(target), "--roster", str(roster), "--course", str(graded.root)]
    assert cli.main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"wrote": str(target), "rows": 11}
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(target.read_text(encoding="utf-8")))}
    with quiet():
        entered = gradebook.marks(graded, LAB)
    for student, mark in entered.items():
        assert float(rows[student][f"{LAB}: points"]) == mark.points
    assert rows["ann"]["last_name"] == "Smith, Jr"
    assert rows["ann"][f"{LAB}: Task 1.1: double a number (3)"] == "3"
    assert rows["ann"][f"{LAB}: state"] == "waits for a human"
    assert rows["hal"][f"{LAB}: state"] == "unreadable"
    assert (rows["zed"][f"{LAB}: points"], rows["zed"][f"{LAB}: state"]) == ("", "missing")
    assert rows["zed"]["last_name"] == "'=cmd"
    assert cli.main([*arguments, "--excel"]) == 0
    assert target.read_bytes().startswith(b"\xef\xbb\xbf")


@pytest.mark.xdist_group("graded class")
def test_canvas_and_moodle_by_command(graded: Course, tmp_path: Path, capsys: Capture) -> None:
    points = {mark.student: mark.points for mark in marks(graded, LAB)}
    book = tmp_path / "Grades.csv"
    lines = [f"{name},{n},{name},A," for n, name in enumerate(points)]
    book.write_text("\n".join(["Student,ID,SIS Login ID,Section,Tiny (9)", *lines, ""]), encoding="utf-8")
    arguments = ["--file", str(book), "--course", str(graded.root), "--provisional"]
    assert cli.main(["export", "canvas", LAB, *arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    written = csv.DictReader(io.StringIO((tmp_path / "Grades_filled.csv").read_text(encoding="utf-8")))
    assert {row["Student"]: float(row["Tiny (9)"]) for row in written} == points
    assert told["students"]["cat"] == report.number(points["cat"])
    assert cli.main(["export", "canvas", LAB, "--file", str(book), "--course", str(graded.root)]) == 1
    assert "  ann waits for a human" in capsys.readouterr().out

    sheet = tmp_path / "worksheet.csv"
    lines = [f"Participant {n},{name},,x" for n, name in enumerate(points)]
    sheet.write_text("\n".join(["Identifier,Full name,Grade,y", *lines, ""]), encoding="utf-8")
    assert cli.main(["export", "moodle", LAB, "--file", str(sheet), *arguments[2:]]) == 0
    written = csv.DictReader(io.StringIO((tmp_path / "worksheet_filled.csv").read_text(encoding="utf-8")))
    assert {row["Full name"]: float(row["Grade"]) for row in written} == points


def test_who_is_not_graded_has_no_points(course: Course, tmp_path: Path, capsys: Capture) -> None:
    folder = course.submitted("ada", LAB)
    folder.mkdir(parents=True)
    (folder / f"{LAB}.ipynb").write_bytes(data())
    target = tmp_path / "marks.csv"
    assert cli.main(["export", "csv", LAB, "--to", str(target), "--course", str(course.root)]) == 0
    (row,) = csv.DictReader(io.StringIO(target.read_text(encoding="utf-8")))
    assert (row[f"{LAB}: points"], row[f"{LAB}: state"]) == ("", "not graded")
    book = tmp_path / "Grades.csv"
    book.write_text("Student,ID,Section,Tiny (9)\nada,1,A,5\n", encoding="utf-8")
    arguments = ["export", "canvas", LAB, "--file", str(book), "--course", str(course.root), "--provisional"]
    assert cli.main(arguments) == 1
    assert (tmp_path / "Grades_filled.csv").read_bytes() == book.read_bytes()
    assert "  ada has no mark: not graded yet: run `autograder grade 01_tiny`" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["canvas", LAB], "Give the file to be filled in with --file FILE"),
        (["moodle", LAB, "--file", "nowhere.csv"], "no such file: nowhere.csv"),
        (["canvas", LAB, LAB], "takes one lab at a time"),
        (["csv", "99_x"], "no lab '99_x'"),
        (["csv", LAB, "--to", "nowhere/at/all.csv"], "cannot write"),
    ],
)
def test_wrong_use(course: Course, arguments: list[str], reason: str, capsys: Capture) -> None:
    assert cli.main(["export", *arguments, "--course", str(course.root)]) == 2
    assert reason in capsys.readouterr().err


def test_the_lmss_own_file_is_never_overwritten(course: Course, tmp_path: Path, capsys: Capture) -> None:
    book = zipped(tmp_path / "Grades.csv", {"x": b""})
    arguments = ["export", "canvas", LAB, "--file", str(book), "--to", str(book), "--course", str(course.root)]
    assert cli.main(arguments) == 2
    assert "would be overwritten" in capsys.readouterr().err
