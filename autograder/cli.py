"""The `autograder` command. Each subcommand is one function below; `--help` teaches the order of work.

Exit codes: 0 all is well; 1 something needs attention (a release was refused, a submission could not be graded);
2 the command was used wrongly. With ``--json`` the result goes to standard output as JSON and nothing else does.
nbgrader is slow to import, so the modules that need it are imported by the commands that need them.
"""

from __future__ import annotations

import argparse
import inspect
import json
import logging
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.course import Course, UsageError
from autograder.export import command as export_command
from autograder.intake import command as intake_command
from autograder.progress import Progress

_CORES = min(4, os.cpu_count() or 1)
Command = Callable[[Course, argparse.Namespace], int]

_ABOUT = """\
Releases labs, grades submissions and writes feedback, on top of nbgrader: the same folders, the same gradebook, and
`nbgrader ...` commands keep working beside it. The course is the nearest folder upwards with nbgrader_config.py.

The order of work:
  autograder release                     source/ -> release/    learners' notebooks, without solutions
  autograder intake downloads.zip 03_mnist_cnn    the LMS's download -> submitted/<student>/<lab>/<lab>.ipynb
  autograder grade 03_mnist_cnn          submitted/ -> autograded/ and gradebook.db
  autograder report 03_mnist_cnn         the class table
  nbgrader formgrader                    what a human has to read (a page in JupyterLab)
  autograder feedback 03_mnist_cnn       feedback/<student>/<lab>/<lab>.html
  autograder export canvas 03_mnist_cnn --file Grades.csv      or moodle, csv, gradescope

Try it without a class:  autograder demo
"""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(prog="autograder", description=_ABOUT, formatter_class=_Raw)
    top.epilog = "exit codes: 0 all is well, 1 something needs attention, 2 the command was used wrongly"
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--course", type=Path, default=Path(), metavar="FOLDER", help="a folder inside the course")
    common.add_argument("--json", action="store_true", help="the result as JSON on standard output")
    common.add_argument("--quiet", action="store_true", help="no progress")
    common.add_argument("--verbose", action="store_true", help="what nbgrader says, too")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, function: Command, help_: str) -> argparse.ArgumentParser:
        about = inspect.getdoc(function)
        made = commands.add_parser(name, help=help_, description=about, parents=[common], formatter_class=_Raw)
        made.set_defaults(function=function)
        return made

    sub = add("release", _release, "make the learners' notebooks from source/")
    sub.add_argument("labs", nargs="*", metavar="LAB", help="all labs if none is named")
    sub.add_argument("--check", action="store_true", help="write nothing; exit code 1 if release/ is not up to date")
    intake_command.add_arguments(add("intake", intake_command.run, "take in a download of submissions"))
    sub = add("grade", _grade, "run and score submissions")
    sub.add_argument("lab", metavar="LAB")
    sub.add_argument("--student", action="append", metavar="NAME", help="only this one; may be repeated")
    sub.add_argument("--force", action="store_true", help="grade again what has not changed")
    sub.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster, tcp://host:8786, to run them on")
    _limits(sub)
    sub = add("report", _report, "the class table")
    sub.add_argument("lab", metavar="LAB")
    sub.add_argument("--html", type=Path, metavar="FILE", help="write it as a page")
    sub.add_argument("--csv", type=Path, metavar="FILE", help="write it as a table, one column a graded cell")
    sub = add("feedback", _feedback, "one page a student")
    sub.add_argument("lab", metavar="LAB")
    export_command.add_arguments(add("export", export_command.run, "marks for an LMS"))
    sub = add("check", _check, "score one notebook, without gradebook")
    sub.add_argument("notebook", type=Path, metavar="NOTEBOOK")
    sub.add_argument("--lab", help="default: the lab whose cells the notebook has")
    _limits(sub)
    sub = add("demo", _demo, "the whole circle on a bundled class")
    sub.add_argument("--into", type=Path, metavar="FOLDER", help="an empty folder for it; default: a temporary one")
    _limits(sub)
    return top


class _Raw(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=110)


