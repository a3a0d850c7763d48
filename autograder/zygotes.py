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
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import lru_cache, partial
from typing import Any

from autograder.inside import wire
from autograder.inside.cage import Rights
from autograder.kernels import Limits
from autograder.sandbox import Sandbox, readable

_START_S = 120  # importing torch on a busy machine
_LEAST_SEND_S = 2.0
_GRACE_S = 2.0  # for a cell that was interrupted
_MOST_ANSWER = 16 << 20  # twice what two million characters can take, and what reading them costs is bearable
_MOST_SAID = 64 << 20  # by one process in all its answers: what the grader has to hold for one notebook
_SIGNALS: dict[int, str] = {
    signal.SIGKILL: "the process was killed",
    signal.SIGSEGV: "the process crashed (a segmentation fault; very deep recursion does that, too)",
    signal.SIGXCPU: "the process used up its processor time",
    signal.SIGABRT: "the process aborted",
    signal.SIGBUS: "the process crashed (bus error)",
    signal.SIGXFSZ: "the process wrote a file that is too large",
}


@lru_cache(maxsize=1)
def _starter(process: int) -> ThreadPoolExecutor:
    """bubblewrap ends with the thread that started it, so that is one which lasts as long as this process."""
    return ThreadPoolExecutor(1, f"sandboxes-{process}")


