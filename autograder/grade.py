"""Grading a lab: from submitted/ to points in the gradebook, a graded notebook and a ``result.json`` for each student.

One submission goes through three steps: it is prepared (read, repaired, given the lab's own tests), run (`jail.py`, the
only step that executes foreign code and the only one that may happen elsewhere) and stored. Whatever goes wrong with
one submission is that submission's result, with the reason; the others go on. Only a full disk ends the run.

A submission is graded again only if something that matters changed: its notebook, the lab, the course's code or the
limits. Grades that humans entered are kept.

    >>> grade(course, "01_tiny")                     # doctest: +SKIP
    [Result(student='ada', lab='01_tiny', status='graded', ...), ...]
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib.util
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from nbformat import NotebookNode

from autograder import gradebook, integrity, labs, leaks, notebooks, prepare, release, results, scores
from autograder.course import Course, UsageError, log, quiet
from autograder.explain import explain
from autograder.kernels import CellRun, Runner
from autograder.labs import Lab
from autograder.mistakes import Bank
from autograder.results import CellResult, Result

MAX_BYTES = 100_000_000  # of a submitted notebook
Report = Callable[[Result], None]
T = TypeVar("T")


@dataclass
class Job:
    """A submission that is ready to run."""

    result: Result
    notebook: NotebookNode


def grade(
    course: Course,
    lab: str,
    students: list[str] | None = None,
    force: bool = False,
    runner: Runner | None = None,
    workers: int = 1,
    report: Report = lambda result: None,
) -> list[Result]:
    """Grade all submissions of a lab, or those of some students. `report` hears of each as it is done."""
    wanted = _wanted(course, lab, students)
    with quiet(), _alone(course, lab), contextlib.ExitStack() as stack:
        read = course.lab(lab)
        problems = leaks.in_source(read.notebook)
        if problems:
            raise release.Refused(lab, problems)
        gradebook.register(course, lab)
        writer = stack.enter_context(gradebook.Writer(course, lab))
        grading = _Grading(course, read, runner or stack.enter_context(_jail()), writer, force)
        done = {}
        for result in grading.all(wanted, workers):
            done[result.student] = result
            report(result)
    return [done[student] for student in wanted]


@contextlib.contextmanager
def _jail() -> Iterator[Runner]:
    from autograder.jail import JailRunner

    runner = JailRunner()
    try:
        yield runner
    finally:
        runner.close()


@contextlib.contextmanager
def _alone(course: Course, lab: str) -> Iterator[None]:
    """One grader a lab: a second one would do the work twice. UsageError if there is one already."""
    from filelock import FileLock, Timeout

    path = course.autograded("x", lab).parent.parent / f".{lab}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise UsageError(f"another autograder is grading {lab} in this course: wait until it has ended") from None
    try:
        yield
    finally:
        lock.release()


def _wanted(course: Course, lab: str, students: list[str] | None) -> list[str]:
    there = course.students(lab)
    unknown = sorted(set(students or []) - set(there))
    if unknown:
        raise UsageError(f"no submission of {lab} by {unknown[0]!r}; there are: {', '.join(there) or 'none'}")
    return sorted(set(students)) if students else there


class _Grading:
    """One run over a lab's submissions."""

    def __init__(self, course: Course, lab: Lab, runner: Runner, writer: gradebook.Writer, force: bool) -> None:
        self.course, self.lab, self.runner, self.writer, self.force = course, lab, runner, writer, force
        self.master = release.master(course.directory(lab.name), lab.name, lab.name)
        self.bank = Bank.of(course, lab.name)
        self.imports = integrity.imports_of(lab.notebook)
        self.fixed = _lab_hash(course.source(lab.name)) + _code_hash() + repr(runner.limits).encode()

    def all(self, students: list[str], workers: int) -> Iterator[Result]:
        entered = set() if self.force else gradebook.entered(self.course, self.lab.name)
        jobs = []
        for student in students:
            result = Result(student, self.lab.name, fingerprint=self._fingerprint(student))
            before = results.read(self._folder(student))
            if before and before.status != "failed" and student in entered and before.fingerprint == result.fingerprint:
                yield before
            else:
                jobs.append(result)
        yield from self._run_all(jobs, workers)

    def _run_all(self, todo: list[Result], workers: int) -> Iterator[Result]:
        """The gradebook has one writer, this thread; only notebooks are run side by side."""
        with ThreadPoolExecutor(workers) as pool:
            try:
                for start in range(0, len(todo), 4 * workers):  # a few at a time: prepared notebooks take memory
                    yield from self._run_some(todo[start : start + 4 * workers], pool)
            except BaseException:  # Ctrl-C, most likely: do not wait for what is running
                pool.shutdown(wait=False, cancel_futures=True)
                self.runner.stop()
                raise

    def _run_some(self, todo: list[Result], pool: ThreadPoolExecutor) -> Iterator[Result]:
        jobs = [(result, self._guarded(self._prepare, result)) for result in todo]
        running = [(r, job, pool.submit(self._guarded, self._run, r, job)) for r, job in jobs if job]
        yield from (result for result, job in jobs if not job)
        for result, job, future in running:
            runs = future.result()
            if runs is not None:
                self._guarded(self._store, result, job, runs)
            yield result

    def _guarded(self, step: Callable[..., T], result: Result, *args: object) -> T | None:
        """One step; if it breaks, the submission's result says so and the class goes on."""
        try:
            return step(result, *args)
        except Exception as error:
            if _disk_is_full(error):
                raise UsageError(
                    f"the disk is full: {result.student} could not be saved. What was graded before is saved; make "
                    "room and run the same command again"
                ) from error
            log.debug("grading %s broke", result.student, exc_info=True)
            result.status, result.reason = "failed", f"{type(error).__name__}: {error}"
            return None

    def _prepare(self, result: Result) -> Job | None:
        folder = self._folder(result.student)
        with contextlib.suppress(FileNotFoundError):
            (folder / results.NAME).unlink()  # from here on the old result no longer stands
        try:
            notebook = self._read(result)
        except notebooks.UnreadableNotebook as error:
            result.status = "missing" if self._path(result.student) is None else "unreadable"
            result.reason = str(error)
            self._zero(result)
            return None
        notebook, notes = prepare.prepare(notebook, self.master)
        result.notes += notes
        return Job(result, notebook)

    def _run(self, result: Result, job: Job) -> list[CellRun]:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True) as folder:
            release.copy_extra_files(self.course, self.lab.name, Path(folder))
            runs = self.runner.run(job.notebook, Path(folder), self.imports)
        result.seconds = round(time.monotonic() - begun, 3)
        return runs

    def _store(self, result: Result, job: Job, runs: list[CellRun]) -> None:
        result.cells = explain(self.lab, job.notebook, runs)
        result.suspicions = integrity.suspicions(job.notebook, runs)
        answers = {name: cell for cell in job.notebook.cells if (name := notebooks.grade_id(cell))}
        self._add_reasons(result, answers)
        graded = {name: scores.score(answers[name]) for name in self.lab.points if name in answers}
        untouched = {name for name, cell in answers.items() if scores.untouched(cell)}
        doubted = {notebooks.grade_id(job.notebook.cells[run.cell]) or "" for run in runs if run.tricks}
        self.writer.enter(result.student, graded, untouched, doubted)
        folder = self._folder(result.student)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.lab.name}.ipynb"
        path.unlink(missing_ok=True)  # nbgrader makes them read-only
        path.write_text(notebooks.dumps(job.notebook), encoding="utf-8", newline="\n")
        results.write(folder, result)

    def _add_reasons(self, result: Result, cells: dict[str, NotebookNode]) -> None:
        """Say of answers that lost points which typical mistake they read like."""
        lost = {cell.task for cell in result.cells if cell.points is not None and cell.points < cell.max_points}
        for cell in result.cells:
            if cell.kind == "answer" and cell.task in lost and cell.grade_id in cells:
                cell.reason = self.bank.reason(cell.grade_id, cells[cell.grade_id].source)

    def _zero(self, result: Result) -> None:
        for exercise in self.lab.exercises:
            for name, points in exercise.points.items():
                kind = labs.kind(self.lab.cell(name))
                cell = CellResult(name, exercise.task.number, kind, 0.0, points, "missing", result.reason)
                result.cells.append(cell)
        self.writer.enter(result.student, {})
        results.write(self._folder(result.student), result)

    def _folder(self, student: str) -> Path:
        return self.course.autograded(student, self.lab.name)

    def _path(self, student: str) -> Path | None:
        """The submitted notebook: the one of the lab's name, else the only one there is."""
        folder = self.course.submitted(student, self.lab.name)
        named = folder / f"{self.lab.name}.ipynb"
        others = sorted(folder.glob("*.ipynb"))
        return named if named in others else others[0] if len(others) == 1 else None

    def _read(self, result: Result) -> NotebookNode:
        path = self._path(result.student)
        if path is None:
            raise notebooks.UnreadableNotebook(f"no notebook {self.lab.name}.ipynb was handed in")
        if path.is_symlink() or not path.is_file():
            raise notebooks.UnreadableNotebook(f"{path.name} is not a plain file")
        if path.stat().st_size > MAX_BYTES:
            raise notebooks.UnreadableNotebook(f"{path.name} is larger than {MAX_BYTES // 10**6} MB")
        if path.stem != self.lab.name:
            result.notes.append(f"the notebook was called {path.name!r}")
        notebook, told = notebooks.parse_with_notes(path.read_bytes())
        result.notes += told
        return notebook

    def _fingerprint(self, student: str) -> str:
        """Changes when grading again could give another result."""
        path = self._path(student)
        digest = hashlib.sha256()
        if path is not None and path.is_file() and path.stat().st_size <= MAX_BYTES:
            digest.update(path.name.encode() + path.read_bytes())
        digest.update(self.fixed)
        return digest.hexdigest()


def _disk_is_full(error: BaseException) -> bool:
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return full or "database or disk is full" in str(error)


def _lab_hash(folder: Path) -> bytes:
    return _hash_of([folder / f"{folder.name}.ipynb", *leaks.extra_files(folder)])


@lru_cache(maxsize=1)
def _code_hash() -> bytes:
    """Of the code that decides points: the checks that the labs use, and the autograder itself."""
    files = []
    for package in ("syncpoint", "autograder"):
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            files += sorted(Path(folder).rglob("*.py"))
    return _hash_of(files)


def _hash_of(files: list[Path]) -> bytes:
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()
