"""The Gradescope zip, run here by its documented layout; GitHub's workflow; our CSV of a whole class."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from download_files import data
from tiny_lab import LAB, cell, make_course, tiny_notebook, write

from autograder import cli, sandbox
from autograder.course import Course, UsageError
from autograder.export import container, gradescope, summary
from autograder.kernels import KernelRunner

Capture = pytest.CaptureFixture[str]
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
#: https://gradescope-autograders.readthedocs.io/en/latest/specs/
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "anyOf": [
        {"required": ["score"]},
        {"required": ["tests"], "properties": {"tests": {"items": {"required": ["score"]}, "minItems": 1}}},
    ],
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": FORMAT,
        "test_output_format": FORMAT,
        "test_name_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "extra_data": {"type": "object"},
        "leaderboard": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "value"],
                "additionalProperties": False,
                "properties": {
                    "name": {"type": "string"},
                    "value": {"type": ["number", "string"]},
                    "order": {"enum": ["asc", "desc"]},
                },
            },
        },
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "name_format": FORMAT,
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": FORMAT,
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "visibility": VISIBILITY,
                    "extra_data": {"type": "object"},
                },
            },
        },
    },
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """/autograder as Gradescope makes it: the zip unpacked into source/, run_autograder copied out of it."""
    top = tmp_path_factory.mktemp("gradescope")
    with zipfile.ZipFile(io.BytesIO(gradescope.gradescope(make_course(top / "course"), LAB))) as archive:
        archive.extractall(top / "source")
        modes = {info.filename: stat.S_IMODE(info.external_attr >> 16) for info in archive.infolist()}
    assert {name for name, mode in modes.items() if mode & 0o111} == {"run_autograder", "setup.sh"}
    shutil.copyfile(top / "source" / "run_autograder", top / "run_autograder")
    (top / "run_autograder").chmod(0o755)
    return top


def results(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((root / "results" / "results.json").read_text(encoding="utf-8"))
    jsonschema.validate(found, SCHEMA)
    return found


def submission(root: Path, files: dict[str, bytes]) -> Path:
    folder = root / "submission"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return root


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_the_zip_grades_a_submission_by_gradescopes_layout(root: Path) -> None:
    submission(root, {"my work (1).ipynb": data("return {0: 0, 2: 4}[x]"), "notes.txt": b"hello"})
    (root / "submission_metadata.json").write_bytes(b"")
    environment = {**os.environ, "AUTOGRADER_ROOT": str(root), "AUTOGRADER_PYTHON": sys.executable}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        [str(root / "run_autograder")], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = results(root)
    assert found["score"] == 3
    assert [(t["score"], t["max_score"]) for t in found["tests"]] == [(1, 1), (0, 2), (2, 2), (0, 3)]
    assert found["output"] == "the notebook was called 'my work (1).ipynb'"
    assert "secret_number" not in json.dumps(found)


def test_what_is_in_the_zip(root: Path) -> None:
    there = {path.relative_to(root / "source").as_posix() for path in (root / "source").rglob("*") if path.is_file()}
    assert {"setup.sh", "run_autograder", "requirements.txt", "course/nbgrader_config.py"} < there
    assert f"course/source/{LAB}/{LAB}.ipynb" in there
    assert "packages/syncpoint/__init__.py" in there
    assert "packages/autograder/templates/feedback.html" in there
    assert not any("__pycache__" in name for name in there)
    for name in ("setup.sh", "run_autograder"):
        text = (root / "source" / name).read_bytes()
        assert text.startswith(b"#!/usr/bin/env bash\n")
        assert b"\r" not in text
        if shutil.which("bash"):
            subprocess.run(["bash", "-n", str(root / "source" / name)], check=True)
    wanted = (root / "source" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert wanted[0] == "--extra-index-url https://download.pytorch.org/whl/cpu"
    names = {line.partition(">")[0].partition("=")[0] for line in wanted[1:]}
    assert {"torch", "torchvision", "nbgrader", "matplotlib"} <= names
    assert "pytest" not in names


def test_the_same_course_gives_the_same_zip(course: Course) -> None:
    assert gradescope.gradescope(course, LAB) == gradescope.gradescope(course, LAB)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "no notebook 01_tiny.ipynb was handed in"),
        ({"report.pdf": b"%PDF"}, "there is: report.pdf"),
        ({"01_tiny.zip": b"PK"}, "the archive cannot be opened"),
    ],
)
def test_nothing_to_grade(root: Path, files: dict[str, bytes], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRADER_ROOT", str(submission(root, files)))
    assert container.main(LAB) == 0
    found = results(root)
    assert found["score"] == 0
    assert words in found["output"]
    assert found["tests"][0]["max_score"] == 8


def test_a_grader_that_breaks_or_is_killed_leaves_results(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRADER_ROOT", str(submission(root, {"01_tiny.ipynb": data()})))
    seen = []

    def breaks(*_: object) -> None:
        seen.append(results(root)["output"])
        raise RuntimeError("no")

    monkeypatch.setattr(container, "graded", breaks)
    assert container.main(LAB) == 0
    assert "too little memory" in seen[0]
    assert "no fault of yours" in results(root)["output"]


def test_the_best_of_several_notebooks_counts(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graded = []
    submission(root, {"a.ipynb": b"{", "01_tiny.ipynb": data(), "b.txt": b""})
    monkeypatch.setattr(
        container, "check", lambda course, path, lab, runner: graded.append(path.read_bytes()) or {"score": 1}
    )
    found = container.graded(Course.find(root / "source" / "course"), root / "submission", LAB)
    assert graded == [data()]
    assert "2 notebooks were handed in: 01_tiny.ipynb counts" in found["output"]


def test_without_a_sandbox_it_says_so_and_goes_on(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def none() -> None:
        raise UsageError("bubblewrap does not start")

    monkeypatch.setattr(sandbox, "find", none)
    assert isinstance(container.runner(), KernelRunner)
    assert "runs without one. bubblewrap does not start" in capsys.readouterr().out


def test_a_lab_that_is_not_fit_is_refused(course: Course, capsys: Capture, tmp_path: Path) -> None:
    notebook = tiny_notebook()
    cell(notebook, "test_count").metadata.nbgrader.points = 0
    write(course.source(LAB) / f"{LAB}.ipynb", notebook)
    target = tmp_path / "x.zip"
    assert cli.main(["export", "gradescope", LAB, "--to", str(target), "--course", str(course.root)]) == 2
    assert "worth no points" in capsys.readouterr().err
    assert not target.exists()


def test_the_command_says_what_memory_it_needs(course: Course, capsys: Capture, tmp_path: Path) -> None:
    target = tmp_path / "x.zip"
    assert cli.main(["export", "gradescope", LAB, "--to", str(target), "--course", str(course.root)]) == 0
    assert "8 points, a container with at least 1.5 GB of memory" in capsys.readouterr().out
    assert zipfile.is_zipfile(target)


# ------------------------------------------------------------------------------------------ GitHub Actions


def test_the_workflow_is_sound() -> None:
    path = Path(gradescope.__file__).parents[1] / "templates" / "github_workflow.yml"
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow[True] == ["push", "workflow_dispatch"]  # YAML reads the key "on" as true
    assert workflow["permissions"] == {"contents": "read"}
    (job,) = workflow["jobs"].values()
    assert job["timeout-minutes"] <= 30
    steps = {step["name"]: step["run"] for step in job["steps"] if "run" in step}
    assert all(("uses" in step) != ("run" in step) for step in job["steps"])
    assert "autograder check" in steps["Score the notebooks"]
    assert "autograder.export.summary" in steps["Score the notebooks"]
    if shutil.which("bash"):
        for text in steps.values():
            subprocess.run(["bash", "-n", "-c", text], check=True)


def test_partial_credit_on_the_page_of_a_run(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    tests = [
        {"name": "Task 1.1: a_b", "score": 1.0, "max_score": 2.0, "output": "look | here\n<b>x</b>"},
        {"name": "Task 1.2", "score": 2.5, "max_score": 3.0},
    ]
    (tmp_path / "01_tiny.json").write_text(json.dumps({"score": 3.5, "output": "mended", "tests": tests}))
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "out"))
    assert summary.main([str(tmp_path / "01_tiny.json")]) == 0
    text = capsys.readouterr().out
    assert "## 01\\_tiny: 3.5 of 5 points" in text
    assert "| Task 1.1: a\\_b | 1 / 2 | look \\| here \\<b\\>x\\</b\\> |" in text
    assert "**3.5 of 5 points.**" in text
    assert (tmp_path / "out").read_text() == "score=3.5\nmax_score=5\n"
    (tmp_path / "02.json").write_text("")
    assert summary.main([str(tmp_path / "02.json")]) == 1
    assert "could not be graded" in capsys.readouterr().out
