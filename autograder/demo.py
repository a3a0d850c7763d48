"""`autograder demo`: the whole circle on a bundled class, in a folder of its own.

Builds the release, takes in what each student of the class handed in, grades it, prints the class table and writes the
feedback. Nothing of the real course is changed. The class runs in the sandbox as any other does, unless a runner
without one is asked for.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from autograder import example_class, feedback, notebooks, release, report
from autograder.course import CONFIG, Course, UsageError
from autograder.example_class import Student
from autograder.grade import grade
from autograder.intake import intake
from autograder.kernels import KernelRunner, Runner
from autograder.progress import Progress

Say = Callable[[str], None]


def demo(
    course: Course,
    folder: Path,
    class_folder: Path = example_class.BUNDLED,
    runner: Runner | None = None,
    workers: int = 1,
    say: Say = print,
    quiet: bool = False,
) -> Course:
    """Run the circle in `folder`; the course that stands there afterwards."""
    students = example_class.read_class(class_folder)
    labs = [lab for lab in course.labs() if any(lab in student.edits for student in students)]
    if not labs:
        raise UsageError(f"the class in {class_folder} hands in no lab of {course.root}: {', '.join(course.labs())}")
    made = _copy(course, folder, labs)
    say(f"A course for the demonstration: {folder}\n")
    for lab in labs:
        release.release(made, lab)
        hand_in(made, lab, students)
    say(f"1. release/: {', '.join(labs)}, without solutions and hidden tests")
    say(f"2. submitted/: {len(students)} students")
    for student in students:
        say(f"     {student.name:<8} {student.about}")
    where = (
        "without a sandbox: the class is bundled with the course" if isinstance(runner, KernelRunner) else "sandboxed"
    )
    say(f"3. grading, {where}")
    for lab in labs:
        progress = Progress(len(made.students(lab)), quiet)
        grade(made, lab, runner=runner, workers=workers, report=lambda r, p=progress: p.step(_line(r)))  # type: ignore[misc]
        progress.close()
    for lab in labs:
        say("\n" + report.terminal(made, lab))
    written = [path for lab in labs for path in feedback.feedback(made, lab)]
    say(f"\n4. feedback: {len(written)} pages, for example {written[0]}")
    return made


def _line(result: object) -> str:
    return f"{result.student}: {result.points:g} of {result.max_points:g}"  # type: ignore[attr-defined]


def _copy(course: Course, folder: Path, labs: list[str]) -> Course:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(course.root / CONFIG, folder / CONFIG)
    made = Course(folder.resolve())
    for lab in labs:
        shutil.copytree(course.source(lab), made.source(lab))
    return made


def hand_in(course: Course, lab: str, students: list[Student]) -> None:
    """Take in what a class handed in for one lab, as a folder of downloads."""
    released = notebooks.read(course.release(lab) / f"{lab}.ipynb")
    source = course.lab(lab).notebook
    with tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        downloads = Path(folder)
        for student in students:
            if lab in student.edits:
                (downloads / student.name).mkdir()
                for name, data in example_class.files(lab, student.edits[lab], released, source).items():
                    (downloads / student.name / name).write_bytes(data)
        intake(course, downloads, lab)
