"""Ctrl-C between two batches, never in the middle of one.

Python raises KeyboardInterrupt wherever it happens to be, and in a training loop that is mostly inside an operator.
Some of PyTorch's C++ code may not be left by an exception: where a device is written in Python, as ``sim`` is, an
interrupt at the wrong moment ends the whole process with "terminate called". So the first Ctrl-C is remembered and
raised before the next batch, and a second one is raised at once.

What it does not do: anything outside the main thread, or where somebody else handles Ctrl-C already.

Example::

    with Patience() as patience:
        for images, labels in patience.between(batches):
            ...
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator
from types import FrameType, TracebackType
from typing import TypeVar

T = TypeVar("T")


class Patience:
    """While it is entered, Ctrl-C waits for the end of a batch."""

    def __init__(self) -> None:
        self.asked = False
        self._installed = False

    def __enter__(self) -> Patience:
        main = threading.current_thread() is threading.main_thread()  # no other thread may set a handler
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._handle)
            self._installed = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._installed = False
        if kind is None:
            self._raise_if_asked()

    def between(self, items: Iterable[T]) -> Iterator[T]:
        """The items; where Ctrl-C was pressed meanwhile, KeyboardInterrupt comes in place of the next one."""
        for item in items:
            self._raise_if_asked()
            yield item
        self._raise_if_asked()

    def _raise_if_asked(self) -> None:
        if self.asked:
            self.asked = False
            raise KeyboardInterrupt

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
