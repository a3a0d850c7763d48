"""The bank of right and wrong answers: does a lab's grading notice what it should, and nothing else?

``tests/answers/NN_name/<grade_id>/`` holds answers to the cell <grade_id> of a lab. A file is the whole text of that
cell as a learner would write it. ``right_*.py`` must get full points from every test that depends on the cell;
``wrong_*.py`` must lose points, for the reason it names. Comments at the top of the file:

    # reason: reads one number back per step        (needed in wrong_*: why it loses points)
    # fails: test_loop_waits, test_loop_hidden      (each of these test cells must take points)
    # says: line 4                                  (a failing cell's message must hold this; case does not matter)

A wrong answer that loses its points by anything but a failed check (NameError, say) needs ``# says:``, so that a slip
in the answer is not taken for the mistake that it should show. `dependence.py` says which tests depend on a cell.

    python -m autograder.answers 01_tensors_and_devices           # try the bank of one lab, or of all
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import v4

from autograder import labs, scores
from autograder.course import Course, UsageError
from autograder.dependence import dependent_tests
from autograder.forked import NO_CELL, Outcome, Trial, try_answers
from autograder.labs import Lab
from autograder.notebooks import grade_id

_HEADER = re.compile(r"^#\s*(reason|fails|says):\s*(.+?)\s*$")


@dataclass(frozen=True)
class Answer:
    """One file of the bank."""

    path: Path
    cell: str  # grade_id
    source: str
    right: bool
    reason: str = ""
    fails: tuple[str, ...] = ()
    says: str = ""


@dataclass
class Verdict:
    """What a lab's tests made of an answer."""

    answer: Answer
    points: dict[str, float] = field(default_factory=dict)  # of each test that was run
    messages: dict[str, str] = field(default_factory=dict)  # of each cell that raised
    problems: list[str] = field(default_factory=list)  # why the answer does not do what it should


def read_answer(path: Path) -> Answer:
    """Read one file. ValueError names what its header lacks."""
    source = path.read_text(encoding="utf-8").rstrip("\n")
    header: dict[str, str] = {}
    for line in source.split("\n"):
        if not line.startswith("#"):
            break
        if found := _HEADER.match(line):
            header[found.group(1)] = found.group(2)
    right = path.name.startswith("right_")
    if not right and not source.startswith("# reason:"):
        raise ValueError(f"{path}: a wrong answer starts with a line '# reason: why it loses points'")
    fails = tuple(name.strip() for name in header.get("fails", "").split(",") if name.strip())
    return Answer(path, path.parent.name, source, right, header.get("reason", ""), fails, header.get("says", ""))


def read_bank(folder: Path) -> list[Answer]:
    """All answers to a lab. A file of another name is an error: it would never be tried."""
    answers = []
    for path in sorted(p for p in folder.rglob("*.py") if "__pycache__" not in p.parts):
        if not path.name.startswith(("right_", "wrong_")) or path.parent.parent != folder:
            raise ValueError(f"{path}: answers are called <grade_id>/right_*.py or <grade_id>/wrong_*.py")
        answers.append(read_answer(path))
    return answers


def try_bank(lab: Lab, answers: list[Answer], limit_s: float = 60) -> tuple[list[Verdict], Verdict]:
    """Try all answers to a lab; the second value is the lab with its own solutions, which must get full points."""
    last = labs.last_graded(lab.notebook)
    cells = [c for c in lab.notebook.cells[: last + 1] if c.cell_type == "code" and not labs.is_demo(c)]
    places = {name: index for index, cell in enumerate(cells) if (name := grade_id(cell))}
    for answer in answers:
        _check_names(lab, answer, places)
    trials = [Trial(places[a.cell], a.source, max(places[t] for t in _tests(lab, a))) for a in answers]
    outcomes = try_answers([labs.without_markers(cell.source) for cell in cells], trials, limit_s)
    names = {index: name for name, index in places.items()}
    verdicts = [_judge(lab, a, _tests(lab, a), o, names) for a, o in zip(answers, outcomes, strict=False)]
    tests = [name for name in lab.points if labs.kind(lab.cell(name)) == "test"]
    own = Answer(Path("the lab's own solutions"), "", "", right=True)
    return verdicts, _judge(lab, own, tests, outcomes[-1], names)


def _check_names(lab: Lab, answer: Answer, places: dict[str, int]) -> None:
    known = {name for e in lab.exercises for name in e.answers if labs.kind(lab.cell(name)) == "answer"}
    if answer.cell not in known:
        raise ValueError(f"{answer.path}: lab {lab.name} has no answer cell {answer.cell!r}; it has {sorted(known)}")
    strange = set(answer.fails) - set(lab.points)
    if strange:
        raise ValueError(f"{answer.path}: lab {lab.name} has no test cell {sorted(strange)[0]!r}")
    above = [test for test in answer.fails if places[test] < places[answer.cell]]
    if above:
        raise ValueError(f"{answer.path}: test cell {above[0]!r} stands above the answer, which cannot fail it")
    if not _tests(lab, answer):
        raise ValueError(f"{answer.path}: lab {lab.name} has no test below the answer cell {answer.cell!r}")


