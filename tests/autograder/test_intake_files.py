"""Hostile and broken files: each is a line of the report, nothing leaves its place, nothing earlier is lost."""

from __future__ import annotations

import io
import json
import os
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from download_files import NOON, answered, data, entry, put, submitted, tree, zipped
from nbformat import v4
from tiny_lab import LAB, code, make_course, write

from autograder import cli, notebooks, sheets
from autograder.course import Course, UsageError
from autograder.intake import Report, choose, files, intake, receipts


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return make_course(tmp_path / "course")


def states(report: Report) -> dict[str, str]:
    return {t.student: t.state for t in report.students}


def one(report: Report) -> str:
    (problem,) = report.problems
    return problem[1]


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


def test_several_notebooks_of_one_student(course: Course, tmp_path: Path) -> None:
    folder = tmp_path / "all" / "ada"
    put(folder / "01_tiny.ipynb", data("return 1"), NOON)
    put(folder / "01_tiny (1).ipynb", data("return 2"), NOON + timedelta(hours=1))
    put(folder / "scratch.ipynb", notebooks.dumps(v4.new_notebook()).encode(), NOON + timedelta(hours=2))
    put(folder / "01_tiny (2).ipynb", b"{", NOON + timedelta(hours=3))
    put(folder / "report.pdf", b"%PDF", NOON)
    report = intake(course, tmp_path / "all", LAB)
    (taken,) = report.students
    assert taken.file == "ada/01_tiny (1).ipynb"
    assert taken.notes == [
        "the notebook was called '01_tiny (1).ipynb'",
        "4 notebooks: '01_tiny (1).ipynb' counts, the others are kept beside it",
    ]
    assert report.left_out == ["ada/report.pdf"]
    assert submitted(course, "ada") == data("return 2")
    assert {p.read_bytes() for p in (course.submitted("ada", LAB) / "earlier").iterdir()} >= {data("return 1"), b"{"}
    before = tree(course)
    assert states(intake(course, tmp_path / "all", LAB)) == {"ada": "unchanged"}
    assert tree(course) == before


def test_a_later_one_replaces_and_an_earlier_one_goes_beside(course: Course, tmp_path: Path) -> None:
    texts = {name: data(f"return {n}") for n, name in enumerate(("first", "second", "third"))}
    times = {"second": NOON, "first": NOON - timedelta(hours=1), "third": NOON + timedelta(hours=1)}
    seen = []
    for name, when in times.items():
        seen.append(
            states(intake(course, put(tmp_path / f"{name}.ipynb", texts[name], when), LAB, student="ada"))["ada"]
        )
    assert seen == ["new", "kept beside a later one", "replaced an earlier one"]
    assert submitted(course, "ada") == texts["third"]
    receipt = receipts.read(course.submitted("ada", LAB))
    assert receipt is not None
    assert receipt.time == times["third"]
    kept = {
        each.received: (course.submitted("ada", LAB) / "earlier" / each.file).read_bytes() for each in receipt.earlier
    }
    assert kept == {times[name].isoformat(): texts[name] for name in ("first", "second")}
    before = tree(course)
    for name, when in times.items():  # all of it once more: nothing changes
        intake(course, put(tmp_path / f"{name}.ipynb", texts[name], when), LAB, student="ada")
    assert tree(course) == before


def test_what_cannot_be_read_never_replaces_what_can(course: Course, tmp_path: Path) -> None:
    intake(course, put(tmp_path / "a.ipynb", data()), LAB, student="ada")
    report = intake(course, put(tmp_path / "b.ipynb", b"{", NOON + timedelta(1)), LAB, student="ada")
    assert states(report) == {"ada": "kept beside a later one"}
    assert report.attention
    assert submitted(course, "ada") == data()


def test_what_was_put_there_by_hand_is_kept(course: Course, tmp_path: Path) -> None:
    put(course.submitted("ada", LAB) / f"{LAB}.ipynb", data("return 1"), NOON + timedelta(days=5))
    report = intake(course, put(tmp_path / "a.ipynb", data()), LAB, student="ada")
    assert states(report) == {"ada": "replaced an earlier one"}
    assert [p.read_bytes() for p in (course.submitted("ada", LAB) / "earlier").iterdir()] == [data("return 1")]


def test_the_same_file_by_hand_and_by_intake(course: Course, tmp_path: Path) -> None:
    put(course.submitted("ada", LAB) / f"{LAB}.ipynb", data())
    report = intake(course, put(tmp_path / "a.ipynb", data()), LAB, student="ada")
    assert states(report) == {"ada": "unchanged"}
    assert receipts.read(course.submitted("ada", LAB)) is not None
    assert not (course.submitted("ada", LAB) / "earlier").exists()


