"""nbgrader's `autograde` and `autograder grade`, the same notebooks on the same machine, in turn.

    python benchmarks/grader.py                 a small notebook that imports torch; ratio of submissions a minute
    python benchmarks/grader.py --scale         one worker and two; a thousand submissions; a class report of them
    python benchmarks/grader.py --labs          what grading adds to the cells' own execution time, lab by lab
    python benchmarks/grader.py --json          the same for machines

nbgrader starts a kernel for each notebook and imports torch in it; the autograder forks a process in its sandbox that
has torch already. Both are started anew as a user starts them, so each figure holds the program's own start, too: the
median of the rounds is told. Scores of both are compared before anything is timed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, v4

from autograder import grade, gradebook, notebooks, release, report
from autograder.course import Course, quiet
from autograder.jail import JailRunner

ROOT = Path(__file__).parents[1]
LAB = "01_small"
ANSWER = "def double(x):\n    return x * 2"


def cell(source: str, **about: object) -> NotebookNode:
    """A code cell with nbgrader's metadata."""
    made = v4.new_code_cell(source)
    if about:
        plain = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
        made.metadata["nbgrader"] = {**plain, **about}
    return made


def lab() -> NotebookNode:
    """A small notebook that imports torch: one answer, three tests, seven cells."""
    solution = "# Task 1.1: double it\ndef double(x):\n    ### BEGIN SOLUTION\n    return x * 2\n    ### END SOLUTION"
    tests = [
        "assert double(torch.ones(3)).sum() == 6",
        "assert double(torch.arange(4)).tolist() == [0, 2, 4, 6]",
        "x = torch.randn(8, 8)\nassert torch.equal(double(x), x + x)",
    ]
    cells = [v4.new_markdown_cell("# Small"), cell("import torch", grade_id="setup", locked=True)]
    cells += [cell("torch.manual_seed(0);"), cell(solution, grade_id="double", solution=True)]
    cells += [cell(t, grade_id=f"test_{n}", grade=True, locked=True, points=1) for n, t in enumerate(tests)]
    return notebooks.canonical(v4.new_notebook(cells=cells))


def make_course(root: Path, students: int) -> Course:
    """A course with the small lab, handed in by so many students; every third is wrong."""
    root.mkdir(parents=True)
    shutil.copyfile(ROOT / "nbgrader_config.py", root / "nbgrader_config.py")
    path = root / "source" / LAB / f"{LAB}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(notebooks.dumps(lab()), encoding="utf-8")
    course = Course(root)
    with quiet():
        release.release(course, LAB)
        gradebook.register(course, LAB)
    released = (course.release(LAB) / f"{LAB}.ipynb").read_text(encoding="utf-8")
    for number in range(students):
        notebook = notebooks.parse(released.encode())
        answer = next(c for c in notebook.cells if notebooks.grade_id(c) == "double")
        answer.source = ANSWER if number % 3 else ANSWER.replace("x * 2", "x + 2")
        handed_in = course.submitted(f"s{number:04}", LAB) / f"{LAB}.ipynb"
        handed_in.parent.mkdir(parents=True)
        handed_in.write_text(notebooks.dumps(notebook), encoding="utf-8")
    return course


def by_nbgrader(course: Course) -> float:
    """Seconds of `nbgrader autograde`."""
    return _timed([str(Path(sys.executable).parent / "nbgrader"), "autograde", LAB, "--force"], course)


def by_autograder(course: Course, workers: int) -> float:
    """Seconds of `autograder grade`, sandbox on."""
    command = [sys.executable, "-m", "autograder.cli", "grade", LAB, "--force", "--quiet", "--workers", str(workers)]
    return _timed(command, course)


def _timed(command: list[str], course: Course) -> float:
    begun = time.perf_counter()
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    return time.perf_counter() - begun


def scores(course: Course) -> dict[str, dict[str, float | None]]:
    """The machine's points by student and cell."""
    return {s: {n: m.auto for n, m in marks.cells.items()} for s, marks in gradebook.marks(course, LAB).items()}


