"""A trace told in words, line of the learner's code by line.

Records are gathered by place and operator; the most expensive line comes first. Waits say how long the host stood
still and how often the queue was already empty, in which case only the fixed latency of the call was paid. Then come
copies, launches and the totals. All times are virtual microseconds.
What it does not do: judge. It does not know whether a wait was needed.

>>> print(report(trace))                                    # doctest: +SKIP
On sim:0 the host waited 7 times, 84.0 us in all ...
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Protocol, TypeVar

from syncpoint.words import REASONS, bytes_text, many, op_name, op_word, place, remedy, time_text, times

if TYPE_CHECKING:
    from syncpoint.sim.log import Copy, Launch, Wait
    from syncpoint.trace import Trace

_DIRECTIONS = {"H2D": "host to device", "D2H": "device to host", "P2P": "device to device"}


class _Placed(Protocol):
    file: str
    line: int
    source: str


P = TypeVar("P", bound=_Placed)


@dataclass(slots=True)
class WaitGroup:
    """All waits of one line with the same operator and kind."""

    waits: list[Wait]

    @property
    def first(self) -> Wait:
        return self.waits[0]

    @property
    def waited_us(self) -> float:
        return sum(wait.waited_us for wait in self.waits)

    @property
    def word(self) -> str:
        """The operator as the learner's line calls it."""
        return op_word(self.first.op, self.first.source, self.first.kind)

    @property
    def remedy(self) -> str:
        return remedy(self.first.kind, self.first.op)


def wait_groups(waits: Iterable[Wait]) -> list[WaitGroup]:
    """Waits gathered by line, operator and kind; the group that cost most comes first."""
    groups = gather(waits, lambda wait: (wait.file, wait.line, wait.op, wait.kind))
    return sorted((WaitGroup(group) for group in groups), key=lambda group: -group.waited_us)


def at_line(record: _Placed) -> str:
    """ "cell In[3], line 4: x = x.to(device)": a record's place and the text that stands there."""
    where = place(record.file, record.line)
    return f"{where}: {shorten(record.source, 90)}" if record.source else where


def shorten(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 3] + "..."


def _item(record: _Placed, *sentences: str) -> str:
    """A place and what is said of it, wrapped to the width of a notebook's output."""
    told = [fill(text, 100, initial_indent=" " * 6, subsequent_indent=" " * 6) for text in sentences]
    return "\n".join([f"  {at_line(record)}", *told])


def report(trace: Trace, top: int = 10) -> str:
    """The whole trace in words. ``top`` bounds the lines shown in each part; what is left out is counted."""
    parts = [_headline(trace)]
    if trace.waits:
        parts.append(_waits(trace.waits, top))
    if trace.copies:
        parts.append(_copies(trace.copies, top))
    if trace.launches:
        parts.append(_launches(trace.launches, top))
    if trace.races:
        parts.append(_section("Races", [f"  {race}" for race in trace.races], top, "races"))
    parts.append(_totals(trace))
    return "\n\n".join(parts)


