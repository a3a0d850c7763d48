"""Whether learner's code would run by itself while the trusted side talks to this process: threads, signals, the like.

still = Still(theirs)
still.look()          # ["leaves a thread running"]
"""

from __future__ import annotations

import builtins
import gc
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

globals()["__builtins__"] = dict(
    vars(builtins)
)  # what is defined below looks here, where no learner's code reaches by name

_frames, _me, _get, _set = sys._current_frames, threading.get_ident, signal.getsignal, signal.signal
_signals, _timer, _collector = sorted(signal.valid_signals()), signal.setitimer, gc.callbacks


class Still:
    """`theirs(code)` says whether a learner wrote that code object."""

    def __init__(self, theirs: Callable[[Any], bool]) -> None:
        self._theirs = theirs

    def look(self) -> list[str]:
        """What is at work, in words. Signals' handlers and the garbage collector's callbacks are taken away."""
        found = []
        if any(self._runs(frame) for thread, frame in _frames().items() if thread != _me()):
            found.append("leaves a thread running")
        for number in _signals:
            if self._theirs(getattr(_get(number), "__code__", None)):
                _set(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_IGN)
                _timer(signal.ITIMER_REAL, 0)
                found.append("handles signals while it is graded")
        if any(self._theirs(getattr(callback, "__code__", None)) for callback in _collector):
            _collector.clear()
            found.append("runs code at each garbage collection")
        return found

    def _runs(self, frame: Any) -> bool:
        while frame is not None:
            if self._theirs(frame.f_code):
                return True
            frame = frame.f_back
        return False
