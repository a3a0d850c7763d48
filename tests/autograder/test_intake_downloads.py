"""Canvas, Moodle, Gradescope, plain folders: whose each file is, and when it was received."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from download_files import NOON, data, put, submitted, zipped
from tiny_lab import LAB, make_course

from autograder.course import Course, UsageError
from autograder.intake import Report, downloads, intake, receipts

ROSTER = """id,first_name,last_name,email,lms_user_id,login
ada,Ada,Lovelace,ada@uni.example,101,al15
zoe,Zoë,Müller-Groß,zoe@uni.example,102,zm99
jdoe,Jane,Doe,jane.doe@uni.example,103,
jdoe2,Jane,Doe,jd@uni.example,104,
kim,민준,김,kim@uni.example,105,
"""


@pytest.fixture
def plain(tmp_path: Path) -> Course:
    """A course without a roster."""
    return make_course(tmp_path / "course")


@pytest.fixture
def course(plain: Course) -> Course:
    """A course with a roster."""
    (plain.root / "students.csv").write_text(ROSTER, encoding="utf-8")
    return plain


def reasons(report: Report) -> dict[str, str]:
    return dict(report.problems)


def taken(report: Report) -> dict[str, str]:
    return {t.student: t.file for t in report.students}


def test_canvas(course: Course, tmp_path: Path) -> None:
    names = {
        "lovelaceada_101_9001_01_tiny.ipynb": data("return x + x"),
        "müllergroßzoë_LATE_102_9002_01_tiny-2.ipynb": data(),
        "doejane_104_9003_Copy of 01_tiny (1).ipynb": data("return 2*x"),
        "doejane_103_9004_text.html": b"<p>see my mail</p>",
        "mallorymallory_999_9005_01_tiny.ipynb": data(),
    }
    report = intake(course, zipped(tmp_path / "lab_submissions.zip", names), LAB)
    assert report.kind == "canvas"
    assert {t.student: (t.state, t.late) for t in report.students} == {
        "ada": ("new", False),
        "jdoe2": ("new", False),
        "zoe": ("new", True),
    }
    assert submitted(course, "ada") == data("return x + x")
    assert reasons(report) == {
        "mallorymallory_999_9005_01_tiny.ipynb": "nobody in students.csv is 'mallorymallory': "
        "put the file into a folder named after the student's id",
        "doejane_103_9004_text.html": "no notebook of jdoe is among: doejane_103_9004_text.html",
    }
    receipt = receipts.read(course.submitted("zoe", LAB))
    assert receipt is not None
    assert (receipt.time, receipt.lms, receipt.late) == (NOON, {"canvas": "102"}, True)
    assert report.missing == ["kim"]
    jane = next(t for t in report.students if t.student == "jdoe2")
    assert jane.notes == ["the notebook was called 'Copy of 01_tiny (1).ipynb'"]


def test_canvas_by_name_when_the_roster_has_no_numbers(course: Course, tmp_path: Path) -> None:
    without = "\n".join(line.rsplit(",", 2)[0] for line in ROSTER.splitlines())
    (course.root / "students.csv").write_text(without, encoding="utf-8")
    names = ["lovelaceada_1_2_a.ipynb", "mullergroßzoe_3_4_a.ipynb", "doejane_5_6_a.ipynb", "김민준_7_8_a.ipynb"]
    report = intake(course, zipped(tmp_path / "x.zip", dict.fromkeys(names, data())), LAB)
    assert set(taken(report)) == {"ada", "zoe", "kim"}
    assert reasons(report)["doejane_5_6_a.ipynb"].startswith("'doejane' may be jdoe or jdoe2")


def test_canvas_anonymous(plain: Course, tmp_path: Path) -> None:
    names = {"LATE_anon_aB3xY_77_01_tiny.ipynb": data(), "anon_Zz9_78_01_tiny.ipynb": data("return x + x")}
    report = intake(plain, zipped(tmp_path / "x.zip", names), LAB)
    assert {t.student: t.late for t in report.students} == {"aB3xY": True, "Zz9": False}


def test_of_canvas_attempts_the_highest_number_counts(plain: Course, tmp_path: Path) -> None:
    names = {f"doejane_1_{n}_01_tiny{suffix}.ipynb": data(f"return {n}") for n, suffix in enumerate(["", "-1", "-2"])}
    names["doejane_1_10_01_tiny-10.ipynb"] = data("return 10")
    report = intake(plain, zipped(tmp_path / "x.zip", names), LAB)
    assert taken(report) == {"doejane": "doejane_1_10_01_tiny-10.ipynb"}
    assert len(list((plain.submitted("doejane", LAB) / "earlier").iterdir())) == 3


@pytest.mark.parametrize("end", ["_assignsubmission_file", "_assignsubmission_file_"])
def test_moodle_folders(course: Course, tmp_path: Path, end: str) -> None:
    names = {
        f"Ada Lovelace_5511{end}/01_tiny.ipynb": data(),
        f"Ada Lovelace_5511{end}/notes/read me.txt": b"hello",
        f"Zoë Müller-Groß_5512{end}/01_tiny.ipynb": data("return x + x"),
        "Jane Doe_5513_assignsubmission_onlinetext/onlinetext.html": b"<p>x</p>",
    }
    report = intake(course, zipped(tmp_path / "C1-lab-77.zip", names), LAB)
    assert report.kind == "moodle"
    assert set(taken(report)) == {"ada", "zoe"}
    assert report.left_out == [f"Ada Lovelace_5511{end}/notes/read me.txt"]
    assert len(report.problems) == 1
    assert "may be jdoe or jdoe2" in report.problems[0][1]
    receipt = receipts.read(course.submitted("zoe", LAB))
    assert receipt is not None
    assert receipt.lms == {"moodle": "5512"}


def test_moodle_flat_and_blind(plain: Course, tmp_path: Path) -> None:
    names = {
        "Ada_Lovelace_5511_assignsubmission_file_01_tiny.ipynb": data(),
        "Participant_5512_assignsubmission_file_My_work.ipynb": data("return x + x"),
    }
    report = intake(plain, zipped(tmp_path / "x.zip", names), LAB)
    assert set(taken(report)) == {"Ada_Lovelace", "Participant5512"}
    assert report.students[1].notes == ["the notebook was called 'My_work.ipynb'"]


GRADESCOPE = """
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: '101'
    :email: ada@uni.example
  - :name: Zoe Mueller
    :email: ZOE@uni.example
  :created_at: 2026-02-01 10:00:00.000000000 Z
  :score: 3.0
