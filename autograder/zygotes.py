"""A zygote as the trusted side sees it: a process in a sandbox that can be asked for sessions, one a submission."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import select
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass, field
from typing import Any

from autograder.inside import wire
from autograder.inside.cage import Rights
from autograder.kernels import Limits
from autograder.sandbox import Sandbox, readable

_START_S = 120  # importing torch on a busy machine
_GRACE_S = 2.0  # for a cell that was interrupted
_MOST_ANSWER = 64 << 20
_SIGNALS = {
    signal.SIGKILL: "the process was killed",
    signal.SIGSEGV: "the process crashed (a segmentation fault; very deep recursion does that, too)",
    signal.SIGXCPU: "the process used up its processor time",
    signal.SIGABRT: "the process aborted",
    signal.SIGBUS: "the process crashed (bus error)",
    signal.SIGXFSZ: "the process wrote a file that is too large",
}


class Died(Exception):
    """The process ended. The message says how."""


class TimedOut(Exception):
    """No answer in time."""


@dataclass(eq=False)
class Zygote:
    """One running zygote."""

    process: subprocess.Popen[bytes]
    control: socket.socket | None
    reusable: bool
    imports: dict[str, str]
    errors: Any = field(repr=False)  # file with what it wrote to standard error

    @classmethod
    def start(cls, sandbox: Sandbox, imports: dict[str, str], limits: Limits) -> Zygote:
        """Start it and wait until it is ready. RuntimeError with its own words if it does not get there."""
        rights = Rights(limits.memory_bytes, limits.file_bytes, limits.processes, int(limits.notebook_s) + 60)
        modules = sorted({where.partition(":")[0] for where in imports.values()})
        plan = {"preload": modules, "imports": imports, "rights": {**asdict(rights), "readable": readable()}}
        made = cls._launch(sandbox, sandbox.plan(plan), imports)
        try:
            hello = wire.receive(made._channel(), 1 << 16, time.monotonic() + _START_S)
        except (wire.Broken, wire.Late) as error:
            words = made.close()
            raise RuntimeError(f"the sandbox ({sandbox.name}) did not start: {words or error}") from error
        made.reusable = sandbox.reusable and bool(hello["caged"])
        return made

    @classmethod
    def _launch(cls, sandbox: Sandbox, plan: dict[str, Any], imports: dict[str, str]) -> Zygote:
        errors = tempfile.TemporaryFile()  # closed with the zygote
        if plan["stdio"]:
            process = subprocess.Popen(
                sandbox.command(plan), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0
            )
            return cls(process, None, False, imports, errors)
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                sandbox.command({**plan, "control": theirs.fileno()}),
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C in the terminal is ours to handle
            )
        return cls(process, ours, True, imports, errors)

    def _channel(self) -> Any:
        return self.control if self.control is not None else _Pipes(self.process)

    def session(self) -> Session:
        """A fresh process for one submission."""
        if self.control is None:
            return Session(self._channel(), None)
        ours, serving = socket.socketpair()
        orders, theirs = socket.socketpair()
        with serving, theirs:
            try:
                socket.send_fds(self.control, [b"r"], [serving.fileno(), theirs.fileno()])
            except OSError as error:
                raise Died("the sandbox ended") from error
        return Session(ours, orders)

    def close(self) -> str:
        """End it; the last of what it wrote to standard error."""
        if self.control is not None:
            self.control.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        if self.errors.closed:
            return ""
        self.errors.seek(0)
        words = self.errors.read()[-2000:].decode("utf-8", "replace").strip()
        self.errors.close()
        return words


class _Pipes:
    """A process's standard streams as a channel."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdout, process.stdin

    def fileno(self) -> int:
        return self._in.fileno()

    def recv(self, size: int) -> bytes:
        return os.read(self._in.fileno(), size)

    def sendall(self, data: bytes) -> None:
        self._out.write(data)

    def close(self) -> None:
        self._out.close()


class Session:
    """The process of one submission. Closing it kills everything that it started."""

    def __init__(self, channel: Any, orders: socket.socket | None) -> None:
        self._channel, self._orders = channel, orders
        self._nonce = ""

    def ask(self, request: dict[str, Any], allowed_s: float) -> dict[str, Any]:
        """Send a request, get its answer. Died, or TimedOut: then the cell may still be running."""
        self._nonce = secrets.token_hex(16)
        try:
            wire.send(self._channel, {**request, "nonce": self._nonce})
        except wire.Broken:
            raise Died(self._end()) from None
        return self._answer(time.monotonic() + allowed_s)

    def _answer(self, until: float) -> dict[str, Any]:
        waiting = [self._channel, *([self._orders] if self._orders else [])]
        ready, _, _ = select.select(waiting, [], [], max(0.0, until - time.monotonic()))
        if not ready:
            raise TimedOut
        if self._channel not in ready:
            raise Died(self._end())
        try:
            answer = wire.receive(self._channel, _MOST_ANSWER, max(until, time.monotonic() + 5))
        except wire.Late:
            raise TimedOut from None
        except wire.Broken as error:
            raise Died(self._end() or str(error)) from None
        if not isinstance(answer, dict) or answer.get("nonce") != self._nonce:
            raise Died("the process sent something that is no answer")
        return answer

    def interrupt(self) -> bool:
        """Stop the cell that is running, as Ctrl-C does; False if it does not listen."""
        if self._orders is None:
            return False
        try:
            self._orders.send(b"i")
            self._answer(time.monotonic() + _GRACE_S)
        except (OSError, Died, TimedOut):
            return False
        return True

    def _end(self) -> str:
        """How the process ended, in words."""
        if self._orders is None:
            return "the process ended"
        ready, _, _ = select.select([self._orders], [], [], 5)
        data = self._orders.recv(1000) if ready else b""
        status = 0
        with contextlib.suppress(ValueError):
            status = int(json.loads(data)["status"])
        if status < 0:
            return _SIGNALS.get(signal.Signals(-status), f"the process ended by {signal.Signals(-status).name}")
        return f"the process ended (exit status {status})"

    def close(self) -> None:
        """End the process and all that it started."""
        self._channel.close()
        if self._orders is not None:
            self._orders.close()