def _popen(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    start: Any = partial(subprocess.Popen, command, **options)
    return _starter(os.getpid()).submit(start).result()


class Died(Exception):
    """The process ended, or cannot be talked to. The message says how."""


class TimedOut(Exception):
    """No answer in time."""


@dataclass(eq=False)
class Zygote:
    """One running zygote."""

    sandbox: Sandbox
    imports: dict[str, str]
    limits: Limits
    process: subprocess.Popen[bytes] = field(init=False)
    control: socket.socket | None = field(init=False, default=None)
    reusable: bool = field(init=False, default=False)
    closed: bool = field(init=False, default=False)
    _errors: Any = field(init=False, repr=False)  # file with what it wrote to standard error

    @classmethod
    def start(cls, sandbox: Sandbox, imports: dict[str, str], limits: Limits) -> Zygote:
        """Start it and wait until it is ready. RuntimeError with its own words if it does not get there."""
        made = cls(sandbox, imports, limits)
        made._start()
        return made

    def _start(self) -> None:
        limits, imports = self.limits, self.imports
        rights = Rights(limits.memory_bytes, limits.file_bytes, limits.processes, int(limits.notebook_s) + 60)
        modules = sorted({where.partition(":")[0] for where in imports.values()})
        plan = {"preload": modules, "imports": imports, "rights": {**asdict(rights), "readable": readable()}}
        self._launch(self.sandbox.plan(plan))
        try:
            hello = wire.receive(self._channel(), 1 << 16, time.monotonic() + _START_S)
        except (wire.Broken, wire.Late) as error:
            words = self.close()
            raise RuntimeError(f"the sandbox ({self.sandbox.name}) did not start: {words or error}") from error
        self.reusable = self.sandbox.reusable and bool(hello["caged"])

    def _launch(self, plan: dict[str, Any]) -> None:
        self._errors = tempfile.TemporaryFile()  # closed with the zygote
        if plan["stdio"]:
            command, pipe = self.sandbox.command(plan), subprocess.PIPE
            self.process = _popen(command, stdin=pipe, stdout=pipe, stderr=self._errors, bufsize=0)
            return
        self.control, theirs = socket.socketpair()
        with theirs:
            self.process = _popen(
                self.sandbox.command({**plan, "control": theirs.fileno()}),
                stdin=subprocess.DEVNULL,
                stdout=self._errors,
                stderr=self._errors,
                pass_fds=[theirs.fileno()],
                env={},  # /proc may show the environment that the sandbox itself was started with
                start_new_session=True,  # Ctrl-C in the terminal is ours to handle
            )

    def _channel(self) -> Any:
        return self.control if self.control is not None else _Pipes(self.process)

    def session(self) -> Session:
        """A fresh process for one submission."""
        if self.control is None:
            return Session(self._channel(), None, None)
        if self.process.poll() is not None and not self.closed:
            self._release()  # killed, say for want of memory
            self._start()
        ours, serving = socket.socketpair()
        orders, theirs = socket.socketpair()
        with serving, theirs:
            try:
                socket.send_fds(self.control, [b"r"], [serving.fileno(), theirs.fileno()])
            except OSError as error:
                raise Died("the sandbox ended") from error
        return Session(ours, orders, self.process if self.reusable else None)

    def close(self) -> str:
        """End it; the last of what it wrote to standard error."""
        self.closed = True
        return self._release()

    def _release(self) -> str:
        if self.control is not None:
            self.control.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        if self._errors.closed:
            return ""
        self._errors.seek(0)
        words = self._errors.read()[-2000:].decode("utf-8", "replace").strip()
        self._errors.close()
        return str(words)


class _Pipes:
    """A process's standard streams as a channel."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdout, process.stdin
        os.set_blocking(self._out.fileno(), False)
        self._most_s = float(_START_S)

    def fileno(self) -> int:
        return self._in.fileno()

    def settimeout(self, most_s: float) -> None:
        self._most_s = most_s

    def recv(self, size: int) -> bytes:
        return os.read(self._in.fileno(), size)

    def sendall(self, data: bytes) -> None:
        until = time.monotonic() + self._most_s
        while data:
            if not select.select([], [self._out], [], max(0.0, until - time.monotonic()))[1]:
                raise TimeoutError("nobody reads")
            data = data[os.write(self._out.fileno(), data) :]

    def close(self) -> None:
        self._out.close()


class Session:
    """The process of one submission. Closing it kills everything that it started.

    `sandbox`: one that no submission can end. RuntimeError if it has ended nevertheless.
    """

    def __init__(self, channel: Any, orders: socket.socket | None, sandbox: subprocess.Popen[bytes] | None) -> None:
        self._channel, self._orders, self._sandbox = channel, orders, sandbox
        self._nonce = ""
        self._said = 0

    def ask(self, request: dict[str, Any], allowed_s: float) -> dict[str, Any]:
        """Send a request, get its answer. Died, or TimedOut: then the cell may still be running."""
        self._nonce = secrets.token_hex(16)
        self._channel.settimeout(max(_LEAST_SEND_S, allowed_s))  # a process that was stopped reads nothing
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
        return self._plain(answer)

    def _plain(self, answer: dict[str, Any]) -> dict[str, Any]:
        """The same, with text that a file can hold (no halves of characters) and without numbers that JSON has not."""
        try:
            text = json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace")
        except RecursionError:
            raise Died("the process sent something that is no answer") from None
        self._said += len(text)
        if self._said > _MOST_SAID:
            raise Died(f"the process was stopped: its cells put out more than {_MOST_SAID >> 20} MB in all")
        return dict(json.loads(text, parse_constant=str))

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
        ready, _, _ = select.select([self._orders], [], [], _GRACE_S)
        if not ready:
            return "the process does not read what it is sent, or closed the connection"
        try:
            told = json.loads(self._orders.recv(1000))
            status, why = int(told["status"]), str(told["why"])
        except (ValueError, TypeError, KeyError, OSError):  # the watching process has gone, too
            if self._sandbox is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._sandbox.wait(0.5)
                    raise RuntimeError("the sandbox ended while a submission ran") from None
            return "the process ended"
        if why:
            return f"the process was killed: {why}"
        if status < 0:
            return _SIGNALS.get(-status, f"the process ended by signal {-status}")
        return f"the process ended (exit status {status})"

    def close(self) -> None:
        """End the process and all that it started."""
        self._channel.close()
        if self._orders is not None:
            self._orders.close()
