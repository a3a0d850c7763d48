"""Running notebooks on other machines: a Dask cluster does what the local workers do, nothing else.

A task carries JSON (the prepared notebook, the lab's own files, the limits) and returns JSON; the gradebook stays with
the one process that grades. Each cluster worker has a sandbox of its own and needs the `grade` extra and bubblewrap. A
learner's fault is an outcome and is never tried again; a worker that is lost is (its task goes to another one).

    runner = DaskRunner("tcp://10.0.0.7:8786", Limits())     # dask scheduler; dask worker tcp://10.0.0.7:8786
    grade(course, "03_mnist_cnn", runner=runner, workers=runner.workers)

What Dask does not do: isolate, or encrypt unless the cluster is set up with TLS. Whoever can reach the scheduler's port
can run code on the workers: keep it in a private network.
"""

from __future__ import annotations

import json
import tempfile
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.course import UsageError
from autograder.jail import JailRunner, pack, unpack
from autograder.kernels import CellRun, Limits, Runner, Stopped

_RETRIES = 2  # when the worker itself fails
_CONNECT_S = 20


class DaskRunner(Runner):
    """Runs notebooks on the workers of a Dask cluster."""

    def __init__(self, scheduler: str, limits: Limits | None = None) -> None:
        """Connect. UsageError if there is no such scheduler, no worker, or no `distributed` here."""
        try:
            from distributed import Client
        except ImportError:
            raise UsageError("--scheduler needs Dask: pip install 'syncpoint[cluster]'") from None
        self.limits = limits or Limits()
        try:
            self._client = Client(scheduler, timeout=_CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise UsageError(f"no Dask scheduler answers at {scheduler}: {error}") from error
        self.workers = sum(self._client.nthreads().values())
        if not self.workers:
            self.close()
            raise UsageError(f"the scheduler at {scheduler} has no workers yet: start some, for example "
                             f"`dask worker {scheduler} --nworkers 2 --nthreads 1`")  # fmt: skip
        self._running: set[Any] = set()
        self._lock = threading.Lock()

    def run(self, notebook: NotebookNode, folder: Path, imports: dict[str, str] | None = None) -> list[CellRun]:
        """See `Runner`."""
        from concurrent.futures import CancelledError as Cancelled

        from distributed import CancelledError

        task = {"notebook": notebook, "files": pack(folder), "imports": imports or {}, "limits": asdict(self.limits)}
        future = self._client.submit(run_task, json.dumps(task), pure=False, retries=_RETRIES)
        with self._lock:
            self._running.add(future)
        try:
            done = json.loads(future.result())
        except (CancelledError, Cancelled):
            raise Stopped from None
        finally:
            with self._lock:
                self._running.discard(future)
        for place, shown in done["cells"].items():
            cell = notebook.cells[int(place)]
            cell.outputs, cell.execution_count = nbformat.from_dict(shown["outputs"]), shown["number"]
        return [CellRun(**{**run, "tricks": tuple(run["tricks"]), "traces": tuple(run["traces"])})
                for run in done["runs"]]  # fmt: skip

    def stop(self) -> None:
        """See `Runner`."""
        with self._lock:
            running = list(self._running)
        self._client.cancel(running, force=True)

    def close(self) -> None:
        """Leave the cluster; it goes on."""
        self._client.close()


_runners: dict[Limits, JailRunner] = {}  # of this worker's process
_runners_lock = threading.Lock()


def run_task(text: str) -> str:
    """On a worker: run one notebook, JSON to JSON."""
    task = json.loads(text)
    limits = Limits(**task["limits"])
    with _runners_lock:
        if limits not in _runners:
            _runners[limits] = JailRunner(limits)
        runner = _runners[limits]
    notebook = nbformat.from_dict(task["notebook"])
    with tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True) as folder:
        unpack(task["files"], Path(folder))
        runs = runner.run(notebook, Path(folder), task["imports"])
    cells = {
        run.cell: {"outputs": notebook.cells[run.cell].outputs, "number": notebook.cells[run.cell].execution_count}
        for run in runs
    }
    return json.dumps({"runs": [asdict(run) for run in runs], "cells": cells})
