"""Races: two accesses to the same bytes, one of them a write, that nothing puts in order. Plain Python, no torch.

Every stream, and the host, is an agent. :class:`Order` keeps, for each agent, up to which operation it has seen each
stream (a vector clock): launching sees what the host has seen, an event carries what its stream had seen, waiting for
it passes that on. :class:`Detector` keeps, for each range of bytes of a block, the last write and the reads since, and
compares. The model is that of PyTorch's CUDA stream sanitizer, with byte ranges instead of whole tensors, and with
the host's own accesses to pinned memory.

What it does not model: gaps in strided views (a view's range reaches from its first to its last byte), and atomics.

>>> detector = Detector()
>>> block = Block(address=0, nbytes=32, device=0, home=(0, 0))
>>> detector.access(block, 0, 32, detector.launch((0, 0), "fill"), write=True)
[]
>>> [race.kind for race in detector.access(block, 16, 32, detector.launch((0, 1), "sum"), write=False)]
['read before the write has finished']
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

#: (device, stream)
Agent = tuple[int, int]
HOST: Agent = (-1, 0)


@dataclass(slots=True)
class Access:
    """One operation of one agent, with its place in the learner's code."""

    agent: Agent
    number: int  # counts the agent's operations
    op: str
    file: str = ""
    line: int = 0
    source: str = ""
    written: list[Block] | None = field(
        default=None, repr=False
    )  # the blocks that it wrote, while accesses are followed

    def where(self) -> str:
        who = "the host" if self.agent == HOST else f"stream {self.agent[1]} of device {self.agent[0]}"
        place = f", line {self.line}: {self.source}" if self.line else ""
        return f"{self.op} on {who}{place}"


@dataclass(slots=True)
class Race:
    """Two accesses that nothing orders."""

    kind: str
    first: Access
    second: Access
    bytes: int
    remedy: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.second.where()} against {self.first.where()} ({self.bytes} bytes). {self.remedy}"


class Order:
    """What each agent has seen of each stream."""

    def __init__(self) -> None:
        self.numbers: dict[Agent, int] = {HOST: 0}
        self.seen: dict[Agent, dict[Agent, int]] = {HOST: {}}

    def next(self, agent: Agent) -> int:
        """Start the agent's next operation; what a stream starts now comes after all that the host has seen."""
        number = self.numbers.get(agent, 0) + 1
        self.numbers[agent] = number
        if agent != HOST:
            self._merge(agent, self.seen[HOST])
        seen = self.seen.setdefault(agent, {})
        seen[agent] = number
        seen[HOST] = self.numbers[HOST]
        return number

    def _merge(self, agent: Agent, other: dict[Agent, int]) -> None:
        mine = self.seen.setdefault(agent, {})
        for stream, number in other.items():
            if mine.get(stream, 0) < number:
                mine[stream] = number

    def snapshot(self, stream: Agent) -> dict[Agent, int]:
        """What is done when everything now on a stream is done: the content of an event recorded there."""
        self._merge(stream, self.seen[HOST])
        return dict(self.seen[stream])

    def stream_waits(self, stream: Agent, snapshot: dict[Agent, int]) -> None:
        self._merge(stream, snapshot)

    def host_waits(self, snapshot: dict[Agent, int]) -> None:
        self._merge(HOST, snapshot)

    def host_waits_for(self, streams: Iterable[Agent]) -> None:
        for stream in list(streams):
            if stream in self.seen:
                self._merge(HOST, self.seen[stream])

    def is_after(self, agent: Agent, earlier: Access) -> bool:
        """Whether what the agent does next comes after an earlier access has finished."""
        if earlier.agent == agent:
            return True
        seen = self.seen.get(agent, {}).get(earlier.agent, 0)
        host = 0 if agent == HOST else self.seen[HOST].get(earlier.agent, 0)
        return earlier.number <= max(seen, host) or (earlier.agent == HOST and agent != HOST)


@dataclass(slots=True)
class _Span:
    """A range of bytes with one history."""

    start: int
    end: int
    write: Access | None
    reads: list[Access]


@dataclass(slots=True, eq=False)
class Block:
    """A piece of device memory, or of pinned host memory (``home`` is HOST), and its accesses."""

    address: int
    nbytes: int
    device: int
    home: Agent
    first_write: Access | None = None  # who filled it, before accesses were followed one by one
    spans: list[_Span] | None = None
    used_by: frozenset[Agent] = frozenset()  # streams named by record_stream
    alive: bool = True
    epoch: int = 0
    truth: bool = False  # holds truth values: a byte is 0 or 1


