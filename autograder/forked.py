"""Running many variants of one notebook fast: modules are imported once, each variant is a forked process.

A child process of its own (``python -m autograder.forked``, a plan as JSON on standard input, results as JSON on
standard output) imports what the notebook imports, then walks through the notebook in an IPython shell. Where an
answer is to be tried it forks: the child runs the answer instead of the cell, and the cells up to the last test.

Forking needs a process with a single thread. Once a cell has started one, each variant starts from the imports and
runs the earlier cells itself: slower, never wrong.

What it does not: isolate anything. It is for answers that stand in the repository, not for submissions. No Windows.

    >>> try_answers(["x = 1", "x += 1", "assert x == 2"], [Trial(cell=1, source="x += 2", until=2)])[0][-1].message
    "name..."                                                    # doctest: +SKIP
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import math
import os
import re
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from autograder.inside.zygote import allow_sim, autograd_without_threads

PATIENCE = 5  # limits are CPU seconds; on a busy machine, or asleep, a process may take this many times as long
NO_CELL = -1  # the outcome of a process that ended before its last cell did
_STUB = re.compile(r"^task (\S+): ")


@dataclass(frozen=True)
class Trial:
    """Another text for one cell, and the last cell to run."""

    cell: int
    source: str
    until: int


@dataclass(frozen=True)
class Outcome:
    """What became of one cell. `value` is the text of the last expression's value, "" if there was none."""

    cell: int
    error: str = ""  # the exception's name; "Timeout" and "Died" are ours
    message: str = ""
    value: str = ""


@dataclass(frozen=True)
class Stop:
    """Where a learner's run from top to bottom stopped."""

    cell: int
    error: str
    message: str


def try_answers(cells: list[str], trials: list[Trial], limit_s: float = 60) -> list[list[Outcome]]:
    """The outcomes of every trial, from its own cell on; the last entry is the run without any change."""
    plan = {"op": "answers", "cells": cells, "trials": [asdict(t) for t in trials], "limit_s": limit_s}
    return [[Outcome(**outcome) for outcome in outcomes] for outcomes in _helper(plan)]


def learn(cells: list[str], solutions: dict[int, tuple[str, str]], limit_s: float = 600) -> list[Stop]:
    """Run a release as a learner does: at each stop at a stub, fill in the solutions of that task so far and go on.

    `solutions`: cell -> (number of its task, text). Ends at the end of the notebook, or with a stop that nothing mends.
    """
    plan = {"op": "learn", "cells": cells, "solutions": list(solutions.items()), "limit_s": limit_s}
    return [Stop(**stop) for stop in _helper(plan)]


def _helper(plan: dict[str, Any]) -> Any:
    environment = {"SYNCPOINT_DEVICE": "sim", "OMP_NUM_THREADS": "1", "MPLBACKEND": "agg", **os.environ}
    environment["OPENBLAS_NUM_THREADS"] = "1"
    done = subprocess.run(
        [sys.executable, "-m", "autograder.forked"],
        input=json.dumps(plan),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"autograder.forked ended with {done.returncode}:\n{done.stderr[-4000:]}")
    return json.loads(done.stdout)


# What follows runs in the helper process.


def _main() -> None:
    plan = json.load(sys.stdin)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")  # cells may print; our answer goes out by another door
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    _preload(plan["cells"])
    shell = _Shell()
    if plan["op"] == "answers":
        json.dump(_answers(shell, plan), out)
    else:
        json.dump(_in_child(partial(_learn, shell, plan), plan["limit_s"]), out)
    out.close()


def _preload(cells: list[str]) -> None:
    """Import what the notebook imports at its top level, so that no child pays for it."""
    names = [name for cell in cells for name in _imports(cell)]
    if "torch" in names:
        autograd_without_threads()
    for name in names:
        with contextlib.suppress(ImportError):  # the cell itself will say so
            importlib.import_module(name)


def _imports(cell: str) -> list[str]:
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        statements = ast.parse(TransformerManager().transform_cell(cell)).body
    except SyntaxError:
        return []
    plain = [alias.name for s in statements if isinstance(s, ast.Import) for alias in s.names]
    return plain + [s.module for s in statements if isinstance(s, ast.ImportFrom) and s.module and not s.level]


def _nothing(*args: Any, **kwargs: Any) -> None:
    pass


