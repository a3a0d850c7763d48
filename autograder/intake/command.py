"""`autograder intake` on the command line. Light to import: the work is imported when it is asked for."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import Course, UsageError
from autograder.progress import Progress

if TYPE_CHECKING:
    from autograder.intake import Report

EPILOG = """\
whose a file is:
  Canvas, Moodle, Gradescope   by the names and the metadata in their downloads ("Download Submissions")
  anything else                a folder named after the student, or the student in the file's name
students.csv in the course's folder (columns id, first_name, last_name, email, lms_user_id, login) says who is in the
class; then a file that fits nobody is an error. Without it, new students are welcome.

examples:
  autograder intake ~/Downloads/submissions.zip 01_tensors_and_devices
  autograder intake downloads/ 01_tensors_and_devices --dry-run        look first
  autograder intake mail/late.ipynb 01_tensors_and_devices --student ada --received "2026-11-29 18:05+01:00"

exit codes: 0 all were taken in, 1 some files were not or cannot be read, 2 the command was used wrongly
"""


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """What the command takes."""
    sub.epilog = EPILOG
    sub.add_argument("source", type=Path, metavar="FOLDER_OR_ZIP")
    sub.add_argument("lab", metavar="LAB")
    sub.add_argument("--dry-run", action="store_true", help="tell what would happen, write nothing")
    kinds = ("canvas", "moodle", "gradescope", "plain")
    sub.add_argument("--from", dest="kind", choices=kinds, help="where it comes from, if it is not recognised")
    sub.add_argument("--roster", type=Path, metavar="FILE", help="instead of students.csv in the course's folder")
    sub.add_argument("--student", metavar="ID", help="all of it is this student's")
    sub.add_argument("--received", type=_time, metavar="TIME", help="when it was received, instead of the files' times")


def _time(text: str) -> datetime:
    try:
        made = datetime.fromisoformat(text.strip().replace(" UTC", "+00:00"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; write 2026-11-29 18:05+01:00") from None
    return made.astimezone(UTC)  # a time without a zone is this computer's


def run(course: Course, args: argparse.Namespace) -> int:
    """Take a download of submissions into submitted/<student>/<lab>/, whatever state it is in.

    SOURCE is a folder, a zip, one notebook, or the download of Canvas, Moodle or Gradescope. Nothing that came in
    before is lost: the notebook received last counts, those before it are kept in earlier/ beside it, and the same
    download taken in twice changes nothing. Files are kept as they were handed in; what grading will mend is listed.
    The time of receipt is the LMS's or the file's, never what a submission says of itself.
    """
    from autograder.intake import intake
    from autograder.intake.roster import safe_id

    if args.student is not None and safe_id(args.student) != args.student:
        raise UsageError(f"{args.student!r} cannot be a folder's name: give the student's id")
    shown: list[Progress] = []

    def step(total: int, what: str) -> None:
        shown.append(shown[0] if shown else Progress(total, args.quiet))
        shown[0].step(what)

    made = intake(
        course,
        args.source,
        args.lab,
        kind=args.kind,
        roster_file=args.roster,
        student=args.student,
        received=args.received,
        dry=args.dry_run,
        step=step,
    )
    if shown:
        shown[0].close()
    print(json.dumps(asdict(made), indent=1, ensure_ascii=False) if args.json else as_text(made), file=sys.stdout)
    return 1 if made.attention else 0


def as_text(made: Report) -> str:
    """The report for people."""
    states = [taken.state for taken in made.students]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states)) or "nothing"
    would = " (nothing was written: --dry-run)" if made.dry else ""
    lines = [f"{made.lab}: {len(states)} students from {made.source} ({made.kind}): {counts}{would}"]
    for taken in made.students:
        about = [f"cannot be read: {taken.unreadable}"] if taken.unreadable else []
        about += ["late, says the LMS"] * bool(taken.late) + taken.notes
        about += [f"grading will mend: {note}" for note in taken.mended]
        lines += [f"  {taken.student}: {note}" for note in about]
    if made.problems:
        lines += ["Not taken in:", *(f"  {path}: {reason}" for path, reason in made.problems)]
    if made.left_out:
        lines.append(f"Left out, as they are no notebooks: {_some(made.left_out)}")
    if made.missing:
        lines.append(f"In the roster, and nothing of theirs is there: {_some(made.missing, 40)}")
    return "\n".join(lines)


def _some(names: list[str], most: int = 10) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
