"""A small program on two streams, run on the simulator with every choice of waits, and what its trace says.

Stream ``side`` copies four batches to the device, stream ``main`` reads each. What stands between them is the
learner's choice. The program is real Python: its text is run inside a trace, and the verdict is what ``t.races`` holds
afterwards. Lines are numbered as the learner sees them.

What it does not model: a race that goes well by luck. The simulator shows NaN wherever the order is open.

>>> outcome = runs()[Choice("one", "wait_stream", "nothing", False)]
>>> outcome.values
(nan, nan, nan, 4.0)
>>> outcome.pairs[0].kind
'written while it is still being read'
"""

from __future__ import annotations

import itertools
import linecache
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from syncpoint.demos.apart import apart

if TYPE_CHECKING:
    from syncpoint.sim import Chip
    from syncpoint.trace import Trace

#: What the batches hold, and so what their means should be.
EXPECTED = (1.0, 2.0, 3.0, 4.0)
COPY_US, READ_US = 40.0, 60.0
MEMORY = ("one", "two", "new")
BEFORE_READ = ("nothing", "wait_stream", "event", "early event", "synchronize")
BEFORE_COPY = ("nothing", "wait_stream", "event", "late wait_stream")
_FILE = "<hazard>"

Span = tuple[float, float]


class Choice(NamedTuple):
    """One setting of all controls."""

    memory: str  # one of MEMORY
    before_read: str  # one of BEFORE_READ
    before_copy: str  # one of BEFORE_COPY
    record_stream: bool


class Side(NamedTuple):
    """One of the two accesses of a race."""

    line: int
    source: str
    stream: str  # "main" or "side"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two lines that nothing puts in order, and how often the detector met them so."""

    kind: str
    first: Side
    second: Side
    times: int
    remedy: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one program did. Times are virtual microseconds since its loop began."""

    code: str
    pairs: tuple[Pair, ...]
    values: tuple[float, ...]
    copies: tuple[Span, ...]
    reads: tuple[Span, ...]
    waits: tuple[Span, ...]  # of the host
    elapsed_us: float

    @property
    def safe(self) -> bool:
        return not self.pairs


def choices() -> Iterator[Choice]:
    """Every setting, in the order of the page's controls."""
    for chosen in itertools.product(MEMORY, BEFORE_READ, BEFORE_COPY, (False, True)):
        yield Choice(*chosen)


def setup(choice: Choice) -> list[str]:
    """The lines before the loop: everything is ready when it begins."""
    count = {"one": 1, "two": 2}.get(choice.memory)
    lines = ["main = torch.accelerator.current_stream()", 'side = torch.Stream("sim")']
    if count:
        lines.append(f'buffers = [b.to("sim") for b in batches[:{count}]]')
    lines.append("side.wait_stream(main)  # both begin together")
    if choice.before_copy == "event":
        lines.append(f"read = [main.record_event(){' for _ in buffers' if count else ''}]")
    return lines


def loop(choice: Choice) -> list[str]:
    """The lines whose order is asked for."""
    at = {"one": "0", "two": "i % 2", "new": "0"}[choice.memory]
    make = 'torch.empty_like(batch, device="sim")' if choice.memory == "new" else f"buffers[{at}]"
    before = {"wait_stream": "side.wait_stream(main)", "event": f"side.wait_event(read[{at}])"}
    guard = {"wait_stream": "main.wait_stream(side)", "synchronize": "side.synchronize()"}
    recorded = "copied = side.record_event()"
    body = [
        before.get(choice.before_copy),
        recorded if choice.before_read == "early event" else None,
        "with side:",
        f"    x = {make}",
        "    x.copy_(batch, non_blocking=True)",
        recorded if choice.before_read == "event" else None,
        "side.wait_stream(main)" if choice.before_copy == "late wait_stream" else None,
        "main.wait_event(copied)" if "event" in choice.before_read else guard.get(choice.before_read),
        "results.append(x.mean())",
        f"read[{at}] = main.record_event()" if choice.before_copy == "event" else None,
        "x.record_stream(main)" if choice.record_stream else None,
        "del x" if choice.memory == "new" else None,
    ]
    return ["for i, batch in enumerate(batches):", *(f"    {line}" for line in body if line)]


@cache
def runs() -> dict[Choice, Outcome]:
    """Every program's outcome."""
    return apart(lambda: {choice: _run(choice) for choice in choices()}, _chip())


def _chip() -> Chip:
    """A made-up machine: a copy and a kernel take fixed times, and calls of the host take none."""
    import syncpoint as sp

    ticks = sp.sim.chips.get("ticks")
    link = replace(ticks.link, latency_us=COPY_US)
    return replace(ticks, name="hazard", link=link, kernel_us=READ_US, memory_gbs=math.inf, l2_gbs=math.inf,
                   tflops={"float32": math.inf})  # fmt: skip


def _run(choice: Choice) -> Outcome:
    import torch

    import syncpoint as sp

    before, inside = setup(choice), loop(choice)
    code = "\n".join([*before, *inside])
    linecache.cache[_FILE] = (len(code), None, code.splitlines(keepends=True), _FILE)
    batches = [torch.full((8,), value, dtype=torch.float32, device="cpu").pin_memory() for value in EXPECTED]
    names: dict[str, Any] = {"torch": torch, "batches": batches, "results": []}
    exec(compile("\n".join(before), _FILE, "exec"), names)
    with sp.trace("sim") as t:
        exec(compile("\n" * len(before) + "\n".join(inside), _FILE, "exec"), names)
    torch.accelerator.synchronize()
    values = tuple(result.item() for result in names["results"])
    return Outcome(code, _pairs(t), values, *_spans(t), t.elapsed_us)


def _spans(t: Trace) -> tuple[tuple[Span, ...], tuple[Span, ...], tuple[Span, ...]]:
    began = t.start_us
    copies = tuple((c.start_us - began, c.end_us - began) for c in t.copies)
    reads = tuple((k.start_us - began, k.end_us - began) for k in t.launches if "mean" in k.op)
    waits = tuple((w.at_us - began, w.at_us - began + w.waited_us) for w in t.waits)
    return copies, reads, waits


def _pairs(t: Trace) -> tuple[Pair, ...]:
    """The races of a trace, those of the same two lines as one."""
    found = Counter((r.kind, _side(r.first), _side(r.second), r.remedy) for r in t.races)
    return tuple(Pair(kind, first, second, n, remedy) for (kind, first, second, remedy), n in found.items())


def _side(access: Any) -> Side:
    return Side(access.line, access.source, "main" if access.agent[1] == 0 else "side")