class _Shell:
    """An IPython shell without history, screen or threads."""

    def __init__(self) -> None:
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        self.shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
        self.shell.showtraceback = _nothing  # type: ignore[method-assign]  # we read the exception itself
        self.shell.showsyntaxerror = _nothing  # type: ignore[method-assign]

    def run(self, index: int, source: str) -> Outcome:
        """Run one cell."""
        result = self.shell.run_cell(source, store_history=True)
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            return Outcome(index, type(error).__name__, str(error))
        return Outcome(index, value="" if result.result is None else repr(result.result))


Send = Callable[[Any], None]  # an Outcome, a Stop or what JSON can hold


def _answers(shell: _Shell, plan: dict[str, Any]) -> list[list[dict[str, Any]]]:
    trials = [Trial(**trial) for trial in plan["trials"]]
    cells, limit_s = plan["cells"], plan["limit_s"]
    walked = _in_child(partial(_walk, shell, cells, trials, limit_s), limit_s * (len(trials) + 1))
    reference = [item for item in walked if "trial" not in item]
    done = {item["trial"]: item["outcomes"] for item in walked if "trial" in item}
    for number, trial in enumerate(trials):
        if number not in done:
            done[number] = _in_child(partial(_from_start, shell, cells, trial), limit_s)
    return [done[number] for number in range(len(trials))] + [reference]


def _walk(shell: _Shell, cells: list[str], trials: list[Trial], limit_s: float, send: Send) -> None:
    """Run the reference; where a trial stands and this process can still be forked, try it."""
    for index, source in enumerate(cells):
        for number, trial in enumerate(trials):
            if trial.cell == index and _threads() == 1:
                outcomes = _in_child(partial(_rest, shell, cells, trial), limit_s)
                send({"trial": number, "outcomes": outcomes})
        send(shell.run(index, source))


def _from_start(shell: _Shell, cells: list[str], trial: Trial, send: Send) -> None:
    for index in range(trial.cell):
        shell.run(index, cells[index])
    _rest(shell, cells, trial, send)


def _rest(shell: _Shell, cells: list[str], trial: Trial, send: Send) -> None:
    send(shell.run(trial.cell, trial.source))
    for index in range(trial.cell + 1, trial.until + 1):
        send(shell.run(index, cells[index]))


def _learn(shell: _Shell, plan: dict[str, Any], send: Send) -> None:
    open_ = {index: (task, source) for index, (task, source) in plan["solutions"]}
    for index, source in enumerate(plan["cells"]):
        while (outcome := shell.run(index, source)).error:
            send(Stop(index, outcome.error, outcome.message))
            stub = _STUB.match(outcome.message) if outcome.error == "NotImplementedError" else None
            due = [i for i, (task, _) in open_.items() if stub and task == stub.group(1) and i <= index]
            if not due:
                return
            for i in due:
                shell.run(i, open_.pop(i)[1])
            if index in due:
                break


def _threads() -> int:
    """Threads of this process; many where nobody can tell."""
    folder = Path("/proc/self/task")
    return len(list(folder.iterdir())) if folder.is_dir() else sys.maxsize


def _in_child(work: Callable[[Send], None], limit_s: float) -> list[dict[str, Any]]:
    """Run `work` in a forked child; what it sends, and a last entry if it died or ran out of time."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit_s),) * 2)
        _child(work, write)
    os.close(write)
    data, in_time = _read_all(read, PATIENCE * limit_s)
    os.close(read)
    if not in_time:
        os.killpg(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    items = [json.loads(line) for line in data.splitlines() if line.endswith(b"}")]
    if not in_time or (os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)):
        items.append(asdict(Outcome(NO_CELL, "Timeout", f"ran longer than {limit_s:g} s")))
    elif status:
        items.append(asdict(Outcome(NO_CELL, "Died", f"the process ended with status {status}")))
    return items


def _child(work: Callable[[Send], None], write: int) -> None:
    def send(item: Any) -> None:
        line = json.dumps(item if isinstance(item, dict) else asdict(item)) + "\n"
        os.write(write, line.encode())

    allow_sim()
    try:
        work(send)
    except BaseException:
        import traceback

        traceback.print_exc()
        os._exit(3)
    os._exit(0)


def _read_all(fd: int, limit_s: float) -> tuple[bytes, bool]:
    """All that comes, and whether it ended in time."""
    ends, data = time.monotonic() + limit_s, b""
    while (left := ends - time.monotonic()) > 0:
        ready, _, _ = select.select([fd], [], [], left)
        if ready:
            part = os.read(fd, 1 << 16)
            if not part:
                return data, True
            data += part
    return data, False


if __name__ == "__main__":
    _main()