def _tests(lab: Lab, answer: Answer) -> list[str]:
    """The tests that an answer is tried on: all that depend on it, for a wrong one those of its own exercise."""
    depend = dependent_tests(lab, answer.cell)
    if answer.right:
        return depend
    own = next(e for e in lab.exercises if answer.cell in e.answers)
    return [t for t in depend if t in own.points] + [t for t in answer.fails if t not in own.points]


def _judge(lab: Lab, answer: Answer, tests: list[str], outcomes: list[Outcome], names: dict[int, str]) -> Verdict:
    verdict = Verdict(answer)
    by_cell = {outcome.cell: outcome for outcome in outcomes}
    for outcome in outcomes:
        if outcome.error:
            unnamed = "the process" if outcome.cell == NO_CELL else f"code cell {outcome.cell + 1}"
            where = names.get(outcome.cell, unnamed)
            verdict.messages[where] = f"{outcome.error}: {outcome.message}"
    for test in tests:
        cell = next(index for index, name in names.items() if name == test)
        reached = by_cell.get(cell) or by_cell[NO_CELL]  # or the process ended before
        verdict.points[test] = _points(lab, test, reached, verdict)
    lost = [test for test, points in verdict.points.items() if points < lab.points[test]]
    verdict.problems += _faults_of_right(lab, verdict, lost) if answer.right else _faults_of_wrong(verdict, lost)
    return verdict


def _points(lab: Lab, test: str, outcome: Outcome, verdict: Verdict) -> float:
    """By the same rule as in grading."""
    cell = v4.new_code_cell(metadata=lab.cell(test).metadata)
    if outcome.error:
        cell.outputs = [v4.new_output("error", ename=outcome.error, evalue=outcome.message, traceback=[])]
    elif outcome.value:
        cell.outputs = [v4.new_output("execute_result", data={"text/plain": outcome.value})]
    score = scores.score(cell)
    if score.fault:
        verdict.problems.append(f"{test}: {score.fault}")
    return score.points or 0.0


def _faults_of_right(lab: Lab, verdict: Verdict, lost: list[str]) -> list[str]:
    faults = [
        f"{test} gave {verdict.points[test]:g} of {lab.points[test]:g}: {verdict.messages.get(test, 'no message')}"
        for test in lost
    ]
    cell = verdict.answer.cell
    if not faults and cell in verdict.messages:
        faults.append(f"the answer itself raised {verdict.messages[cell]}")
    return faults


def _faults_of_wrong(verdict: Verdict, lost: list[str]) -> list[str]:
    answer = verdict.answer
    if not lost:
        return [f"a wrong answer ({answer.reason}) that loses no points: the lab's tests do not see it"]
    faults = [f"{test} should take points and does not" for test in answer.fails if test not in lost]
    said = [verdict.messages[cell] for cell in (*lost, answer.cell, "the process") if cell in verdict.messages]
    if answer.says:
        if not any(answer.says.lower() in message.lower() for message in said):
            faults.append(f"no message holds {answer.says!r}: {said}")
    elif not any(m.startswith("AssertionError") for m in said) and said:
        faults.append(f"it loses points by {said[0]!r}, not by a failed check: mend it, or add '# says: ...'")
    return faults


def main(argv: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m autograder.answers", description="Try the bank of answers.")
    parser.add_argument("labs", nargs="*", metavar="LAB", help="all labs of the course if none is named")
    parser.add_argument("--bank", type=Path, help="folder of the bank; default: tests/answers of the course")
    parser.add_argument("--course", type=Path, default=Path(), help="a folder inside the course")
    args = parser.parse_args(argv)
    try:
        course = Course.find(args.course)
        bank = args.bank or course.root / "tests" / "answers"
        return max((_print_lab(course.lab(name), bank / name) for name in args.labs or course.labs()), default=0)
    except (UsageError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2


def _print_lab(lab: Lab, folder: Path) -> int:
    verdicts, own = try_bank(lab, read_bank(folder))
    print(f"{lab.name}: {len(verdicts)} answers, {lab.max_points:g} points")
    for verdict in (own, *verdicts):
        answer = verdict.answer
        name = f"{answer.cell}/{answer.path.name}" if answer.cell else str(answer.path)
        print(f"  {'ok ' if not verdict.problems else 'BAD'} {name}: {_sum(lab, verdict)}  {answer.reason}")
        for problem in verdict.problems:
            print(f"      {problem}")
    return 1 if own.problems or any(v.problems for v in verdicts) else 0


def _sum(lab: Lab, verdict: Verdict) -> str:
    return f"{sum(verdict.points.values()):g} of {sum(lab.points[test] for test in verdict.points):g}"


if __name__ == "__main__":
    sys.exit(main())
