"""Running a notebook: what a run is, and the plainest way to do it, a Jupyter kernel.

`KernelRunner` starts one Jupyter kernel a notebook, runs its cells in order and puts the outputs into them. Whatever
the code does is an outcome, never an exception here: a cell that runs too long is interrupted, a kernel that dies or
cannot be interrupted ends the run, and the cells that could not run say why. An exception from `run` means that the
grader itself is broken (no kernel could be started, say).

Demonstrations (`labs.is_demo`) and cells below the last graded one are not run: they give no points.

What it does not: isolate anything. The kernel runs as the user who grades, with that user's files and network. It is
for submissions that are trusted where there is no sandbox; `jail.JailRunner` is the one that grades.
"""

from __future__ import annotations

import asyncio
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, v4
from traitlets.config import Config

from autograder import labs
from autograder.course import log

TIMEOUT, DIED, NOT_RUN = "CellTimeout", "KernelDied", "NotRun"  # names of the errors that a run itself puts in


@dataclass(frozen=True)
class Limits:
    """What a submission may use. Memory, files and processes are limited in the sandbox only."""

    cell_s: float = 60
    notebook_s: float = 600
    output_bytes: int = 2_000_000  # a cell, figures included
    memory_bytes: int = 2 << 30
    file_bytes: int = 100 << 20
    processes: int = 64


@dataclass(frozen=True)
class CellRun:
    """What became of one code cell: its place, "ok", "error", "timeout", "died" or "not run", and how long it took.

    `tricks`: what looked like an attempt to pass without a right answer. `traces`: what its `sp.trace()` blocks saw.
    """

    cell: int
    status: str
    seconds: float
    tricks: tuple[str, ...] = ()
    traces: tuple[dict[str, Any], ...] = ()


class Runner(ABC):
    """Executes notebooks. `run` is called from several threads at a time, `stop` from another one."""

    limits = Limits()

    @abstractmethod
    def run(self, notebook: NotebookNode, folder: Path, imports: dict[str, str] | None = None) -> list[CellRun]:
        """Run all code cells; outputs go into the cells. `folder` holds the lab's own files.

        `imports`: what the lab itself imports, name -> "module" or "module:attribute".
        """

    def stop(self) -> None:
        """End the runs that are under way; they raise Stopped."""
        return None

    def close(self) -> None:
        """Let go of what it holds."""
        return None


def to_run(notebook: NotebookNode) -> list[int]:
    """The places of the code cells that a grading run runs: up to the last graded one, without demonstrations."""
    cells = enumerate(notebook.cells[: labs.last_graded(notebook) + 1])
    return [i for i, cell in cells if cell.cell_type == "code" and cell.source.strip() and not labs.is_demo(cell)]


class Stopped(Exception):
    """The run was ended from outside; it has no outcome."""