def gather(records: Iterable[P], key: Callable[[P], Hashable]) -> list[list[P]]:
    groups: dict[Hashable, list[P]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return list(groups.values())


def _waited_us(trace: Trace) -> float:
    return sum(wait.waited_us for wait in trace.waits)


def _headline(trace: Trace) -> str:
    if not (trace.waits or trace.copies or trace.launches):
        return _idle(trace)
    if trace.waits:
        waited = _waited_us(trace)
        share = f", {_percent(waited, trace.host_us)} of its time" if trace.host_us > 0 else ""
        return f"On {trace.device} the host waited {times(len(trace.waits))}, {time_text(waited)} in all{share}."
    held = sum(copy.blocking for copy in trace.copies)
    if held:
        return f"On {trace.device} no call asked the host to wait, but {many(held, 'copy', 'copies')} held it up."
    if trace.races:
        return f"On {trace.device} the host never waited, but see the races below."
    return f"Well done: on {trace.device} the host never waited."


def _idle(trace: Trace) -> str:
    if trace.device.type == "cpu":
        return "Nothing happened: no operator ran and nothing waited."
    return f"Nothing happened on {trace.device}: no launch, no copy, no wait. Is the data on the device?"


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %"


def _section(title: str, items: list[str], top: int, what: str) -> str:
    shown = items[:top]
    if len(items) > top:
        shown.append(f"  ... and {len(items) - top:,} more {what}")
    return "\n".join([title, *shown])


def _waits(waits: list[Wait], top: int) -> str:
    groups = wait_groups(waits)
    told: set[str] = set()
    items = [_wait_item(group, told) for group in groups[:top]]
    text = _section("Waits, the most expensive line first", items, top, "lines")
    rest = groups[top:]
    if rest:
        count, waited = sum(len(group.waits) for group in rest), sum(group.waited_us for group in rest)
        text += f"\n  ... and {many(len(rest), 'more line')}: {many(count, 'wait')}, {time_text(waited)} in all"
    return text


def _wait_item(group: WaitGroup, told: set[str]) -> str:
    """One line's waits. The reason and the remedy are told the first time only."""
    first = group.first
    waited = time_text(group.waited_us)
    span = f"for {waited}" if len(group.waits) == 1 else f"{times(len(group.waits))}, {waited} in all"
    sentences = [f"{group.word} made the host wait {span}{_empty(group.waits)}."]
    if group.remedy not in told:
        told.add(group.remedy)
        reason = REASONS.get(first.kind, first.kind)
        sentences += [f"Why: {reason}", f"Remedy: {group.remedy}"]
    return _item(first, *sentences)


def _empty(waits: list[Wait]) -> str:
    """How many waits found nothing left to wait for."""
    drained = [wait for wait in waits if wait.drained]
    if not drained:
        return ""
    own = "the copy's own time" if waits[0].kind == "copy" else "the call's own latency"
    if len(waits) == 1:
        return f" (the queue was already empty: only {own})"
    spent = time_text(sum(wait.waited_us for wait in drained))
    return f", of which {spent} were {own} (the queue was already empty {times(len(drained))})"


def _copies(copies: list[Copy], top: int) -> str:
    groups = gather(copies, lambda c: (c.file, c.line, c.kind, c.pinned, c.blocking, c.non_blocking))
    groups.sort(key=lambda group: -sum(copy.bytes for copy in group))
    return _section("Copies, the largest first", [_copy_item(group) for group in groups], top, "lines")


def _copy_item(group: list[Copy]) -> str:
    first, size = group[0], bytes_text(sum(copy.bytes for copy in group))
    memory = "" if first.kind == "P2P" else ", pinned memory" if first.pinned else ", pageable memory"
    count, total = many(len(group), "copy", "copies"), size if len(group) == 1 else f"{size} in all"
    way = _DIRECTIONS.get(first.kind, first.kind)
    return _item(first, f"{count} {way}, {total}{memory}; {_blocked(first)}")


def _blocked(copy: Copy) -> str:
    if not copy.blocking:
        return "the host went on at once."
    if copy.non_blocking and not copy.pinned:
        return "the host stood still although non_blocking=True: only pinned memory lets it go on."
    if copy.pinned and not copy.non_blocking:
        return "the host stood still: pinned memory helps only together with non_blocking=True."
    return "the host stood still."


def _launches(launches: list[Launch], top: int) -> str:
    groups = gather(launches, lambda launch: (launch.file, launch.line))
    groups.sort(key=lambda group: -sum(launch.kernels for launch in group))
    kernels = sum(launch.kernels for launch in launches)
    title = f"Launches: {many(len(launches), 'operator')}, {many(kernels, 'kernel')}; the busiest line first"
    return _section(title, [_launch_item(group) for group in groups], top, "lines")


def _launch_item(group: list[Launch]) -> str:
    kernels, busy = sum(launch.kernels for launch in group), sum(launch.end_us - launch.start_us for launch in group)
    names = list(dict.fromkeys(op_name(launch.op) for launch in group))
    shown = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
    operators = f"{many(len(group), 'operator')} ({shown})"
    return _item(group[0], f"{operators}, {many(kernels, 'kernel')}, {time_text(busy)} on the device")


def _totals(trace: Trace) -> str:
    lines = [
        "Totals (virtual time)",
        f"  host    {time_text(trace.host_us)}, of which it waited {time_text(_waited_us(trace))}",
        f"  device  busy {time_text(trace.device_us)}",
        f"  elapsed {time_text(trace.elapsed_us)} until everything was done",
    ]
    if trace.host_ops:
        lines.insert(2, f"          {many(len(trace.host_ops), 'operator')} ran on the CPU itself")
    behind = trace.elapsed_us - trace.host_us
    if behind > 0.05:
        lines.append(
            f"  When the host was through, the device still had work for {time_text(behind)}: a timer that does not"
            " synchronise misses it."
        )
    return "\n".join(lines)
