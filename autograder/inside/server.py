"""The loop in the caged process: runs the cells that the trusted side sends, one by one, and answers each.

A request is {"op": "cell" or "test", "nonce", "source", "number", "most"} or {"op": "files", "files": {name: base64}};
an answer carries the request's nonce. Test cells come one at a time when it is their turn, so that no learner's code
has seen a test before it runs, and none can ask for its text (`texts`).

After each request what the learner replaced is put back and told: nothing of it is there when the answer is written.
"""

from __future__ import annotations

import base64
import builtins
import os
import sys
import sysconfig
import time
from pathlib import Path
from typing import Any

from autograder.inside import wire
from autograder.inside.audit import Audit
from autograder.inside.counting import Counting
from autograder.inside.outputs import Capture
from autograder.inside.shell import Shell
from autograder.inside.still import Still
from autograder.inside.texts import Texts
from autograder.inside.tracebacks import error_output
from autograder.inside.traces import Traces
from autograder.inside.verdicts import Bench

globals()["__builtins__"] = dict(
    vars(builtins)
)  # what is defined below looks here, where no learner's code reaches by name

_MOST_REQUEST = 256 << 20


def _libraries() -> tuple[str, ...]:
    """Folders of Python, of its packages and of this course: no code in them is a learner's."""
    found = {sys.prefix, sys.base_prefix, *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib"))}
    for name in ("syncpoint", "autograder.inside", "torch"):
        file = getattr(sys.modules.get(name), "__file__", None)
        found |= {str(Path(file).parent)} if file else set()
    return tuple(sorted(folder + os.sep for folder in found if folder))


class Server:
    """The state of one submission's process. Made in the zygote, before the fork; `serve` runs after it."""

    def __init__(self, imports: dict[str, str]) -> None:
        self.shell = Shell.make()
        self.traces = Traces()
        self._counting, self._texts = Counting(), Texts.install(self._theirs)
        self._tests: set[str] = set()  # file names of test cells
        self._libraries = _libraries()
        self._cells: dict[str, int] = self.shell.compile._filename_map
        self.bench = Bench(imports, self._name, self._theirs)

    def _theirs(self, code: Any) -> bool:
        """Whether a learner wrote this code object: it is no test's, no library's and not ours."""
        file = getattr(code, "co_filename", None)
        if not isinstance(file, str) or file in self._tests:
            return False
        if file.startswith("<"):
            return not file.startswith(("<frozen", "<__array_function__"))
        return not file.startswith(self._libraries)

    def _name(self, source: str, number: int) -> str:
        """The file name of a test's code."""
        name = str(self.shell.compile.get_code_name(source, source, number))
        self._tests.add(name)
        self._texts.add(name, source)
        self._cells[name] = number
        return name

    def serve(self, channel: wire.Channel) -> None:
        """Answer requests until the other side closes the channel."""
        pristine, look, receive, send = self.bench.pristine, self.bench.look, wire.receive, wire.send
        audit = Audit(self._theirs, lambda: setattr(pristine, "touched", True))
        still = Still(self._theirs)
        pristine.touched = False
        _close_in_children(channel)
        while True:
            request = receive(channel, _MOST_REQUEST)
            answer = self._answer(request)
            tricks = [*answer.get("tricks", ()), *look(request["op"] == "test"), *still.look()]
            tricks += ["reads the text of the tests"] if self._texts.read else []
            pristine.touched = False
            send(channel, {**answer, "tricks": tricks, "noticed": sorted(audit.noticed), "nonce": request["nonce"]})

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["op"] == "files":
            for name, content in request["files"].items():
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_bytes(base64.b64decode(content))
            return {}
        run = self._test if request["op"] == "test" else self._cell
        begun = time.perf_counter()
        answer = run(request["source"], request["number"], request["most"])
        answer["seconds"] = time.perf_counter() - begun
        answer["traces"] = self.traces.take(self._cells)
        return answer

    def _cell(self, source: str, number: int, most: int) -> dict[str, Any]:
        outputs, error = self.shell.run(source, number, most)
        if error is not None:
            outputs.append(error_output(error, self._cells))
        return {"outputs": outputs, "ok": error is None}

    def _test(self, source: str, number: int, most: int) -> dict[str, Any]:
        self.shell.execution_count = number
        bench, ok, failed = self.bench, False, {}
        with Capture(most) as self.shell.capture:
            try:
                text = bench.test(source, number, self.shell.user_ns)
                ok = True
            except BaseException as error:
                text, failed = "", error_output(error, self._cells)
        # What looks like a test's result is the test's own, whatever the learner's code displayed.
        outputs = [o for o in self.shell.capture.outputs if o["output_type"] != "execute_result"]
        if not ok:
            outputs.append(failed)
        elif text:
            outputs.append(_result(text, number))
        tricks = [*bench.tricks, *self.traces.disturbed()]
        return {"ok": ok, "outputs": outputs, "tricks": [*tricks, *self._counting.look()] if ok else tricks}


def _close_in_children(channel: Any) -> None:
    """A process that the learner forks has no part in the talk with the trusted side."""
    descriptors = {channel.fileno(), getattr(channel, "_out", channel.fileno())}
    close = os.close
    os.register_at_fork(after_in_child=lambda: [close(number) for number in descriptors])


def _result(text: str, number: int) -> dict[str, Any]:
    return {"output_type": "execute_result", "data": {"text/plain": text}, "metadata": {}, "execution_count": number}
