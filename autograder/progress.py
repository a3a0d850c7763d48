"""Progress of long work on standard error: how many are done, and about how long the rest will take.

On a terminal one line is rewritten; in a log each step is a line of its own. Nothing is shown with `quiet`.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TextIO


@dataclass
class Progress:
    """Counts steps. ``step("ada: 5 of 8")`` after each one, ``close()`` at the end."""

    total: int
    quiet: bool = False
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    done: int = 0
    started: float = field(default_factory=time.monotonic)

    def step(self, what: str) -> None:
        """One more is done."""
        self.done += 1
        if self.quiet:
            return
        line = f"  {self.done}/{self.total}  {what}{self._left()}"
        if self.stream.isatty():
            self.stream.write(f"\r\x1b[K{line[:118]}")
        else:
            self.stream.write(line + "\n")
        self.stream.flush()

    def _left(self) -> str:
        left = self.total - self.done
        seconds = (time.monotonic() - self.started) / self.done * left
        return f"  (about {duration(seconds)} left)" if left else ""

    def close(self) -> None:
        """Leave the terminal on a fresh line."""
        if self.done and not self.quiet and self.stream.isatty():
            self.stream.write("\r\x1b[K")
            self.stream.flush()


def duration(seconds: float) -> str:
    """45 s, 3 min, 2 h 5 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
