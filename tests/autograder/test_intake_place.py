"""Which file counts, and that nothing earlier is lost: several, later, the same, stopped half way; and the command."""

from __future__ import annotations

import io
import json
import os
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from download_files import NOON, data, one, put, states, submitted, tree, zipped
from nbformat import v4
from tiny_lab import LAB, make_course

from autograder import cli, notebooks
from autograder.course import Course
from autograder.intake import intake, receipts


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return make_course(tmp_path / "course")


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
