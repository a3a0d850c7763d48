"""A progress bar around an iterable of batches: tqdm's where it is installed, a plain line where it is not.

It is drawn on stderr, so that stdout stays clean for results, and only on a terminal unless it is asked for.

What it does not do: read anything from a device. A bar that shows the loss of every batch costs a wait a batch;
here the caller notes a value that has been read anyway.

Example::

    bar = watch(loader, "epoch 1")
    for images, labels in bar:
        bar.note("loss 0.12")
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Iterator
from typing import Generic, Protocol, TextIO, TypeVar

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
REDRAW_S = 0.1


class Counted(Protocol[T_co]):
    """Items whose number is known: a list, a DataLoader."""

    def __iter__(self) -> Iterator[T_co]: ...

    def __len__(self) -> int: ...


class Quiet(Generic[T]):
    """No bar: only the items. It is also the shape of the two bars below."""

    shown = False

    def __init__(self, items: Counted[T]) -> None:
        self.items = items

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def note(self, text: str) -> None:
        """Show a short text behind the bar."""


class PlainBar(Quiet[T]):
    """One line that is written over: ``epoch 1: 120 of 938 (13 %) loss 0.12``."""

    shown = True

    def __init__(self, items: Counted[T], label: str, stream: TextIO) -> None:
        super().__init__(items)
        self.label, self.stream, self.text = label, stream, ""
        self.drawn_at = float("-inf")
        self.width = 0  # of the longest line so far: a shorter one must cover it

    def __iter__(self) -> Iterator[T]:
        done = 0
        self._draw(done)
        try:
            for done, item in enumerate(self.items, start=1):
                yield item
                if time.monotonic() - self.drawn_at >= REDRAW_S:
                    self._draw(done)
        finally:
            self._draw(done)
            self.stream.write("\n")

    def note(self, text: str) -> None:
        self.text = text

    def _draw(self, done: int) -> None:
        total = len(self.items)
        line = f"{self.label}: {done} of {total} ({done / max(total, 1):.0%}) {self.text}".rstrip()
        self.width = max(self.width, len(line))
        self.stream.write(f"\r{line:<{self.width}}")
        self.stream.flush()
        self.drawn_at = time.monotonic()


class TqdmBar(Quiet[T]):
    """tqdm's bar."""

    shown = True

    def __init__(self, items: Counted[T], label: str, stream: TextIO) -> None:
        super().__init__(items)
        from tqdm import tqdm  # optional, so never at import

        self.bar = tqdm(items, desc=label, total=len(items), unit="batch", file=stream, dynamic_ncols=True)

    def __iter__(self) -> Iterator[T]:
        try:
            yield from self.bar
        finally:
            self.bar.close()

    def note(self, text: str) -> None:
        self.bar.set_postfix_str(text, refresh=False)


def watch(items: Counted[T], label: str, show: bool | None = None, stream: TextIO | None = None) -> Quiet[T]:
    """The items with a bar around them. ``show``: True, False, or None for "only on a terminal"."""
    stream = sys.stderr if stream is None else stream
    if not (stream.isatty() if show is None else show):
        return Quiet(items)
    if importlib.util.find_spec("tqdm") is None:
        return PlainBar(items, label, stream)
    return TqdmBar(items, label, stream)
