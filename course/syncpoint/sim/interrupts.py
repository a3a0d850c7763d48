"""Ctrl-C on ``sim``: KeyboardInterrupt comes between two steps of Python, never in the middle of PyTorch's C++.

PyTorch asks a device that is written in Python for its type at places that no exception may leave: one that tries ends
the whole process with "terminate called". Python's own handler of Ctrl-C raises wherever signals are looked at, and
such a place does look. So the handler installed here is a C function that raises nothing. It starts a short-lived
thread, and that leaves a pending call, which Python makes in the main thread, between two bytecodes only, and which
raises KeyboardInterrupt there.

A main thread that waits in C (``time.sleep``, ``input``) passes no such place. After a third of a second there, the
interrupt is raised at once, as Python would have done, unless it is in PyTorch or in the simulator.

What it does not do: replace a handler of somebody's own, act outside the main thread, or run a thread before the first
Ctrl-C. asyncio.run installs its handler over Python's own only, so there Ctrl-C does not become a cancelled task.

Example::

    install()           # sim's registration does it
    signal.getsignal(signal.SIGINT) is signal.default_int_handler   # False now
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, cast

import torch

#: How often, and how long apart, the main thread is looked at before it counts as waiting in C. Several looks, so that
#: one that merely gets no processor for a while, deep in PyTorch, is not taken for one that waits.
LOOKS, LOOK_S = 6, 0.055
#: An exception may leave no C++ that was called from here.
_FRAGILE = (str(Path(torch.__file__).parent), str(Path(__file__).parent))

_Call = Callable[[int, FrameType | None], Any]
_Thread = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def _c_function(name: str, result: Any, *arguments: Any) -> Any:
    """A function object of our own: argument types set on ``ctypes.pythonapi.name`` would be everybody's."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_add_pending_call = _c_function("Py_AddPendingCall", ctypes.c_int, ctypes.c_void_p, ctypes.py_object)
# The two arguments more are what a signal handler is given; a C function leaves alone what it does not ask for.
_start_thread = _c_function(
    "PyThread_start_new_thread", ctypes.c_ulong, _Thread, ctypes.c_void_p, ctypes.c_int, ctypes.py_object
)
_clear_set = ctypes.cast(ctypes.pythonapi["PySet_Clear"], ctypes.c_void_p)
_is_true = ctypes.cast(ctypes.pythonapi["PyObject_IsTrue"], ctypes.c_void_p)


class _Raiser:
    """Whoever asks whether it is true gets a KeyboardInterrupt, out of a C function."""

    __bool__: Callable[[], bool]


def _ask_for(answer: Callable[[], bool]) -> None:
    _Raiser.__bool__ = staticmethod(answer)  # type: ignore[method-assign,assignment]


_interrupt = functools.partial(signal.default_int_handler, signal.SIGINT, None)
_nothing = functools.partial(bool, False)
_ask_for(_interrupt)
_raiser = _Raiser()

#: One set for each Ctrl-C whose pending call was not made yet. Another pending call empties it right before, so an
#: empty set says: raised. They are kept here because a pending call does not own its argument.
_waiting: list[set[bool]] = []


def _deliver(_unused: Any) -> None:
    """What the thread does that Ctrl-C started."""
    _waiting[:] = filter(None, _waiting)
    if _waiting:
        return  # one interrupt for both
    mark = {True}
    _waiting.append(mark)
    _add_pending_call(_clear_set, mark)
    _add_pending_call(_is_true, _raiser)
    main = cast(int, threading.main_thread().ident)
    for _ in range(LOOKS):
        time.sleep(LOOK_S)
        if not mark:
            return
    frame = sys._current_frames().get(main)
    if frame is not None and not frame.f_code.co_filename.startswith(_FRAGILE):
        _raise_at_once(main, mark)


def _raise_at_once(main: int, mark: set[bool]) -> None:
    """Wake the main thread with the handler that raises; if it has just woken by itself, leave it alone."""
    _ask_for(_nothing)  # the pending call is still to come
    _answer_with(signal.default_int_handler)
    try:
        if mark:
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(main, signal.SIGINT)
            else:
                signal.raise_signal(signal.SIGINT)  # Windows: wakes the main thread from any other
        while mark:
            time.sleep(LOOK_S)
    finally:
        _as_ever()


def _as_ever() -> None:
    _answer_with(_start)
    _ask_for(_interrupt)


class _Handler:
    """Python's signal handler. ``__call__`` is always a C function: bytecode of ours could itself be interrupted."""

    __call__: _Call


def _answer_with(call: _Call) -> None:
    _Handler.__call__ = staticmethod(call)  # type: ignore[method-assign,assignment]


_entry = _Thread(_deliver)  # must live as long as a signal may come
_start: _Call = functools.partial(_start_thread, _entry, None)
_answer_with(_start)
_handler: _Call = cast(_Call, _Handler())


def _take_over(_info: object = None) -> None:
    """Replace Python's own handler, and no other. Jupyter sets Python's anew for every cell."""
    main = threading.current_thread() is threading.main_thread()  # no other thread may set a handler
    if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _handler)


def _once_more(previous: Callable[[Any], Any], mend: Callable[[], None]) -> Callable[[Any], None]:
    """Python drops an exception in a callback of a dying object: a Ctrl-C that hits one is asked for again."""

    def hook(unraisable: Any) -> None:
        if unraisable.exc_type is KeyboardInterrupt and signal.getsignal(signal.SIGINT) is _handler:
            mend()
            _start(signal.SIGINT, None)
        else:
            previous(unraisable)

    return hook


@functools.cache
def install(mend: Callable[[], None] = lambda: None) -> None:
    """Take over Ctrl-C, in IPython at the beginning of every cell. To be called once a process.

    mend: what to do when an interrupt has cut short a callback of a dying object.
    """
    _take_over()
    sys.unraisablehook = _once_more(sys.unraisablehook, mend)
    if hasattr(os, "register_at_fork"):  # the thread that would have set it back is not in the child
        os.register_at_fork(after_in_child=_as_ever)
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is not None:
        shell.events.register("pre_run_cell", _take_over)
