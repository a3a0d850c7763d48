"""`autograder intake`: a folder, a zip or an LMS's download of submissions, into ``submitted/<student>/<lab>/``.

Each file finds its student (`downloads.py`, `roster.py`), each student's notebooks are read within limits (`files.py`),
the one that counts is chosen (`choose.py`) and put in its place, with a receipt, so that nothing is lost (`place.py`).
The notebook is kept as it was handed in; grading mends a copy of it, and what it will mend is told here already.

Whatever is wrong with a file is a line of the report, with the reason; the others go on. The same download taken in
twice changes nothing.

What it does not: run or grade anything, or take along other files than notebooks; they are listed.

    >>> report = intake(course, Path("submissions.zip"), "01_tensors_and_devices")          # doctest: +SKIP
    >>> report.students[0]                                                                  # doctest: +SKIP
    Taken(student='ada', state='new', file='adalovelace_12_34_01_tensors_and_devices.ipynb', ...)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from autograder import release, repair
from autograder.course import Course, UsageError, quiet
from autograder.intake import downloads, files, place, roster
from autograder.intake.choose import Candidate, Labs, candidates
from autograder.intake.downloads import Handed
from autograder.intake.roster import Roster, Unknown


@dataclass
class Taken:
    """What became of one student's files."""

    student: str
    state: str
    file: str
    received: str
    late: bool | None = None
    unreadable: str = ""  # why, if the file that counts cannot be read
    notes: list[str] = field(default_factory=list)  # about the file
    mended: list[str] = field(default_factory=list)  # what grading will mend in it


@dataclass
class Report:
    """One intake. `problems` and `left_out`: (path, reason)."""

    lab: str
    source: str
    kind: str
    dry: bool = False
    students: list[Taken] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # files that are no notebooks
    missing: list[str] = field(default_factory=list)  # in the roster, and nothing of theirs is in submitted/

    @property
    def attention(self) -> bool:
        """Is there anything that a human should look at?"""
        return bool(self.problems) or any(taken.unreadable for taken in self.students)


def intake(
    course: Course,
    source: Path,
    lab: str,
    *,
    kind: str | None = None,
    roster_file: Path | None = None,
    student: str | None = None,
    received: datetime | None = None,
    dry: bool = False,
    step: Callable[[int, str], None] = lambda total, what: None,
) -> Report:
    """Take in a download. `student`: all of it is theirs. `received`: the time of receipt, if the files do not tell.

    `step` hears of each student: how many there are, and who it was. UsageError if there is nothing to be taken in.
    """
    course.lab(lab)
    people = roster.read(course, roster_file)
    try:
        with files.listed(source) as items:
            if not items:
                raise UsageError(f"{source} holds no files")
            kind = kind or downloads.recognise(items)
            report = Report(lab, str(source), kind, dry)
            by_student = _sorted_by_student(items, people, report, student)
            _Intake(course, lab, report, received).all(by_student, step)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if people.closed:
        report.missing = [
            s.id for s in people.students if s.id not in by_student and s.id not in set(course.students(lab))
        ]
    return report


def _sorted_by_student(
    items: list[files.Item], people: Roster, report: Report, student: str | None
) -> dict[str, list[Handed]]:
    handed, strange = downloads.handed_in(items, report.kind, report.lab, people.knows)
    report.problems += strange
    found: dict[str, list[Handed]] = defaultdict(list)
    for each in handed:
        if each.item.name == "timestamp.txt":  # a submission does not say when it was received
            continue
        try:
            found[student or people.find(each.clues)].append(each)
        except Unknown as error:
            report.problems.append((each.item.path, str(error)))
    return dict(sorted(found.items()))


class _Intake:
    """The second half: each student's files, one after the other."""

    def __init__(self, course: Course, lab: str, report: Report, received: datetime | None) -> None:
        self.course, self.lab, self.report, self.received = course, lab, report, received
        self.labs = Labs(course, lab)
        self.now = datetime.now(UTC)
        self.folders = {name.casefold(): name for name in course.students(lab)}

    def all(self, by_student: dict[str, list[Handed]], step: Callable[[int, str], None]) -> None:
        for student, handed in by_student.items():
            # Windows and macOS take Ada and ada for one folder.
            student = self.folders.setdefault(student.casefold(), student)
            taken = self._one(student, handed)
            step(len(by_student), f"{student}: {taken.state if taken else 'nothing'}")

    def _one(self, student: str, handed: list[Handed]) -> Taken | None:
        found, refused, others = candidates(handed, self.labs)
        self.report.problems += refused
        self.report.left_out += others
        if not found:
            if not refused:
                reason = f"no notebook of {student} is among: {', '.join(others)}"
                self.report.problems.append((others[0], reason))
            return None
        *others_of_theirs, best = found
        if others_of_theirs:
            best.notes.append(f"{len(found)} notebooks: {best.handed.name!r} counts, the others are kept beside it")
        taken = self._put(student, best)
        for each in others_of_theirs:
            self._guarded(each, place.beside, student, each, self._when(each))
        return taken

    def _when(self, new: Candidate) -> datetime:
        return (self.received or new.handed.received or self.now).astimezone(UTC)

    def _guarded(self, new: Candidate, put: Callable[..., str], student: str, *what: object) -> str:
        """Write; a disk that is full or a folder that may not be written is a line of the report."""
        try:
            return put(self.course.submitted(student, self.lab), self.lab, *what, self.report.kind, self.report.dry)
        except OSError as error:
            self.report.problems.append((new.handed.item.path, f"it cannot be written: {error}"))
            return "not written"

    def _put(self, student: str, new: Candidate) -> Taken:
        if not (self.received or new.handed.received):
            new.notes.append("the download does not tell when it was received: the time of intake counts")
        if new.notebook is not None and not new.fits:
            new.notes.append("none of its cells is one of this lab")
        received = self._when(new)
        state = self._guarded(new, place.place, student, new, received)
        taken = Taken(
            student, state, new.handed.item.path, received.isoformat(), new.handed.late, new.reason, new.notes
        )
        taken.mended = self._will_be_mended(new)
        self.report.students.append(taken)
        return taken

    def _will_be_mended(self, new: Candidate) -> list[str]:
        if new.notebook is None:
            return []
        with quiet():
            master = release.master(self.course.directory(self.lab), self.lab, self.lab)
            return repair.repair(new.notebook, master)[1]