def test_a_run_that_was_stopped_can_be_repeated(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped at each of its writes in turn, both notebooks are always there, and a rerun ends as it should."""
    second = put(tmp_path / "b.ipynb", data("return 2"), NOON + timedelta(1))
    real, stops = os.replace, []
    for stop_at in range(4):
        student = f"s{stop_at}"
        intake(course, put(tmp_path / "a.ipynb", data("return 1")), LAB, student=student)
        calls = iter(range(99))

        def stopping(source: object, target: object, calls: object = calls, at: int = stop_at) -> None:
            if next(calls) == at:  # type: ignore[call-overload]
                raise KeyboardInterrupt
            real(source, target)  # type: ignore[arg-type]

        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", stopping)
            with pytest.raises(KeyboardInterrupt):
                intake(course, second, LAB, student=student)
        stops.append(student)
        there = {p.read_bytes() for p in course.submitted(student, LAB).rglob("*.ipynb")}
        assert data("return 1") in there
        intake(course, second, LAB, student=student)
        assert submitted(course, student) == data("return 2")
        there = {p.read_bytes() for p in (course.submitted(student, LAB) / "earlier").iterdir()}
        assert data("return 1") in there
    assert len(stops) == 4


def test_dry_run_writes_nothing_and_tells_the_same(course: Course, tmp_path: Path) -> None:
    source = zipped(tmp_path / "x.zip", {"ada/01_tiny.ipynb": data(), "bob/notes.txt": b""})
    dry = intake(course, source, LAB, dry=True)
    assert not (course.root / "submitted").exists()
    wet = intake(course, source, LAB)
    assert (dry.students, dry.problems, dry.left_out) == (wet.students, wet.problems, wet.left_out)


def test_a_folder_that_cannot_be_written_is_a_line(course: Course, tmp_path: Path) -> None:
    put(course.root / "submitted" / "ada", b"a file where a folder should be")
    source = zipped(tmp_path / "x.zip", {"ada/01_tiny.ipynb": data(), "bob/01_tiny.ipynb": data()})
    report = intake(course, source, LAB)
    assert states(report) == {"ada": "not written", "bob": "new"}
    assert one(report).startswith("it cannot be written")


def test_damaged_receipts_are_no_traceback(course: Course, tmp_path: Path) -> None:
    intake(course, put(tmp_path / "a.ipynb", data()), LAB, student="ada")
    path = course.submitted("ada", LAB) / "receipt.json"
    for text in (b"", b"{", b"[]", b'{"received": 3}', b'{"earlier": 1}', b"null", b'{"received": "2026-11-29"}'):
        path.write_bytes(text)
        assert receipts.read(path.parent) is None
        assert states(intake(course, tmp_path / "a.ipynb", LAB, student="ada")) == {"ada": "unchanged"}


def test_the_command(course: Course, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = zipped(tmp_path / "x.zip", {"ada/01_tiny.ipynb": data(), "bob/notes.txt": b"", "cat/01_tiny.ipynb": b"{"})
    arguments = ["intake", str(source), LAB, "--course", str(course.root)]
    assert cli.main([*arguments, "--dry-run"]) == 1
    out = capsys.readouterr()
    assert out.out.startswith(f"{LAB}: 2 students from {source} (plain): 2 new (nothing was written: --dry-run)\n")
    assert "  bob/notes.txt: no notebook of bob is among: bob/notes.txt" in out.out
    assert "  cat: cannot be read: the file is damaged" in out.out
    assert "3/3  cat: new" in out.err
    assert cli.main([*arguments, "--json", "--quiet"]) == 1
    out = capsys.readouterr()
    assert [s["student"] for s in json.loads(out.out)["students"]] == ["ada", "cat"]
    assert out.err == ""
    assert cli.main(["intake", str(tmp_path / "nowhere"), LAB, "--course", str(course.root)]) == 2
    assert "no such file or folder" in capsys.readouterr().err
    assert cli.main(["intake", str(source), "99_x", "--course", str(course.root)]) == 2
    assert cli.main([*arguments, "--student", "../ada"]) == 2
    good = zipped(tmp_path / "y.zip", {"ada/01_tiny.ipynb": data()})
    assert cli.main(["intake", str(good), LAB, "--course", str(course.root), "--quiet"]) == 0
    empty = tmp_path / "empty"
    empty.mkdir()
    assert cli.main(["intake", str(empty), LAB, "--course", str(course.root)]) == 2


@pytest.mark.parametrize("text", ["soon", "2026-13-01"])
def test_a_time_that_is_none(course: Course, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["intake", "x", LAB, "--received", text])
    assert caught.value.code == 2
    assert "write 2026-11-29 18:05+01:00" in capsys.readouterr().err


def test_a_zip_without_times_takes_the_time_of_intake(course: Course, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo("ada/01_tiny.ipynb"), data())  # 1980
    report = intake(course, put(tmp_path / "x.zip", buffer.getvalue()), LAB)
    assert report.students[0].notes == ["the download does not tell when it was received: the time of intake counts"]
    assert not report.attention
