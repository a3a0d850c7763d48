"""Python's audit events, to notice learner's code that looks where only a grader looks. It forbids nothing.

Code of a learner's cell that asks for its callers' frames, the garbage collector's objects, a trace function or raw
memory is noted, with the cell. A library that does the same is not: the frame that asks must be the learner's own.
An audit hook cannot be taken out again, and Python code does not see it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

_WATCHED = {
    "sys._getframe": "reads the frames of its callers",
    "sys._current_frames": "reads the frames of its callers",
    "gc.get_objects": "searches all objects of the process",
    "gc.get_referrers": "searches all objects of the process",
    "gc.get_referents": "searches all objects of the process",
    "sys.settrace": "traces the code that calls it",
    "sys.setprofile": "traces the code that calls it",
    "sys.monitoring.register_callback": "traces the code that calls it",
    "ctypes.dlopen": "calls C code directly",
    "ctypes.dlsym": "calls C code directly",
    "sys.addaudithook": "adds an audit hook",
}
_INSPECT = inspect.__file__
_FRAMES = {"tb_frame", "gi_frame", "cr_frame", "ag_frame", "f_trace"}


class Audit:
    """What was noticed, in words. `theirs(code)` says whether a learner wrote that code object."""

    def __init__(self, theirs: Callable[[Any], bool]) -> None:
        self.noticed: set[str] = set()
        self._theirs = theirs
        self._busy = False
        self._getframe = sys._getframe
        sys.addaudithook(self._hook)

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "object.__getattr__":
            what = "reads the frames of its callers" if args[1] in _FRAMES else None
        elif event == "object.__setattr__":
            what = "changes the code of a function" if args[1] == "__code__" else None
        else:
            what = _WATCHED.get(event)
        if what is None or self._busy:
            return
        self._busy = True
        try:
            frame = self._getframe(1)  # whose line caused the event; `inspect` only passes the question on
            while frame.f_back is not None and frame.f_code.co_filename == _INSPECT:
                frame = frame.f_back
            if self._theirs(frame.f_code):
                self.noticed.add(what)
        finally:
            self._busy = False
