"""Running submissions in the sandbox: the trusted side. See `autograder.inside` for the other one.

One zygote a worker is started once; each submission is a fork of it. The learner's cells and the lab's tests are sent
one at a time, so a test is nowhere inside before its turn. What comes back is believed only if it has the right form
and the request's nonce; after a test that passed, two canaries must still behave: one that has to fail, one that has to
return a fresh token.

A cell that dies, or cannot be stopped, costs itself: a fresh process runs the learner's earlier cells again and goes
on. What was scored stays.
"""

from __future__ import annotations

import base64
import contextlib
import secrets
import threading
import time
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from autograder import integrity, labs
from autograder.kernels import DIED, NOT_RUN, TIMEOUT, CellRun, Limits, Runner, Stopped, error_output, to_run
from autograder.sandbox import Sandbox, find
from autograder.zygotes import Died, Session, TimedOut, Zygote

_RESTARTS = 4  # fresh processes for one notebook
_FILES_BYTES = 50 << 20


class JailRunner(Runner):
    """Runs notebooks in a sandbox. Worker threads share zygotes: each takes one, or starts one."""

    def __init__(self, limits: Limits | None = None, sandbox: Sandbox | None = None) -> None:
        self.limits = limits or Limits()
        self.sandbox = sandbox or find()
        self._idle: list[Zygote] = []
        self._busy: set[Zygote] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def run(self, notebook: NotebookNode, folder: Path, imports: dict[str, str] | None = None) -> list[CellRun]:
        """See `Runner`. A sandbox that ends is no learner's fault: the notebook is run once more, in a fresh one."""
        try:
            return self._once(notebook, folder, imports or {})
        except RuntimeError:
            return self._once(notebook, folder, imports or {})

    def _once(self, notebook: NotebookNode, folder: Path, imports: dict[str, str]) -> list[CellRun]:
        run = _Run(self, notebook, folder, imports)
        try:
            return run.all_cells()
        except (Died, TimedOut, RuntimeError):
            if self._stopped:
                raise Stopped from None
            raise
        finally:
            run.end()

    def stop(self) -> None:
        """See `Runner`."""
        self._stopped = True
        self.close()

    def close(self) -> None:
        """End all zygotes."""
        with self._lock:
            zygotes = [*self._busy, *self._idle]
            self._idle = []
        for zygote in zygotes:
            zygote.close()

    def take(self, imports: dict[str, str]) -> Zygote:
        """A zygote that has imported these modules; idle ones of another lab are ended, they hold memory."""
        with self._lock:
            fitting = [z for z in self._idle if z.imports == imports]
            others = [z for z in self._idle if z.imports != imports]
            self._idle = fitting[1:]
        for other in others:
            other.close()
        zygote = fitting[0] if fitting else Zygote.start(self.sandbox, imports, self.limits)
        with self._lock:
            self._busy.add(zygote)
        return zygote

    def give_back(self, zygote: Zygote) -> None:
        """It is free again; one that cannot be used again is closed."""
        with self._lock:
            self._busy.discard(zygote)
            again = zygote.reusable and not self._stopped and zygote.process.poll() is None
            if again:
                self._idle.append(zygote)
        if not again:
            zygote.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # the interpreter may be going down
            self.close()