submission_12:
  :submitters:
  - :name: Jane Doe
    :email: jd@uni.example
  :created_at: 2026-02-01 12:30:00.123456789 +0100
submission_13:
  :submitters: []
"""


def test_gradescope_with_group_work(course: Course, tmp_path: Path) -> None:
    top = "assignment_5_export"
    names = {
        f"{top}/submission_metadata.yml": GRADESCOPE.encode(),
        f"{top}/submission_11/01_tiny.ipynb": data(),
        f"{top}/submission_12/p1 (1).ipynb": data("return x + x"),
        f"{top}/submission_13/01_tiny.ipynb": data(),
        f"{top}/submission_14/01_tiny.ipynb": data(),
    }
    report = intake(course, zipped(tmp_path / "export.zip", names), LAB)
    assert report.kind == "gradescope"
    assert set(taken(report)) == {"ada", "zoe", "jdoe2"}
    assert {t.student: t.received for t in report.students} == {
        "ada": "2026-02-01T10:00:00+00:00",
        "zoe": "2026-02-01T10:00:00+00:00",
        "jdoe2": "2026-02-01T11:30:00.123456+00:00",
    }
    assert set(reasons(report)) == {f"{top}/submission_13/01_tiny.ipynb", f"{top}/submission_14/01_tiny.ipynb"}


@pytest.mark.parametrize("text", ["[1, 2]", "a: [", "\x00", "!!python/object/apply:os.system ['touch x']", "- &a [*a]"])
def test_gradescopes_metadata_may_be_anything(plain: Course, tmp_path: Path, text: str) -> None:
    names = {"submission_metadata.yml": text.encode(), "submission_1/01_tiny.ipynb": data()}
    report = intake(plain, zipped(tmp_path / "x.zip", names), LAB)
    assert taken(report) == {}
    assert len(report.problems) == 2


@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("ada/01_tiny.ipynb", "ada"),
        ("ADA/01_Tiny.IPYNB", "ada"),
        ("Lovelace, Ada/work.ipynb", "ada"),
        ("ada.lovelace - al15/work.ipynb", ""),
        ("al15/p1 (1).ipynb", "ada"),
        ("ada@uni.example/sub/folder/01_tiny.ipynb", "ada"),
        ("jane.doe/01_tiny.ipynb", "jdoe"),
        ("zoe/01_tiny/01_tiny.ipynb", "zoe"),
        ("Zoe\u0308 Mu\u0308ller-Groß/01_tiny.ipynb", "zoe"),
        ("김민준/01_tiny.ipynb", "kim"),
        ("01_tiny_ada.ipynb", "ada"),
        ("ada_01_tiny.ipynb", "ada"),
        ("Ada Lovelace - 01_tiny.ipynb", "ada"),
        ("Copy of 01_tiny - al15 (2).ipynb", "ada"),
        ("01_tiny.ipynb", ""),
        ("ada_zoe_01_tiny.ipynb", ""),
        ("ada\\01_tiny.ipynb", "ada"),
    ],
)
def test_plain_folders_and_names(course: Course, tmp_path: Path, path: str, student: str) -> None:
    report = intake(course, zipped(tmp_path / "x.zip", {path: data()}), LAB)
    assert [t.student for t in report.students] == ([student] if student else [])
    assert len(report.problems) == (0 if student else 1)


def test_without_a_roster_folders_are_the_students(plain: Course, tmp_path: Path) -> None:
    for name in ("Ada Lovelace", "bob", "çelik"):
        put(tmp_path / "all" / "wrapped" / name / "01_tiny.ipynb", data())
    report = intake(plain, tmp_path / "all", LAB)
    assert set(taken(report)) == {"Ada_Lovelace", "bob", "çelik"}
    assert report.problems == []


def test_near_misses_are_suggested(course: Course, tmp_path: Path) -> None:
    report = intake(course, zipped(tmp_path / "x.zip", {"Ada Lovelance/a.ipynb": data()}), LAB)
    assert "(did you mean ada?)" in report.problems[0][1]


def test_a_file_given_by_hand_with_its_time(plain: Course, tmp_path: Path) -> None:
    path = put(tmp_path / "whatever.ipynb", data())
    when = NOON + timedelta(days=1)
    report = intake(plain, path, LAB, student="ada", received=when)
    assert [(t.student, t.received) for t in report.students] == [("ada", when.isoformat())]


def test_the_submissions_own_timestamp_decides_nothing(plain: Course, tmp_path: Path) -> None:
    put(tmp_path / "all" / "ada" / "01_tiny.ipynb", data())
    put(tmp_path / "all" / "ada" / "timestamp.txt", b"2000-01-01 00:00:00 UTC")
    intake(plain, tmp_path / "all", LAB)
    assert (plain.submitted("ada", LAB) / "timestamp.txt").read_text() == "2026-11-29 12:00:00.000000 UTC"


def test_the_times_inside_a_learners_archive_decide_nothing(plain: Course, tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", {"01_tiny.ipynb": data()}, NOON - timedelta(days=99)).read_bytes()
    report = intake(plain, zipped(tmp_path / "x.zip", {"doejane_1_2_lab.zip": inner}), LAB)
    assert [(t.student, t.received) for t in report.students] == [("doejane", NOON.isoformat())]


def test_nbgrader_reads_our_time(plain: Course, tmp_path: Path) -> None:
    from autograder.course import quiet

    with quiet():
        from nbgrader.utils import parse_utc
    intake(plain, put(tmp_path / "a.ipynb", data()), LAB, student="ada")
    text = (plain.submitted("ada", LAB) / "timestamp.txt").read_text()
    assert parse_utc(text) == NOON.replace(tzinfo=None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name,mail\nada,x\n", "has no column id"),
        ("", "has no column id; its columns: none"),
        ("id\n../evil\n", "cannot be a folder's name"),
    ],
)
def test_a_roster_that_cannot_be_used(plain: Course, tmp_path: Path, text: str, reason: str) -> None:
    (plain.root / "students.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=reason):
        intake(plain, put(tmp_path / "a.ipynb", data()), LAB)


def test_a_roster_from_excel(plain: Course, tmp_path: Path) -> None:
    (plain.root / "students.csv").write_bytes("\ufeffID;Name\nada;Lovelace, Ada\n".encode())
    report = intake(plain, zipped(tmp_path / "x.zip", {"adalovelace_1_2_x.ipynb": data()}), LAB)
    assert [t.student for t in report.students] == []  # "Lovelace, Ada" is one name; its parts are not told apart
    report = intake(plain, zipped(tmp_path / "y.zip", {"lovelaceada_1_2_x.ipynb": data()}), LAB)
    assert [t.student for t in report.students] == ["ada"]


def test_students_in_the_gradebook_are_recognised_and_new_ones_welcome(
    plain: Course, empty_gradebook: Path, tmp_path: Path
) -> None:
    import shutil

    from autograder import gradebook
    from autograder.course import quiet

    shutil.copyfile(empty_gradebook, plain.root / "gradebook.db")
    with quiet(), gradebook.book(plain) as book:
        book.add_student("al", first_name="Ada", last_name="Lovelace", lms_user_id="7")
    names = {"xx_7_1_a.ipynb": data(), "lovelaceada_8_2_a.ipynb": data("return x + x"), "new_9_3_a.ipynb": data()}
    report = intake(plain, zipped(tmp_path / "x.zip", names), LAB)
    assert {t.student for t in report.students} == {"al", "new"}
    assert report.missing == []


def test_the_kind_can_be_said(plain: Course, tmp_path: Path) -> None:
    names = {"ada_1_2_x.ipynb": data(), "readme.txt": b"", "list.txt": b""}
    assert intake(plain, zipped(tmp_path / "x.zip", names), LAB).kind == "plain"
    report = intake(plain, tmp_path / "x.zip", LAB, kind="canvas")
    assert [t.student for t in report.students] == ["ada"]
    assert len(report.problems) == 2


@pytest.mark.parametrize(
    ("name", "attempt", "plain_name"),
    [("p1.ipynb", 0, "p1"), ("p1 (3).ipynb", 3, "p1"), ("p1-12.ipynb", 12, "p1"), ("Copy of p1.IPYNB", 0, "p1"),
     ("p1.ipynb.txt", 0, "p1"), ("p1.ipynb.json", 0, "p1")],
)  # fmt: skip
def test_numbered_names(name: str, attempt: int, plain_name: str) -> None:
    from autograder.intake.files import Item
    from autograder.intake.roster import Clues

    handed = downloads.Handed(Item(name, None, bytes), Clues("x"), name, datetime.now(UTC))
    assert (handed.attempt, downloads.plain_stem(name), downloads.is_notebook(name)) == (attempt, plain_name, True)