def side_by_side(folder: Path, few: int, many: int, rounds: int) -> dict[str, Any]:
    """Submissions a minute, each program on a batch that takes it some tens of seconds at most."""
    small, large = make_course(folder / "few", few), make_course(folder / "many", many)
    by_nbgrader(small)
    theirs = scores(small)
    by_autograder(small, 1)
    if scores(small) != theirs:
        raise SystemExit("the scores differ: nothing is worth timing")
    seconds: dict[str, list[float]] = {"nbgrader": [], "1 worker": [], "2 workers": []}
    for _ in range(rounds):
        seconds["nbgrader"].append(by_nbgrader(small))
        seconds["1 worker"].append(by_autograder(large, 1))
        seconds["2 workers"].append(by_autograder(large, 2))
    counts = {"nbgrader": few, "1 worker": many, "2 workers": many}
    rates = {name: 60 * counts[name] / statistics.median(found) for name, found in seconds.items()}
    ratios = {name: rates[name] / rates["nbgrader"] for name in ("1 worker", "2 workers")}
    return {"submissions": counts, "a minute": rates, "times nbgrader": ratios}


def scale(folder: Path, students: int) -> dict[str, Any]:
    """One long batch in this process: its rate, how memory grows, how long the class report takes."""
    course = make_course(folder / "scale", students)
    memory: list[int] = []
    runner = JailRunner()
    done = 0

    def each(result: object) -> None:
        nonlocal done
        done += 1
        if done in (students // 10, students // 2, students):
            memory.append(_resident(os.getpid()) + sum(_resident(pid) for pid in _children()))

    begun = time.perf_counter()
    grade.grade(course, LAB, runner=runner, workers=2, report=each)
    graded_s = time.perf_counter() - begun
    runner.close()
    begun = time.perf_counter()
    report.html(course, LAB)
    report_s = time.perf_counter() - begun
    return {
        "submissions": students,
        "a minute": 60 * students / graded_s,
        "MB after a tenth, half, all": [m >> 20 for m in memory],
        "largest MB of the grader": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
        "class report s": report_s,
    }


def _children() -> list[int]:
    """All processes below this one."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents[int(path.parent.name)] = int(fields[1])
    below, found = {os.getpid()}, []
    while new := {pid for pid, parent in parents.items() if parent in below and pid not in below}:
        below |= new
        found += sorted(new)
    return found


def _resident(pid: int) -> int:
    """Bytes of memory that a process has in use; a page that n processes share counts 1/n."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended, or is not ours to look at
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))


def labs(names: list[str]) -> dict[str, Any]:
    """For each lab with its own solutions: the cells' time in the sandbox, and the whole run's."""
    from autograder import integrity
    from autograder.labs import without_markers

    course = Course.find(ROOT)
    found = {}
    for name in names or course.labs():
        read = course.lab(name)
        for each in read.notebook.cells:
            if each.cell_type == "code":
                each.source = without_markers(each.source)
        imports = integrity.imports_of(read.notebook)
        runner = JailRunner()
        rounds = []
        with tempfile.TemporaryDirectory() as folder:
            release.copy_extra_files(course, name, Path(folder))
            runner.run(read.notebook, Path(folder), imports)  # starts the zygote
            for _ in range(3):
                begun = time.perf_counter()
                runs = runner.run(read.notebook, Path(folder), imports)
                rounds.append((time.perf_counter() - begun, sum(run.seconds for run in runs)))
        runner.close()
        whole, cells = (statistics.median(part) for part in zip(*rounds, strict=True))
        found[name] = {"cells s": cells, "whole s": whole, "added s": whole - cells, "ratio": whole / cells}
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--scale", action="store_true")
    parser.add_argument("--labs", nargs="*", metavar="LAB")
    parser.add_argument("--few", type=int, default=6, help="submissions for nbgrader (6)")
    parser.add_argument("--many", type=int, default=200, help="submissions for the autograder (200)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--students", type=int, default=1000, help="with --scale")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="autograder-bench-") as folder:
        if args.labs is not None:
            found: dict[str, Any] = labs(args.labs)
        elif args.scale:
            found = scale(Path(folder), args.students)
        else:
            found = side_by_side(Path(folder), args.few, args.many, args.rounds)
    if args.json:
        print(json.dumps(found, indent=1))
        return
    for name, value in found.items():
        told = value if isinstance(value, dict) else {"": value}
        print(f"{name:32}", "  ".join(f"{k} {v:.2f}" if isinstance(v, float) else f"{k} {v}" for k, v in told.items()))


if __name__ == "__main__":
    main()