class _Run:
    """One notebook."""

    def __init__(self, runner: JailRunner, notebook: NotebookNode, folder: Path, imports: dict[str, str]) -> None:
        self.runner, self.notebook, self.limits = runner, notebook, runner.limits
        self.imports = imports
        self.files = pack(folder)
        self.ends = time.monotonic() + runner.limits.notebook_s
        self.zygote: Zygote | None = None
        self.session: Session | None = None
        self.number = 0
        self.gone = ""  # why no further cell can run
        self.restarts = 0
        self.done: list[tuple[NotebookNode, int]] = []  # learner's cells that ended, with their numbers

    def all_cells(self) -> list[CellRun]:
        """Run them in order."""
        return [self._one(index, self.notebook.cells[index]) for index in to_run(self.notebook)]

    def end(self) -> None:
        """Let the process go."""
        if self.session is not None:
            self.session.close()
            self.session = None
        if self.zygote is not None:
            self.runner.give_back(self.zygote)
            self.zygote = None

    def _one(self, index: int, cell: NotebookNode) -> CellRun:
        if not self.gone and time.monotonic() > self.ends:
            self.gone = f"the notebook ran longer than {self.limits.notebook_s:g} s in all"
        self.number += 1
        cell.execution_count = self.number
        if not self.gone and self.session is None:
            self._start(index)
        if self.gone:
            cell.outputs = [error_output(NOT_RUN, f"this cell was not run: {self.gone}")]
            return CellRun(index, "not run", 0.0)
        test = labs.kind(cell) == "test"
        begun = time.monotonic()
        allowed_s = max(0.1, min(self.limits.cell_s, self.ends - begun))
        try:
            answer = self._ask("test" if test else "cell", cell.source, self.number, allowed_s)
        except TimedOut:
            return self._late(index, cell, allowed_s, test)
        except Died as died:
            cell.outputs = [error_output(DIED, f"{died} while this cell ran")]
            self._lose(f"the process ended in cell {index + 1} of the notebook")
            return CellRun(index, "died", round(time.monotonic() - begun, 3))
        cell.outputs = integrity.outputs(answer)
        tricks = integrity.tricks(answer)
        if not test:
            self.done.append((cell, self.number))
        elif answer["ok"]:
            tricks += self._canaries()
        status = "ok" if answer["ok"] else "error"
        seconds = integrity.seconds(answer, most=time.monotonic() - begun)
        return CellRun(index, status, seconds, tuple(tricks), integrity.traces(answer))

    def _late(self, index: int, cell: NotebookNode, allowed_s: float, test: bool) -> CellRun:
        """The cell ran too long: interrupt it; what does not listen is killed."""
        assert self.session is not None
        cell.outputs = [error_output(TIMEOUT, f"this cell ran longer than {allowed_s:.3g} s and was stopped")]
        if self.session.interrupt():
            if not test:
                self.done.append((cell, self.number))
        else:
            self._lose(f"cell {index + 1} of the notebook could not be stopped")
        return CellRun(index, "timeout", round(allowed_s, 3))

    def _lose(self, why: str) -> None:
        """The process is gone; a fresh one is started when a cell needs it."""
        self.end()
        self.restarts += 1
        if self.restarts > _RESTARTS:
            self.gone = f"{why}, and {_RESTARTS} fresh ones ended too"

    def _start(self, index: int) -> None:
        """A process, in the state that the earlier cells leave."""
        self.zygote = self.runner.take(self.imports)
        try:
            self.session = self.zygote.session()
            if self.files:
                self.session.ask({"op": "files", "files": self.files}, 60)
            for cell, number in self.done:
                left = self.ends - time.monotonic()
                self._ask("cell", cell.source, number, max(0.1, min(self.limits.cell_s, left)))
        except (Died, TimedOut) as error:
            self.end()
            self.gone = f"a fresh process could not run the earlier cells again ({error})"
            if not self.done:  # it is the grader that does not work
                raise

    def _ask(self, op: str, source: str, number: int, allowed_s: float) -> dict[str, Any]:
        assert self.session is not None
        request = {"op": op, "source": source, "number": number, "most": self.limits.output_bytes}
        return self.session.ask(request, allowed_s)

    def _canaries(self) -> list[str]:
        """Does the process still tell right from wrong? Two tests that only an honest one gets right."""
        token = secrets.token_hex(8)
        must_fail = f"assert {secrets.randbelow(10**9)} == {-1 - secrets.randbelow(10**9)}, {token!r}"
        must_return = f"{token!r}"
        try:
            failed = self._ask("test", must_fail, self.number, 10)
            returned = self._ask("test", must_return, self.number, 10)
        except (Died, TimedOut):
            self._lose("the process ended between two tests")
            return ["its process ended between two tests"]
        if failed["ok"] or token not in str(failed["outputs"]):
            return ["a test that must fail passed in its process"]
        if not returned["ok"] or token not in str(returned["outputs"]):
            return ["its process does not answer as it should"]
        return []


def pack(folder: Path) -> dict[str, str]:
    """The lab's own files beside the notebook, as text that travels: path -> base64."""
    found: dict[str, str] = {}
    size = 0
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink()):
        size += path.stat().st_size
        if size > _FILES_BYTES:
            raise ValueError(f"the files beside the notebook are larger than {_FILES_BYTES >> 20} MB: {path.name}")
        found[path.relative_to(folder).as_posix()] = base64.b64encode(path.read_bytes()).decode()
    return found


def unpack(files: dict[str, str], folder: Path) -> None:
    """The files again, in another folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content))