class KernelRunner(Runner):
    """A fresh Jupyter kernel for each notebook."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._running: set[_Run] = set()

    def run(self, notebook: NotebookNode, folder: Path, imports: dict[str, str] | None = None) -> list[CellRun]:
        """See `Runner`."""
        run = _Run(notebook, folder, self.limits)
        self._running.add(run)
        try:
            return asyncio.run(run.all_cells())
        finally:
            self._running.discard(run)

    def stop(self) -> None:
        """See `Runner`."""
        for run in list(self._running):
            run.stop()


class _Run:
    """One notebook in one kernel, on an event loop of its own."""

    def __init__(self, notebook: NotebookNode, folder: Path, limits: Limits) -> None:
        from nbclient import NotebookClient

        self.notebook, self.limits = notebook, limits
        self.started = time.monotonic()
        self.gone = ""  # why no further cell can run
        self.stopped = False
        self.cancel: Callable[[], object] = lambda: None
        self.client = NotebookClient(
            notebook,
            config=Config({"KernelManager": {"transport_encryption": "auto"}}),
            log=log,
            kernel_name="python3",
            resources={"metadata": {"path": str(folder)}},
            timeout_func=lambda cell: self._seconds_left(),
            interrupt_on_timeout=True,
            error_on_timeout={"ename": TIMEOUT, "evalue": "", "traceback": []},
            allow_errors=True,
            shutdown_kernel="immediate",
            skip_cells_with_tag="\0",  # a tag must not decide whether a test runs
            on_cell_executed=self._note_reply,
        )
        self.reply: dict[str, Any] = {}

    def stop(self) -> None:
        """End this run, from another thread."""
        self.stopped = True
        self.cancel()

    async def all_cells(self) -> list[CellRun]:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        self.cancel = lambda: loop.call_soon_threadsafe(task.cancel)
        # Not client.setup_kernel: it leaves its event loop open, or takes Ctrl-C for itself.
        self.client.create_kernel_manager()
        try:
            await self.client.async_start_new_kernel(env=_environment())
            await self.client.async_start_new_kernel_client()
            return [await self._one(index, self.notebook.cells[index]) for index in to_run(self.notebook)]
        except asyncio.CancelledError:
            raise Stopped from None
        finally:
            self.cancel = lambda: None
            if self.client.km is not None:
                await self.client._async_cleanup_kernel()

    async def _one(self, index: int, cell: NotebookNode) -> CellRun:
        if not self.gone and time.monotonic() - self.started > self.limits.notebook_s:
            self.gone = f"the notebook ran longer than {self.limits.notebook_s:g} s in all"
        if self.gone:
            cell.outputs = [error_output(NOT_RUN, f"this cell was not run: {self.gone}")]
            return CellRun(index, "not run", 0.0)
        begun = time.monotonic()
        status = await self._execute(index, cell)
        _limit_text(cell, self.limits.output_bytes)
        return CellRun(index, status, round(time.monotonic() - begun, 3))

    async def _execute(self, index: int, cell: NotebookNode) -> str:
        from nbclient.exceptions import DeadKernelError

        allowed_s = self._seconds_left()
        try:
            await self.client.async_execute_cell(cell, index)
        except DeadKernelError:
            if self.stopped:  # nbclient takes being cancelled for the kernel's death
                raise Stopped from None
            self.gone = f"the kernel died in cell {index + 1} of the notebook"
            cell.outputs.append(error_output(DIED, "the kernel died while this cell ran"))
            return "died"
        content = self.reply.get("content", {})
        if content.get("ename") == TIMEOUT:
            cell.outputs = [o for o in cell.outputs if o.output_type != "error"]
            cell.outputs.append(error_output(TIMEOUT, f"this cell ran longer than {allowed_s} s and was stopped"))
            await self._probe(index)
            self.notebook.cells[index] = cell  # the probe stood there
            return "timeout"
        if content.get("status") != "error":
            return "ok"
        if not any(output.output_type == "error" for output in cell.outputs):
            cell.outputs.append(error_output(content["ename"], content["evalue"]))  # the cell hid its error
        return "error"

    async def _probe(self, index: int) -> None:
        """After an interrupt: does the kernel answer again? If not, nothing further can run."""
        try:
            self.client.timeout_func = lambda cell: 5
            await self.client.async_execute_cell(v4.new_code_cell("pass"), index, store_history=False)
            answered = self.reply.get("content", {}).get("status") == "ok"
        except Exception:  # a dead or deaf kernel fails in many ways; all mean the same
            log.debug("the kernel did not answer", exc_info=True)
            answered = False
        finally:
            self.client.timeout_func = lambda cell: self._seconds_left()
        if not answered:
            self.gone = f"cell {index + 1} of the notebook could not be stopped"

    def _seconds_left(self) -> int:
        left_s = self.limits.notebook_s - (time.monotonic() - self.started)
        return max(1, round(min(self.limits.cell_s, left_s)))

    def _note_reply(self, execute_reply: dict[str, Any], **_: Any) -> None:
        self.reply = execute_reply


def _environment() -> dict[str, str]:
    """The kernel's environment. Marks must not depend on the grader's hardware: the device is the simulator."""
    ours = {"SYNCPOINT_DEVICE": "sim", "OMP_NUM_THREADS": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    return {**ours, **os.environ, "NBGRADER_EXECUTION": "autograde"}


def error_output(name: str, message: str) -> NotebookNode:
    """The output of a cell that a run itself stopped."""
    return v4.new_output("error", ename=name, evalue=message, traceback=[f"{name}: {message}"])


def _limit_text(cell: NotebookNode, limit: int) -> None:
    """Cut what the cell printed. nbgrader's LimitOutput counts lines, and one line may be 30 MB long."""
    left = limit
    for output in cell.outputs:
        if output.output_type != "stream":
            continue
        if len(output.text) > left:
            output.text = output.text[:left] + f"\n... cut: the cell printed more than {limit} characters"
        left = max(0, left - len(output.text))