_READ, _WRITE = "read before the write has finished", "written while it is still being read"
_BOTH, _FREED = "written twice at once", "freed while it is still in use"
_REMEDY = {
    _READ: "Let the second stream wait: second.wait_stream(first), or an event.",
    _WRITE: "Let the writer wait for the reader: writer.wait_stream(reader), or an event.",
    _BOTH: "Let one stream wait for the other: wait_stream, or an event.",
    _FREED: "Tell the allocator: tensor.record_stream(stream), or keep the tensor until the stream is done.",
}
_HOST_REMEDY = "Let the host wait first: event.synchronize(), or stream.synchronize()."


class Detector:
    """Compares each access with the earlier ones to the same bytes."""

    def __init__(self) -> None:
        self.order = Order()

    def launch(self, agent: Agent, op: str, file: str = "", line: int = 0, source: str = "") -> Access:
        """The next operation of an agent."""
        return Access(agent, self.order.next(agent), op, file, line, source)

    def mark(self, agent: Agent, op: str, file: str = "", line: int = 0, source: str = "") -> Access:
        """A place in an agent's order that is no operation: where memory is given back."""
        return Access(agent, self.order.numbers.get(agent, 0), op, file, line, source)

    def access(self, block: Block, start: int, end: int, access: Access, write: bool) -> list[Race]:
        """Note an access to bytes ``start`` to ``end`` of a block; returns the races that it makes."""
        races = []
        for span in self._cut(block, start, end):
            rivals = span.reads if write and span.reads else [span.write] if span.write is not None else []
            for earlier in rivals:
                if not self.order.is_after(access.agent, earlier):
                    races.append(self._race(earlier, access, earlier is span.write, write, span.end - span.start))
            if write:
                span.write, span.reads = access, []
            else:
                # A later read by the same agent is ordered after the earlier ones, so it stands for them.
                span.reads = [r for r in span.reads if r.agent != access.agent] + [access]
        return races

    def _race(self, first: Access, second: Access, first_wrote: bool, second_wrote: bool, nbytes: int) -> Race:
        kind = (_BOTH if first_wrote else _WRITE) if second_wrote else _READ
        return Race(kind, first, second, nbytes, _HOST_REMEDY if second.agent == HOST else _REMEDY[kind])

    def _cut(self, block: Block, start: int, end: int) -> list[_Span]:
        """The spans that cover exactly ``start`` to ``end``, split from their neighbours."""
        if block.spans is None:
            block.spans = [_Span(0, block.nbytes, block.first_write, [])]
        inside: list[_Span] = []
        spans: list[_Span] = []
        for span in block.spans:
            if span.end <= start or span.start >= end:
                spans.append(span)
                continue
            if span.start < start:
                spans.append(_Span(span.start, start, span.write, list(span.reads)))
            middle = _Span(max(span.start, start), min(span.end, end), span.write, list(span.reads))
            spans.append(middle)
            inside.append(middle)
            if span.end > end:
                spans.append(_Span(end, span.end, span.write, list(span.reads)))
        block.spans = spans if len(spans) < 64 else _merged(spans, inside)
        return inside

    def free(self, block: Block, access: Access) -> list[Race]:
        """The last name of a block is gone: its memory is free for the next tensor of its home stream."""
        block.alive = False
        if block.home == HOST:  # PyTorch's allocator of pinned memory looks after the streams by itself
            return []
        races: dict[Agent, Race] = {}
        for span in block.spans or ():
            for earlier in [*span.reads, *([span.write] if span.write is not None else [])]:
                unsafe = earlier.agent not in (block.home, HOST) and earlier.agent not in block.used_by
                if unsafe and not self.order.is_after(block.home, earlier):
                    races.setdefault(
                        earlier.agent, Race(_FREED, earlier, access, span.end - span.start, _REMEDY[_FREED])
                    )
        return list(races.values())


def _merged(spans: list[_Span], keep: list[_Span]) -> list[_Span]:
    """Join neighbours of equal history, so that many small writes do not make a long list."""
    out: list[_Span] = []
    for span in spans:
        last = out[-1] if out else None
        mine = any(span is k for k in keep)
        if last is not None and not mine and last.write is span.write and last.reads == span.reads and last not in keep:
            last.end = span.end
        else:
            out.append(span)
    return out
