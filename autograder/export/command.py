"""`autograder export` on the command line. Light to import: the work is imported when it is asked for."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.course import Course, UsageError

if TYPE_CHECKING:
    from autograder.export.people import Filled

EPILOG = """\
where to:
  csv         our own table: one row a student, one column an exercise; several labs may be named
  canvas      --file: the gradebook exported from Canvas (Grades, Export). Its column of the lab is filled in, all else
              stays byte for byte. Import the result in Canvas.
  moodle      --file: the grading worksheet downloaded from the assignment. Its grades are filled in, all else stays
              byte for byte. Upload the result there.
  gradescope  the autograder zip for "Configure Autograder". Its container needs 1.5 GB of memory: set that, too

Marks are the gradebook's. Who waits for a human, or could not be graded, is listed and not filled in.

examples:
  autograder export csv 01_tensors_and_devices 03_mnist_cnn --to marks.csv
  autograder export canvas 01_tensors_and_devices --file 2026-11-29_Grades.csv --to import.csv
  autograder export canvas 01_tensors_and_devices --file Grades.csv --column "Lab 1 (98765)" --scale
  autograder export moodle 01_tensors_and_devices --file worksheet.csv --comments
  autograder export gradescope 01_tensors_and_devices --to lab01.zip

exit codes: 0 all is well, 1 some marks did not get into the file, 2 the command was used wrongly
"""


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """What the command takes."""
    sub.epilog = EPILOG
    sub.add_argument("where", choices=("csv", "canvas", "moodle", "gradescope"))
    sub.add_argument("labs", nargs="+", metavar="LAB")
    sub.add_argument("--to", type=Path, metavar="FILE", help="what to write; default: a name that tells")
    sub.add_argument("--file", type=Path, metavar="FILE", help="canvas, moodle: the file that the LMS gave you")
    sub.add_argument("--column", metavar="NAME", help="canvas, moodle: the column, if it is not found by itself")
    sub.add_argument("--scale", action="store_true", help="canvas, moodle: convert to what the lab is worth there")
    sub.add_argument("--provisional", action="store_true", help="canvas, moodle: marks that are not final, too")
    sub.add_argument("--only", action="store_true", help="canvas: leave out all other assignments")
    sub.add_argument("--comments", action="store_true", help="moodle: points by exercise as feedback comment")
    sub.add_argument("--excel", action="store_true", help="csv: with the mark by which Excel knows UTF-8")
    sub.add_argument("--roster", type=Path, metavar="FILE", help="instead of students.csv in the course's folder")


def run(course: Course, args: argparse.Namespace) -> int:
    """Marks for an LMS: our own CSV, a file of Canvas or Moodle filled in, or the autograder for Gradescope.

    Files for Canvas and Moodle are never made up. Take the one that the LMS gives you; only grades are written into
    it. Students are found by the LMS's number, id, login, e-mail and name; whom no row fits is listed.
    """
    for lab in args.labs:
        course.lab(lab)
    if args.where != "csv" and len(args.labs) != 1:
        raise UsageError(f"export {args.where} takes one lab at a time")
    if args.where in ("canvas", "moodle"):
        return _fill(course, args)
    target = args.to or Path(f"{args.labs[0]}_gradescope.zip" if args.where == "gradescope" else "marks.csv")
    about: dict[str, Any] = {"wrote": str(target)}
    if args.where == "csv":
        from autograder.export.sheet import sheet

        text = sheet(course, args.labs, args.roster)
        _write(target, text.encode("utf-8-sig" if args.excel else "utf-8"))
        about["rows"] = max(0, text.count("\n") - 1)
        told = f"wrote {target}"
    else:
        told = _gradescope(course, args.labs[0], target, about)
    print(json.dumps(about, indent=1, ensure_ascii=False) if args.json else told)
    return 0


def _gradescope(course: Course, lab: str, target: Path, about: dict[str, Any]) -> str:
    from autograder import release
    from autograder.export.gradescope import MEMORY, gradescope

    try:
        data = gradescope(course, lab)
    except release.Refused as refused:
        raise UsageError(str(refused)) from refused
    _write(target, data)
    about |= {"bytes": len(data), "memory": MEMORY, "points": course.lab(lab).max_points}
    return (
        f"wrote {target} ({len(data) / 1e6:.1f} MB)\n"
        f"On Gradescope: {course.lab(lab).max_points:g} points, a container with at least {MEMORY} of memory"
    )


def _fill(course: Course, args: argparse.Namespace) -> int:
    from autograder.export import canvas, marks, moodle, people

    if args.file is None or not args.file.is_file():
        what = f"no such file: {args.file}" if args.file else f"what did {args.where.title()} give you?"
        raise UsageError(f"{what} Give the file to be filled in with --file FILE")
    target = args.to or args.file.with_name(f"{args.file.stem}_filled{args.file.suffix}")
    if target.exists() and target.samefile(args.file):
        raise UsageError(f"{target} would be overwritten: give another name with --to")
    found = marks.marks(course, args.labs[0])
    if not found:
        raise UsageError(f"nobody has handed in {args.labs[0]}")
    everybody = people.people(course, found, args.where, args.roster)
    data = args.file.read_bytes()
    common = {"column": args.column, "scale": args.scale, "provisional": args.provisional}
    if args.where == "canvas":
        filled = canvas.canvas(data, args.labs[0], found, everybody, only=args.only, **common)
    else:
        filled = moodle.moodle(data, found, everybody, comments=args.comments, **common)
    _write(target, filled.table.bytes())
    print(json.dumps(_as_json(filled, target), indent=1, ensure_ascii=False) if args.json else as_text(filled, target))
    return 1 if filled.attention else 0


def _write(target: Path, data: bytes) -> None:
    beside = target.with_name(target.name + ".part")
    try:
        beside.write_bytes(data)
        os.replace(beside, target)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error}") from error


def _as_json(filled: Filled, target: Path) -> dict[str, Any]:
    lists = {name: getattr(filled, name) for name in ("unchanged", "held", "kept", "unmatched", "unclear", "notes")}
    return {"wrote": str(target), "column": filled.column, "students": filled.students, **lists}


def as_text(filled: Filled, target: Path) -> str:
    """What was filled in, and who was not."""
    same = f", {len(filled.unchanged)} of them as it was" if filled.unchanged else ""
    lines = [f"wrote {target}: column {filled.column!r} filled in for {len(filled.students)} students{same}"]
    for title, entries in (
        ("Not filled in, as the mark is not final (--provisional fills in those that wait for a human)", filled.held),
        ("Have a mark, and no row is theirs", filled.unmatched),
        ("Rows that are nobody's for sure", filled.unclear),
        ("Left as it stands", filled.kept),
        ("Note", filled.notes),
    ):
        if entries:
            lines += [f"{title}:", *(f"  {entry}" for entry in entries)]
    return "\n".join(lines)
