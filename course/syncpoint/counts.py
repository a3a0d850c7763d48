"""Checks of what happened in a trace: how many waits, copies and launches, and which lines made them.

Part of ``syncpoint.checks``. Give either ``exactly=`` or ``at_most=``; to pass, the count must keep to it. The message
lists the lines that went over it, the most expensive first, with their remedies.

>>> waits(trace, at_most=1)                                 # doctest: +SKIP
AssertionError: expected at most 1 wait, got 7:
  cell In[3], line 4: while (x.norm() > 1).item():
      .item() waited 7 times (value read)
      Remedy: keep the value on the device (detach() it if it carries a graph) and read it once, at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncpoint.report import at_line, gather, wait_groups
from syncpoint.sim.log import WAIT_KINDS
from syncpoint.words import many, op_name, times

if TYPE_CHECKING:
    from syncpoint.trace import Trace

_COPY_KINDS = {
    "H2D": "move the data once, before the loop, or make it on the device with device=...",
    "D2H": "keep results on the device and copy them once, at the end.",
    "P2P": "keep tensors that work together on one device.",
}
_MOST_LINES = 5


def waits(trace: Trace, exactly: int | None = None, at_most: int | None = None, kind: str | None = None) -> None:
    """How often the host waited, in all or for one kind of WAIT_KINDS."""
    _whole(trace)
    _known_kind(kind, WAIT_KINDS)
    found = [wait for wait in trace.waits if kind in (None, wait.kind)]
    items = [
        (
            f"{at_line(group.first)}\n      {group.word} waited {times(len(group.waits))} ({group.first.kind})",
            group.remedy,
        )
        for group in wait_groups(found)
    ]
    _bound(len(found), exactly, at_most, "wait", "waits", kind, items)


def copies(trace: Trace, exactly: int | None = None, at_most: int | None = None, kind: str | None = None) -> None:
    """How many copies were made, in all or in one direction: "H2D", "D2H" or "P2P"."""
    _whole(trace)
    _known_kind(kind, tuple(_COPY_KINDS))
    found = [copy for copy in trace.copies if kind in (None, copy.kind)]
    groups = sorted(gather(found, lambda copy: (copy.file, copy.line, copy.kind)), key=len, reverse=True)
    items = [
        (f"{at_line(group[0])}\n      {many(len(group), 'copy', 'copies')} {group[0].kind}", _COPY_KINDS[group[0].kind])
        for group in groups
    ]
    _bound(len(found), exactly, at_most, "copy", "copies", kind, items)


def launches(trace: Trace, exactly: int | None = None, at_most: int | None = None) -> None:
    """How many operators were sent to the device; views and allocations launch nothing and do not count."""
    _whole(trace)
    groups = sorted(gather(trace.launches, lambda launch: (launch.file, launch.line)), key=len, reverse=True)
    remedy = "do the same work in fewer, larger operators: whole tensors instead of loops, foreach=True in optimizers."
    items = []
    for group in groups:
        names = list(dict.fromkeys(op_name(launch.op) for launch in group))
        shown = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
        items.append((f"{at_line(group[0])}\n      {many(len(group), 'operator')}: {shown}", remedy))
    _bound(getattr(trace.launches, "total", len(trace.launches)), exactly, at_most, "launch", "launches", None, items)


def _whole(trace: Trace) -> None:
    """Refuse a trace that does not hold all that happened in its block."""
    why = getattr(trace, "disturbed", "")
    if why:
        raise AssertionError(f"nothing can be said of this trace: {why}. Do that before or after the trace.")


def _known_kind(kind: str | None, kinds: tuple[str, ...]) -> None:
    if kind is not None and kind not in kinds:
        raise ValueError(f"unknown kind {kind!r}: expected one of {', '.join(map(repr, kinds))}")


def _bound(
    count: int, exactly: int | None, at_most: int | None, one: str, more: str, kind: str | None,
    items: list[tuple[str, str]],
) -> None:  # fmt: skip
    """Compare a count with its bound; the message lists the lines that did it, the busiest first, with remedies."""
    if (exactly is None) == (at_most is None):
        raise TypeError("give either exactly= or at_most=")
    bound = exactly if exactly is not None else at_most
    assert bound is not None
    if count == exactly or (at_most is not None and count <= at_most):
        return
    word = one if bound == 1 else more
    of_kind = f' of kind "{kind}"' if kind else ""
    text = (
        f"expected {'exactly' if exactly is not None else 'at most'} {bound:,} {word}{of_kind}, got {count or 'none'}"
    )
    if count < bound:
        text += ". Is the data on the device, and did the code run inside the trace?"
    raise AssertionError(text + (":" if items and count > bound else "") + _told(items, remedies=count > bound))


def _told(items: list[tuple[str, str]], remedies: bool) -> str:
    lines, told = [], set[str]()
    for text, remedy in items[:_MOST_LINES]:
        lines.append(f"\n  {text}")
        if remedies and remedy not in told:
            told.add(remedy)
            lines.append(f"\n      Remedy: {remedy}")
    if len(items) > _MOST_LINES:
        lines.append(f"\n  ... and {len(items) - _MOST_LINES} more lines")
    return "".join(lines)
