"""Regions of code in which the host must not wait. Plain Python, no torch.

>>> with guard("error"):
...     loss.item()            # raises WaitNotAllowed, naming the line and the remedy
>>> with guard("error"):
...     with allow("once an epoch"):
...         loss.item()        # allowed, with its reason

Guards hold for the thread that entered them. The models are JAX's transfer_guard (kinds and directions) and vLLM's
gpu_sync_debug (regions with allowed parts).
"""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from syncpoint.sim import lines
from syncpoint.sim.log import WAIT_KINDS

LEVELS = ("error", "warn", "log")
DIRECTIONS = ("D2H", "H2D")
_REMEDIES = {
    "value read": "Keep the value on the device and read it once, after the loop.",
    "copy": "Keep the data where it is used, or copy from pinned memory with non_blocking=True.",
    "data-dependent shape": "Use a form whose size is known: torch.where, a masked sum, nonzero_static.",
    "explicit": "Synchronise once, outside the region.",
    "allocation": "Free memory before the region, or allocate once.",
    "library": "Use the _ex form of the operator, which does not check on the host.",
}


class WaitNotAllowed(RuntimeError):
    """The host was about to wait in a region that refuses it."""


class WaitWarning(UserWarning):
    """The host waited in a region that reports it."""


@dataclass(frozen=True)
class _Guard:
    level: str
    allowed: frozenset[str]


_stacks = threading.local()
#: What ``set_sync_debug_mode`` set, for all threads: 0 nothing, 1 warn, 2 error.
debug_mode = 0


def _stack() -> list[_Guard]:
    if not hasattr(_stacks, "guards"):
        _stacks.guards = []
    guards: list[_Guard] = _stacks.guards
    return guards


def _checked(names: Collection[str]) -> frozenset[str]:
    known = (*WAIT_KINDS, *DIRECTIONS)
    for name in names:
        if name not in known:
            raise ValueError(f"{name!r} is no kind of wait and no direction; use one of: {', '.join(known)}")
    return frozenset(names)


@contextmanager
def guard(level: str = "error", allow: Collection[str] = ()) -> Iterator[None]:
    """Refuse ("error"), report ("warn") or print ("log") every wait of the block, but those whose kind ("explicit",
    "copy", ...) or direction ("D2H", "H2D") is in ``allow``."""
    if level not in LEVELS:
        raise ValueError(f"guard level must be one of {', '.join(LEVELS)}, not {level!r}")
    _stack().append(_Guard(level, _checked(allow)))
    try:
        yield
    finally:
        _stack().pop()


@contextmanager
def allow(reason: str) -> Iterator[None]:
    """A part of a guarded region in which waits are fine; the reason is for the reader of the code."""
    if not isinstance(reason, str) or not reason.strip():
        raise ValueError("allow() wants the reason in words, for whoever reads the code next")
    _stack().append(_Guard("allow", frozenset()))
    try:
        yield
    finally:
        _stack().pop()


def check(kind: str, op: str, nbytes: int, direction: str, device: str) -> None:
    """Called before each wait: act as the innermost guard of this thread says."""
    if debug_mode and kind != "explicit" or debug_mode and op == "Stream.synchronize":
        _act("error" if debug_mode == 2 else "warn", kind, op, nbytes, device)
    stack = getattr(_stacks, "guards", None)
    if not stack:
        return
    innermost: _Guard = stack[-1]
    if innermost.level == "allow" or kind in innermost.allowed or direction in innermost.allowed:
        return
    _act(innermost.level, kind, op, nbytes, device)


def _act(level: str, kind: str, op: str, nbytes: int, device: str) -> None:
    file, line = lines.where()
    size = f", {nbytes} bytes" if nbytes else ""
    place = f"{file}, line {line}: {lines.source(file, line)}" if line else "unknown place"
    text = f"the host waits for {device} ({kind}: {op}{size}) at {place}. {_REMEDIES[kind]}"
    if level == "error":
        raise WaitNotAllowed(text)
    if level == "warn":
        warnings.warn(text, WaitWarning, stacklevel=2)
    else:
        print(text, file=sys.stderr)
