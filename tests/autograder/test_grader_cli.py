"""The command line: what each command prints, and its exit code. One kernel is started here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import tiny_lab
from tiny_lab import LAB

from autograder import cli, notebooks, progress
from autograder.course import Course

Capture = pytest.CaptureFixture[str]


def run(*args: object) -> int:
    return cli.main([str(arg) for arg in args])


def test_help_names_every_command_and_the_exit_codes(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        run("--help")
    assert caught.value.code == 0
    text = capsys.readouterr().out
    for word in ("release", "grade", "report", "feedback", "check", "demo", "formgrader", "exit codes"):
        assert word in text


@pytest.mark.parametrize("command", ["release", "grade", "report", "feedback", "check", "demo"])
def test_each_command_has_help(command: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        run(command, "--help")
    assert caught.value.code == 0
    assert len(capsys.readouterr().out) > 300


@pytest.mark.parametrize("args", [(), ("grade",), ("fly",), ("grade", LAB, "--workers", "many")])
def test_wrong_arguments_are_exit_code_2(args: tuple[str, ...], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        run(*args)
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_outside_a_course(tmp_path: Path, capsys: Capture) -> None:
    assert run("release", "--course", tmp_path) == 2
    assert f"no nbgrader_config.py in {tmp_path} or above it" in capsys.readouterr().err


def test_a_course_is_found_from_below(course: Course, capsys: Capture) -> None:
    assert run("release", "--course", course.source(LAB)) == 0
    assert capsys.readouterr().out == f"{LAB}: new {LAB}.ipynb\n"


@pytest.mark.parametrize("command", ["release", "grade", "report", "feedback"])
def test_an_unknown_lab_is_named(course: Course, command: str, capsys: Capture) -> None:
    assert run(command, "99_x", "--course", course.root) == 2
    assert "autograder: no lab '99_x' in" in capsys.readouterr().err


def test_release_checks_and_refuses(course: Course, capsys: Capture) -> None:
    assert run("release", "--check", "--course", course.root) == 1
    assert run("release", "--course", course.root) == 0
    assert run("release", "--check", "--course", course.root) == 0
    notebook = tiny_lab.tiny_notebook()
    tiny_lab.cell(notebook, "test_count").metadata.nbgrader.points = 0
    tiny_lab.write(course.source(LAB) / f"{LAB}.ipynb", notebook)
    capsys.readouterr()
    assert run("release", "--json", "--course", course.root) == 1
    data = json.loads(capsys.readouterr().out)
    assert data[LAB]["problems"][0].startswith("cell test_count: it is graded but worth no points")


def test_no_submissions(course: Course, capsys: Capture) -> None:
    assert run("grade", LAB, "--course", course.root) == 0
    assert run("report", LAB, "--course", course.root) == 0
    assert f"{LAB}: no submissions in" in capsys.readouterr().out
    assert run("feedback", LAB, "--course", course.root) == 1
    assert "no submission is graded yet" in capsys.readouterr().out


def test_check_scores_one_notebook_as_gradescope_wants_it(course: Course, tmp_path: Path, capsys: Capture) -> None:
    notebook = notebooks.canonical(tiny_lab.tiny_notebook())
    tiny_lab.cell(notebook, "double").source = "def double(x): return {0: 0, 2: 4}[x]"
    path = tiny_lab.write(tmp_path / "My download (2).ipynb", notebook)
    assert run("check", path, "--course", course.root) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["score"] == 3
    assert [(t["score"], t["max_score"], t.get("status")) for t in data["tests"]] == [
        *((1, 1, "passed"), (0, 2, "failed"), (2, 2, "passed"), (0, 3, None))
    ]
    assert data["tests"][1]["name"] == "Task 1.1: double a number: test_double_more"
    assert data["tests"][1]["output"] == (
        "a check that is not shown failed: KeyError: -7\n"
        "Look at line 1 of double: def double(x): return {0: 0, 2: 4}[x]"
    )
    assert not (course.root / "autograded").exists()


def test_check_says_what_it_cannot_read(course: Course, tmp_path: Path, capsys: Capture) -> None:
    assert run("check", tmp_path / "none.ipynb", "--course", course.root) == 2
    assert "no such notebook" in capsys.readouterr().err
    (tmp_path / "junk.ipynb").write_text("{", encoding="utf-8")
    assert run("check", tmp_path / "junk.ipynb", "--course", course.root) == 2
    assert "not valid JSON" in capsys.readouterr().err


def test_demo_wants_an_empty_folder(course: Course, capsys: Capture) -> None:
    assert run("demo", "--into", course.root, "--course", course.root) == 2
    assert "is not empty" in capsys.readouterr().err


def test_help_does_not_import_nbgrader() -> None:
    script = "import sys, autograder.cli as c; c.parser().format_help(); print('nbgrader' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_progress_counts_and_tells_the_time(capsys: Capture) -> None:
    steps = progress.Progress(2, started=0.0, stream=sys.stderr)
    steps.step("ann")
    steps.step("bob")
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("  1/2  ann  (about ")
    assert first.endswith(" left)")
    assert second == "  2/2  bob"
    assert [progress.duration(s) for s in (3, 200, 7500)] == ["3 s", "3 min", "2 h 5 min"]
