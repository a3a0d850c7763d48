"""Hostile and broken files: each is a line of the report, nothing leaves its place, nothing earlier is lost."""

from __future__ import annotations

import json
import os
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from download_files import NOON, answered, data, entry, one, put, states, submitted, tree, zipped
from nbformat import v4
from tiny_lab import LAB, code, make_course, write

from autograder import notebooks, sheets
from autograder.course import Course, UsageError
from autograder.intake import choose, files, intake


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return make_course(tmp_path / "course")


@pytest.mark.parametrize(
    "name",
    ["../../evil/01_tiny.ipynb", "/etc/evil/01_tiny.ipynb", "ada/../../01_tiny.ipynb", "C:/ada/01_tiny.ipynb",
     "..\\..\\ada\\01_tiny.ipynb", "C:\\ada\\01_tiny.ipynb"],
)  # fmt: skip
def test_paths_that_climb_out(course: Course, tmp_path: Path, name: str) -> None:
    before = set(tmp_path.rglob("*"))
    source = zipped(tmp_path / "x.zip", {name: data(), "ok/01_tiny.ipynb": data()})
    report = intake(course, source, LAB)
    assert one(report) == "its path climbs out of the archive"
    assert states(report) == {"ok": "new"}
    outside = {p for p in set(tmp_path.rglob("*")) - before if course.root not in p.parents and p != course.root}
    assert outside == {source}


def test_symbolic_links_in_a_zip(course: Course, tmp_path: Path) -> None:
    link = entry("ada/01_tiny.ipynb")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    report = intake(course, tmp_path / "x.zip", LAB)
    assert one(report) == "it is a symbolic link: links are not followed"
    assert tree(course) == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_links_and_pipes_in_a_folder(course: Course, tmp_path: Path) -> None:
    secret = put(tmp_path / "secret" / "01_tiny.ipynb", data())
    folder = tmp_path / "all"
    for name in ("ada", "bob"):
        (folder / name).mkdir(parents=True)
    (folder / "ada" / "01_tiny.ipynb").symlink_to(secret)
    os.mkfifo(folder / "bob" / "01_tiny.ipynb")
    (folder / "cat").symlink_to(secret.parent)
    report = intake(course, folder, LAB)
    assert states(report) == {}
    link = "it is a symbolic link: links are not followed"
    assert dict(report.problems) == {
        "ada/01_tiny.ipynb": link,
        "bob/01_tiny.ipynb": "it is not a plain file",
        "cat": link,
    }


def test_a_link_in_the_students_place_is_replaced_not_followed(course: Course, tmp_path: Path) -> None:
    outside = put(tmp_path / "outside.txt", b"precious")
    place = course.submitted("ada", LAB)
    place.mkdir(parents=True)
    for name in (f"{LAB}.ipynb", "receipt.json", "timestamp.txt"):
        (place / name).symlink_to(outside)
    intake(course, put(tmp_path / "a.ipynb", data()), LAB, student="ada")
    assert outside.read_bytes() == b"precious"
    assert submitted(course, "ada") == data()
    assert not (place / "receipt.json").is_symlink()


def test_a_bomb_is_not_unpacked(course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1_000_000)
    bomb = zipped(tmp_path / "x.zip", {"ada/01_tiny.ipynb": b" " * 5_000_000, "bob/01_tiny.ipynb": data()})
    assert bomb.stat().st_size < 50_000
    report = intake(course, bomb, LAB)
    assert one(report) == "it is larger than 1 MB when it is unpacked"
    assert states(report) == {"bob": "new"}


def test_a_size_that_lies_is_not_believed(course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1_000_000)
    path = zipped(tmp_path / "x.zip", {"ada/01_tiny.ipynb": b" " * 5_000_000})
    raw = path.read_bytes().replace((5_000_000).to_bytes(4, "little"), (500).to_bytes(4, "little"))
    path.write_bytes(raw)
    report = intake(course, path, LAB)
    assert states(report) == {} or report.students[0].unreadable
    assert report.attention


