"""Python's audit events, to notice learner's code that looks where only a grader looks. It forbids nothing.

Code of a learner's cell that asks for its callers' frames, the garbage collector's objects, a trace function or raw
memory, or that makes code under the name of somebody else's file, is noted. A library that does the same is not: the
frame that asks must be the learner's own. An audit hook cannot be taken out again, and Python code does not see it.
"""

from __future__ import annotations

import builtins
import ctypes
import inspect
import pathlib
import re
import sys
import traceback
from collections.abc import Callable
from typing import Any

globals()["__builtins__"] = dict(
    vars(builtins)
)  # what is defined below looks here, where no learner's code reaches by name

_FRAMES, _OBJECTS = "reads the frames of its callers", "searches all objects of the process"
_TRACES, _C = "traces the code that calls it", "calls C code directly"
_WATCHED = {
    "sys._getframe": _FRAMES,
    "sys._current_frames": _FRAMES,
    "gc.get_objects": _OBJECTS,
    "gc.get_referrers": _OBJECTS,
    "gc.get_referents": _OBJECTS,
    "sys.settrace": _TRACES,
    "sys.setprofile": _TRACES,
    "sys.monitoring.register_callback": _TRACES,
    "ctypes.dlopen": _C,
    "ctypes.dlsym": _C,
    "ctypes.cdata": _C,
    "ctypes.string_at": _C,
    "sys.addaudithook": "adds an audit hook",
    "code.__new__": "makes code objects by hand",
    "os.fork": "forks its process",
    "os.forkpty": "forks its process",
}
_FUNCTIONS = {"__code__", "__defaults__", "__kwdefaults__"}
_FRAME_NAMES = {"tb_frame", "gi_frame", "cr_frame", "ag_frame", "f_trace"}
_MESSENGERS = (inspect.__file__, ctypes.__file__, pathlib.__file__)  # these only pass a question on


class Audit:
    """What was noticed, in words. `theirs(code)` says whether a learner wrote that code object.

    `touched` is called when the inside of a function may have changed, whoever did it.
    """

    def __init__(self, theirs: Callable[[Any], bool], touched: Callable[[], None] = lambda: None) -> None:
        self.noticed: set[str] = set()
        self._theirs, self._touched = theirs, touched
        self._busy = False
        self._getframe = sys._getframe
        sys.addaudithook(self._hook)

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "object.__getattr__":
            if args[1] == "__kwdefaults__":
                self._touched()
            what = _FRAMES if args[1] in _FRAME_NAMES else None
        elif event == "object.__setattr__":
            if args[1] in _FUNCTIONS:
                self._touched()
            what = "changes the code of a function" if args[1] == "__code__" else None
        elif event in ("open", "os.listdir"):
            what = "looks into its process by /proc" if _of_a_process(args[0]) else None
        elif event == "compile":
            what = None if _own_name(args[1]) else "gives its code the name of another file"
        else:
            what = _WATCHED.get(event)
        if what is None or self._busy:
            return
        self._busy = True
        try:
            frame = self._getframe(1)  # whose line caused the event
            # Who formats an error looks at its frames by right; who formats the stack looks at its callers.
            passing = (*_MESSENGERS, traceback.__file__) if event == "sys._getframe" else _MESSENGERS
            while frame.f_back is not None and frame.f_code.co_filename in passing:
                frame = frame.f_back
            if self._theirs(frame.f_code):
                self.noticed.add(what)
        finally:
            self._busy = False


def _of_a_process(path: Any) -> bool:
    text = path.decode("utf-8", "replace") if isinstance(path, bytes) else path
    return isinstance(text, str) and re.match(r"/proc/(self|thread-self|\d+)\b", text) is not None


def _own_name(file: Any) -> bool:
    """Whether a learner may give this file name to code that it compiles: "<string>" and such, but no cell's."""
    text = file.decode("utf-8", "replace") if isinstance(file, bytes) else file
    return not isinstance(text, str) or (text.startswith("<") and not text.startswith(("<ipython", "<frozen")))
