"""What happened on the device, one record each: waits, copies and launches.

Times are virtual microseconds since the clock was reset. A record's ``file``, ``line`` and ``source``
name the learner's own line: the innermost frame that is neither PyTorch's nor ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from syncpoint.sim.races import Race

#: Why the host waited. "value read" a number came to Python; "copy" a blocking copy; "data-dependent shape"
#: the size of a result stood on the device; "explicit" a synchronise call; "allocation" memory had to be freed;
#: "library" a library (linear algebra, say) looked at its own result.
WAIT_KINDS = ("value read", "copy", "data-dependent shape", "explicit", "allocation", "library")


@dataclass(slots=True, frozen=True)
class Frame:
    """One frame of a Python stack."""

    file: str
    line: int
    function: str


@dataclass(slots=True)
class Wait:
    """The host stopped until the device had caught up."""

    kind: str  # one of WAIT_KINDS
    op: str  # "aten._local_scalar_dense", "synchronize" ...
    bytes: int  # what was copied for it
    device: str  # "sim:0"
    waited_us: float  # from the call until the host could go on
    drained: bool  # the queue was already empty: only the latency was paid
    at_us: float  # host time at which the wait began
    file: str
    line: int
    source: str
    stack: tuple[Frame, ...]  # outermost first


@dataclass(slots=True)
class Copy:
    """Bytes moved between host and device, or between devices."""

    kind: str  # "H2D", "D2H" or "P2P" (device to device)
    op: str
    bytes: int
    device: str
    pinned: bool  # the host side was pinned memory
    non_blocking: bool  # what the caller asked for
    blocking: bool  # whether the host stood still for it, by a wait or by staging through pageable memory
    at_us: float  # host time of the call
    start_us: float  # the copy engine's time
    end_us: float
    file: str
    line: int
    source: str
    stream: int = 0  # the stream that it is ordered on


@dataclass(slots=True)
class Launch:
    """One operator sent to the device."""

    op: str  # "aten.add.Tensor"
    device: str
    stream: int  # 0 is the default stream
    kernels: int  # kernel launches and library calls that CUDA's host code makes for this operator
    bytes: int  # read and written
    flops: int
    at_us: float  # host time of the call
    start_us: float  # device time
    end_us: float
    file: str
    line: int
    source: str


@dataclass(slots=True)
class HostOp:
    """One operator that ran on the CPU while a trace was open."""

    op: str
    bytes: int
    at_us: float
    end_us: float
    file: str
    line: int
    source: str


T = TypeVar("T")


class Records(list[T]):
    """A list that keeps its first ``most`` records and counts them all, so that a long trace stays small.

    ``total`` is how many there were; the list holds fewer only when that is more than ``most``.
    """

    most = 200_000

    def __init__(self) -> None:
        super().__init__()
        self.total = 0

    def append(self, record: T) -> None:
        self.total += 1
        if len(self) < self.most:
            super().append(record)


class Log:
    """The records of one trace, in the order in which the host made the calls."""

    def __init__(self) -> None:
        self.waits: Records[Wait] = Records()
        self.copies: Records[Copy] = Records()
        self.launches: Records[Launch] = Records()
        self.host_ops: Records[HostOp] = Records()
        self.races: Records[Race] = Records()