def test_archives_in_archives(course: Course, tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", {"work/01_tiny.ipynb": data(), "a.csv": b"1"}).read_bytes()
    deep = zipped(tmp_path / "deep.zip", {"inner.zip": inner}).read_bytes()
    report = intake(
        course, zipped(tmp_path / "x.zip", {"ada/lab.zip": inner, "bob/lab.zip": deep, "cat/c.zip": b"PK"}), LAB
    )
    assert states(report) == {"ada": "new"}
    assert report.left_out == ["ada/lab.zip/a.csv"]
    reasons = dict(report.problems)
    assert reasons["bob/lab.zip/inner.zip"] == "it is an archive within an archive within an archive"
    assert reasons["cat/c.zip"].startswith("the archive cannot be opened")


def test_a_damaged_or_protected_archive(course: Course, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is damaged, it is not a zip file"):
        intake(course, put(tmp_path / "x.zip", b"PK\x03\x04 broken"), LAB)
    path = zipped(tmp_path / "y.zip", {"ada/01_tiny.ipynb": data()})
    raw = bytearray(path.read_bytes())
    raw[120:160] = b"\0" * 40  # inside the compressed bytes
    path.write_bytes(raw)
    assert one(intake(course, path, LAB)).startswith("it cannot be unpacked")
    raw = bytearray(zipped(tmp_path / "z.zip", {"ada/01_tiny.ipynb": data()}).read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(mark) + offset] |= 1
    (tmp_path / "z.zip").write_bytes(raw)
    assert one(intake(course, tmp_path / "z.zip", LAB)) == "it is protected by a password"


def test_too_many_entries(course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_ENTRIES", 3)
    with pytest.raises(UsageError, match="has 4 entries: more than 3 are not read"):
        intake(course, zipped(tmp_path / "x.zip", {f"{n}/a.ipynb": b"" for n in range(4)}), LAB)


def test_what_systems_leave_behind_is_nobodys(course: Course, tmp_path: Path) -> None:
    names = {"ada/01_tiny.ipynb": data(), "__MACOSX/ada/._01_tiny.ipynb": b"\0\5", "ada/.DS_Store": b"x",
             "ada/.ipynb_checkpoints/01_tiny-checkpoint.ipynb": data("return 0"), "ada/Thumbs.db": b"x"}  # fmt: skip
    report = intake(course, zipped(tmp_path / "x.zip", names), LAB)
    assert (states(report), report.problems, report.left_out) == ({"ada": "new"}, [], [])


def test_utf8_names_without_the_mark_for_it(course: Course, tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", {"Zoë/01_tiny.ipynb": data()})
    raw = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        raw[raw.index(mark) + offset] &= 0xF7
    path.write_bytes(raw)
    assert states(intake(course, path, LAB)) == {"Zoë": "new"}


@pytest.mark.parametrize(
    "name", ["con/01_tiny.ipynb", "aux.x/01_tiny.ipynb", "a:b*c?/01_tiny.ipynb", ". ./01_tiny.ipynb"]
)
def test_names_that_windows_cannot_have(course: Course, tmp_path: Path, name: str) -> None:
    report = intake(course, zipped(tmp_path / "x.zip", {f"x/{name}": data(), "x/bob/01_tiny.ipynb": data()}), LAB)
    for student in states(report):
        assert not set(student) & set('<>:"/\\|?*')
        assert student.partition(".")[0].lower() not in ("con", "aux")


def test_ada_and_ADA_are_one_folder(course: Course, tmp_path: Path) -> None:
    intake(course, zipped(tmp_path / "x.zip", {"Ada/01_tiny.ipynb": data()}), LAB)
    report = intake(
        course, zipped(tmp_path / "y.zip", {"ADA/01_tiny.ipynb": data("return x + x")}, NOON + timedelta(1)), LAB
    )
    assert states(report) == {"Ada": "replaced an earlier one"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"\n \n", "the file is empty"),
        ("{'é'".encode("latin-1"), "the file is not UTF-8 text: byte 2 cannot be read"),
        (data()[:700], "the file is damaged, it is not valid JSON"),
        (b"\x89PNG\r\n\x1a\n", "the file is not UTF-8 text: byte 0 cannot be read"),
        (b"[1]", "the file is not a notebook"),
        (b"[" * 100_000, "the file is damaged, it is nested too deeply"),
        (b"<html>Sign in</html>", "not valid JSON"),
    ],
)
def test_what_cannot_be_read_is_taken_in_and_told(course: Course, tmp_path: Path, content: bytes, reason: str) -> None:
    source = zipped(tmp_path / "x.zip", {"ada/01_tiny.ipynb": content, "bob/01_tiny.ipynb": data()})
    report = intake(course, source, LAB)
    assert states(report) == {"ada": "new", "bob": "new"}
    assert report.students[0].unreadable.startswith(reason) or reason in report.students[0].unreadable
    assert report.attention
    assert submitted(course, "ada") == content, "grading will say the same of it"


def test_a_byte_order_mark_and_utf16_are_no_fault(course: Course, tmp_path: Path) -> None:
    names = {"ada/01_tiny.ipynb": b"\xef\xbb\xbf" + data(), "bob/01_tiny.ipynb": data().decode().encode("utf-16")}
    report = intake(course, zipped(tmp_path / "x.zip", names), LAB)
    assert [t.unreadable for t in report.students] == ["", ""]


def test_outputs_of_100_mb_are_left_out(course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "MOST_OUTPUT", 1_000_000)
    notebook = answered()
    notebook.cells[1].outputs = [v4.new_output("stream", text="x" * 3_000_000)]
    report = intake(course, put(tmp_path / "a.ipynb", notebooks.dumps(notebook).encode()), LAB, student="ada")
    assert report.students[0].notes[1] == "3 MB of outputs were left out: they are made anew when it is graded"
    assert len(submitted(course, "ada")) < 10_000
    kept = notebooks.parse(submitted(course, "ada"))
    assert [c.source for c in kept.cells] == [c.source for c in notebook.cells]
    again = intake(course, tmp_path / "a.ipynb", LAB, student="ada")
    assert states(again) == {"ada": "unchanged"}


def test_a_notebook_without_metadata(course: Course, tmp_path: Path) -> None:
    notebook = answered()
    notebook.metadata = {}
    for number, each in enumerate(notebook.cells):
        each.metadata, each["id"] = {}, f"x{number}"
    report = intake(course, put(tmp_path / "a.ipynb", notebooks.dumps(notebook).encode()), LAB, student="ada")
    (taken,) = report.students
    assert taken.state == "new"
    assert taken.mended[0].startswith("names were lost and found again: setup by its text")


def test_a_notebook_of_nothing_and_one_of_another_lab(course: Course, tmp_path: Path) -> None:
    other = v4.new_notebook(cells=[code("x = 1", grade_id="other_answer", solution=True)])
    write(course.source("02_other") / "02_other.ipynb", notebooks.canonical(other))
    strange = json.dumps({"cells": [], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}).encode()
    names = {"ada/02_other.ipynb": notebooks.dumps(other).encode(), "bob/01_tiny.ipynb": strange}
    report = intake(course, zipped(tmp_path / "x.zip", names), LAB)
    assert report.problems == [("ada/02_other.ipynb", "it is a notebook of 02_other: take it in for that lab")]
    assert report.students[0].notes == ["none of its cells is one of this lab"]
    assert report.students[0].mended[1] == "missing answers: double, count"


def test_what_was_no_cell_is_told_to_both(course: Course, tmp_path: Path, empty_gradebook: Path) -> None:
    put(course.root / "gradebook.db", empty_gradebook.read_bytes())
    text = json.loads(data())
    text["cells"].insert(2, "not a cell")
    report = intake(course, put(tmp_path / "my lab.ipynb", json.dumps(text).encode()), LAB, student="ada")
    notes = ["the notebook was called 'my lab.ipynb'", "entry 3 of the notebook is no cell: left out"]
    assert report.students[0].notes == notes
    (sheet,) = sheets.sheets(course, LAB)  # of it both the class report and the student's page are made
    assert sheet.result.notes == notes
