"""The loop in the caged process: runs the cells that the trusted side sends, one by one, and answers each.

A request is {"op": "cell" or "test", "nonce", "source", "number", "most"} or {"op": "files", "files": {name: base64}};
an answer carries the request's nonce. Test cells come one at a time when it is their turn, so that no learner's code
has seen a test before it runs.
"""

from __future__ import annotations

import base64
import time
from pathlib import Path
from typing import Any

from autograder.inside import wire
from autograder.inside.audit import Audit
from autograder.inside.outputs import Capture
from autograder.inside.shell import Shell
from autograder.inside.tracebacks import error_output
from autograder.inside.traces import Traces
from autograder.inside.verdicts import Bench

_MOST_REQUEST = 256 << 20


class Server:
    """The state of one submission's process. Made in the zygote, before the fork; `serve` runs after it."""

    def __init__(self, imports: dict[str, str]) -> None:
        self.shell = Shell.make()
        self.traces = Traces()
        self._tests: set[str] = set()  # file names of test cells
        self._home = str(Path.cwd())
        self._cells: dict[str, int] = self.shell.compile._filename_map
        cache = self.shell.compile.cache
        self.bench = Bench(imports, lambda source, number: str(cache(source, number)), self._theirs)

    def _theirs(self, code: Any) -> bool:
        """Whether a learner wrote this code object."""
        file = getattr(code, "co_filename", None)
        if not isinstance(file, str) or file in self._tests:
            return False
        made_up = file.startswith("<") and not file.startswith(("<frozen", "<__array_function__"))
        return file in self._cells or made_up or file.startswith(self._home)

    def serve(self, channel: wire.Channel) -> None:
        """Answer requests until the other side closes the channel."""
        audit = Audit(self._theirs)
        while True:
            request = wire.receive(channel, _MOST_REQUEST)
            answer = self._answer(request)
            answer["noticed"] = sorted(audit.noticed)
            answer["nonce"] = request["nonce"]
            wire.send(channel, answer)

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
        self._tests.add(self.shell.compile.get_code_name(source, source, number))
        self.shell.execution_count = number
        bench, answer = self.bench, {"ok": False}
        with Capture(most) as self.shell.capture:
            try:
                text = bench.test(source, number, self.shell.user_ns)
                answer["ok"] = True
            except BaseException as error:
                text, failed = "", error_output(error, self._cells)
        outputs = self.shell.capture.outputs
        if not answer["ok"]:
            outputs.append(failed)
        elif text:
            outputs.append(_result(text, number))
        return {**answer, "outputs": outputs, "tricks": bench.tricks}


def _result(text: str, number: int) -> dict[str, Any]:
    return {"output_type": "execute_result", "data": {"text/plain": text}, "metadata": {}, "execution_count": number}