def _limits(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--cell-seconds", type=float, default=60, metavar="S", help="limit of one cell (60)")
    sub.add_argument("--notebook-seconds", type=float, default=600, metavar="S", help="limit of one notebook (600)")
    sub.add_argument("--memory-mb", type=int, default=2048, metavar="MB", help="limit of its memory (2048)")
    sub.add_argument(
        "--trust-submissions", action="store_true", help="run them without a sandbox, as you, in Jupyter kernels"
    )
    sub.add_argument("--workers", type=int, metavar="N", help=f"notebooks at a time ({_CORES}, or the cluster's)")


def main(argv: list[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    args = parser().parse_args(argv)
    logging.basicConfig(format="%(message)s", level=logging.INFO if args.verbose else logging.CRITICAL)
    try:
        return int(args.function(Course.find(args.course), args))
    except UsageError as error:
        print(f"autograder: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nautograder: stopped; what is graded stays graded, run the same command to go on", file=sys.stderr)
        return 1


def _say(args: argparse.Namespace, text: str, data: Any) -> None:
    print(json.dumps(data, indent=1, ensure_ascii=False) if args.json else text)


def _release(course: Course, args: argparse.Namespace) -> int:
    """Make release/ from source/: solutions become stubs that name their task, hidden tests are taken out.

    A source that would leak a solution or a hidden test is refused, and the cell is named. Files that did not change
    are not written.
    """
    from autograder import release

    data: dict[str, Any] = {}
    lines = []
    for lab in args.labs or course.labs():
        try:
            changes = release.release(course, lab, check=args.check)
            data[lab] = {"changes": changes, "problems": []}
            lines.append(f"{lab}: {', '.join(changes) or 'up to date'}")
        except release.Refused as refused:
            data[lab] = {"changes": [], "problems": [str(problem) for problem in refused.problems]}
            lines += [f"{lab}: refused", *(f"  {problem}" for problem in refused.problems)]
    _say(args, "\n".join(lines) or "no labs in source/", data)
    bad = any(d["problems"] or (args.check and d["changes"]) for d in data.values())
    return 1 if bad else 0


def _grade(course: Course, args: argparse.Namespace) -> int:
    """Run the submissions of a lab and enter their points in the gradebook.

    Only what changed since the last time is run again (the submission, the lab or the course's code). Points that
    humans entered stay. A submission that cannot be graded is a row with the reason; the others go on.
    """
    from autograder import grade, release

    students = args.student or course.students(args.lab)
    progress = Progress(len(set(students)), args.quiet)
    runner = _runner(args)
    try:
        found = grade.grade(
            course,
            args.lab,
            args.student,
            args.force,
            runner,
            args.workers or getattr(runner, "workers", _CORES),
            lambda r: progress.step(f"{r.student}: {r.points:g} of {r.max_points:g}"),
        )
    except release.Refused as refused:
        print("\n".join(["autograder: this lab cannot be graded", *map(str, refused.problems)]), file=sys.stderr)
        return 1
    finally:
        progress.close()
        runner.close()
    attention = [r for r in found if r.status != "graded" or any(cell.fault for cell in r.cells)]
    lines = [f"{args.lab}: {len(found)} submissions graded, {len(attention)} need attention"]
    lines += [f"  {r.student}: {flag}" for r in attention for flag in r.flags]
    _say(args, "\n".join(lines), {"lab": args.lab, "results": [asdict(r) for r in found]})
    return 1 if attention else 0


def _runner(args: argparse.Namespace) -> Any:
    from autograder.kernels import KernelRunner, Limits

    limits = Limits(cell_s=args.cell_seconds, notebook_s=args.notebook_seconds, memory_bytes=args.memory_mb << 20)
    if args.trust_submissions:
        return KernelRunner(limits)
    if getattr(args, "scheduler", None):
        from autograder.engine import DaskRunner

        return DaskRunner(args.scheduler, limits)
    from autograder.jail import JailRunner

    return JailRunner(limits)


def _runner_for_our_own(args: argparse.Namespace) -> Any:
    """For the bundled class, which is ours: without a sandbox where there is none."""
    try:
        return _runner(args)
    except UsageError:
        args.trust_submissions = True
        return _runner(args)


def _report(course: Course, args: argparse.Namespace) -> int:
    """The class table: points by exercise, how the class did on each, and what a human should look at."""
    from autograder import report

    for path, made in ((args.html, report.html), (args.csv, report.csv_text)):
        if path:
            path.write_text(made(course, args.lab), encoding="utf-8", newline="\n")
            print(f"wrote {path}", file=sys.stderr)
    if args.json:
        _say(args, "", report.as_json(course, args.lab))
    elif not (args.html or args.csv):
        print(report.terminal(course, args.lab))
    return 0


def _feedback(course: Course, args: argparse.Namespace) -> int:
    """Write one page a student: points, messages, the line to look at. Hidden tests are never shown."""
    from autograder import feedback

    written = feedback.feedback(course, args.lab)
    where = str(written[0].parents[2]) if written else "nothing: no submission is graded yet"
    _say(args, f"{args.lab}: {len(written)} pages in {where}", {"lab": args.lab, "pages": [str(p) for p in written]})
    return 0 if written else 1


def _check(course: Course, args: argparse.Namespace) -> int:
    """Score one notebook in a temporary course and print results.json, in the form that Gradescope reads."""
    from autograder import check

    runner = _runner(args)
    print(json.dumps(check.check(course, args.notebook, args.lab, runner), indent=1, ensure_ascii=False))
    runner.close()
    return 0


def _demo(course: Course, args: argparse.Namespace) -> int:
    """The whole circle without a browser: release, hand in, grade, class table, feedback.

    It runs in a folder of its own; nothing of the course is changed.
    """
    from autograder import demo

    into = args.into or Path(tempfile.mkdtemp(prefix="syncpoint-demo-"))
    if into.exists() and any(into.iterdir()):
        raise UsageError(f"{into} is not empty: give an empty or new folder")
    say: Callable[[str], None] = (lambda text: print(text, file=sys.stderr)) if args.json else print
    runner, workers = _runner_for_our_own(args), args.workers or _CORES
    made = demo.demo(course, into, runner=runner, workers=workers, say=say, quiet=args.quiet)
    runner.close()
    if args.json:
        from autograder import report

        print(json.dumps([report.as_json(made, lab) for lab in made.labs()], indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
