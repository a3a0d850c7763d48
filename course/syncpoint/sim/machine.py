"""The one simulated machine: chip, clock, memory, order of accesses, and the logs that are listening. No torch in here.

The dispatcher tells it what happens: ``begin`` an operator, then ``kernel``, ``copy``, ``read`` or ``wait``. It
advances the clock and, when a trace is open, writes one record to each open log. With no trace open nothing is kept
but the books, so memory does not grow.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Protocol

from syncpoint.sim import chips, cost, guards, lines
from syncpoint.sim.agents import Agents
from syncpoint.sim.clock import Clock
from syncpoint.sim.log import Copy, HostOp, Launch, Log, Wait
from syncpoint.sim.memory import Memory
from syncpoint.sim.races import Access, Agent, Race

_epochs = count(1)


class Capture(Protocol):
    """What a graph wants to know while it is captured (``graphs.Graph``)."""

    def work(self, duration_us: float) -> None: ...


class Machine(Agents):
    """State of the simulated host and its devices."""

    def __init__(self) -> None:
        self.logs: list[Log] = []
        self.name = "sim"  # the device type that records name: a trace on cuda or cpu uses a machine of its own
        self.in_use = False  # an operator has run: from then on a forked child may not use the device
        self.bad_fork = False
        self.poison = True  # a racy read gives bytes that are plainly wrong, the same each time
        self.capture: Capture | None = None  # the graph that is being captured
        self.replaying = False
        self.assert_failed: str | None = None  # a failed assert on the device that the host has not heard of
        self.told = {"waits": 0, "copies": 0, "launches": 0}  # records made so far, whether or not a log listened
        self.asides = 0  # how often the machine was put aside
        super().__init__()
        self.configure(chips.get(chips.DEFAULT), 1)

    def configure(self, chip: chips.Chip, devices: int) -> None:
        """Change chip and number of devices and set the clock to zero."""
        self.chip, self.devices, self.current_device = chip, devices, 0
        self.clock = Clock(chip.queue_depth)
        self.memories = [Memory(chip.memory_bytes) for _ in range(devices)]
        host = chip.host
        self._call_us = host.dispatch_us + host.launch_us
        self._launch_us = host.launch_us
        self._durations: dict[tuple[str, int, int, str, int, bool], float] = {}
        self._pinned_sizes: set[int] = set()
        self.forget()
        self.current = Access((0, 0), 0, "")
        self.epoch = next(_epochs)  # blocks from before have no accesses that matter

    def put_aside(self) -> dict[str, object]:
        """The whole state, for ``take_back``; no log listens until then."""
        self.asides += 1
        kept = dict(vars(self))
        self.logs = []
        self.told = dict.fromkeys(self.told, 0)
        return kept

    def take_back(self, kept: dict[str, object]) -> None:
        vars(self).update({**kept, "asides": self.asides})

    def tally(self) -> tuple[int, int, dict[str, int]]:
        """Which machine this is, how often it was put aside, and how many records it has made: for ``Trace``."""
        return self.epoch, self.asides, dict(self.told)

    def after_fork(self) -> None:
        self.bad_fork = self.bad_fork or self.in_use

    def index(self, given: int | None) -> int:
        """A device's index: the current device for None; raises RuntimeError for one that does not exist."""
        index = self.current_device if given is None else given
        if not 0 <= index < self.devices:
            count = "is 1 device" if self.devices == 1 else f"are {self.devices} devices"
            raise RuntimeError(
                f"sim error: invalid device ordinal {index}: there {count}. sp.sim.use(devices={index + 1}) gives more."
            )
        return index

    # ---- one operator -----------------------------------------------------------------------------------------------

    def begin(self, op: str, device: int) -> Access:
        """An operator is about to run. CUDA's context does not survive a fork, so neither does ours."""
        self.in_use = True
        if self.bad_fork:
            raise RuntimeError(
                "Cannot re-initialize sim in forked subprocess. To use sim with multiprocessing, you must use the "
                "'spawn' start method. In a DataLoader, let the workers return CPU tensors and move the batch after."
            )
        agent, number = self.next_operation(device)
        if self.logs:
            file, line = lines.where()
            self.current = Access(agent, number, op, file, line, lines.source(file, line))
        else:
            self.current = Access(agent, number, op)
        return self.current

    def kernel(self, op: str, device: int, kernels: int, library: bool, nbytes: int, flops: int, dtype: str) -> None:
        """One operator launched: ``kernels`` launches (library calls for a ``library`` operator, which launches once).

        ``kernels`` of 0 is a copy within the device's memory.
        """
        clock = self.clock
        stream = self.stream(device)
        at = clock.host_us
        if kernels < 2 or library:
            clock.host_us = at + self._call_us
        else:
            clock.host_us = at + self._call_us + (kernels - 1) * self._launch_us
        key = (op, nbytes, flops, dtype, kernels, library)
        duration = self._durations.get(key)
        if duration is None:
            if len(self._durations) > 10_000:
                self._durations.clear()
            launched = 1 if library else max(kernels, 1)
            duration = cost.kernel_us(self.chip, nbytes, flops, dtype, kernels=launched, matmul=library)
            self._durations[key] = duration
        self._run(op, device, stream, kernels, nbytes, flops, at, duration)

    def occupy(self, op: str, device: int, duration_us: float) -> None:
        """A kernel of a given duration."""
        at = self.clock.host_us
        self.clock.host_us = at + self._call_us
        self._run(op, device, self.stream(device), 1, 0, 0, at, duration_us)

    def _run(
        self, op: str, device: int, stream: int, kernels: int, nbytes: int, flops: int, at: float, duration_us: float
    ) -> None:
        if self.capture is not None:
            self.capture.work(duration_us)
            return
        start, end = self.clock.run(device, stream, duration_us)
        self.told["launches"] += 1
        if self.logs:
            here = self.current
            record = Launch(
                op, f"{self.name}:{device}", stream, kernels, nbytes, flops, at, start, end, here.file, here.line,
                here.source,
            )  # fmt: skip
            for log in self.logs:
                log.launches.append(record)

    def host_op(self, op: str, nbytes: int, flops: int) -> None:
        """One operator on the CPU, at modelled cost. Only traces see these: outside one the clock does not move."""
        at = self.clock.host_us
        self.clock.host_us += cost.host_op_us(self.chip, nbytes, flops)
        file, line = lines.where()
        record = HostOp(op, nbytes, at, self.clock.host_us, file, line, lines.source(file, line))
        for log in self.logs:
            log.host_ops.append(record)

    # ---- copies and waits -------------------------------------------------------------------------------------------

    def copy(self, op: str, direction: str, device: int, nbytes: int, *, pinned: bool, non_blocking: bool) -> None:
        """Bytes between host and device.

        A blocking copy makes the host wait for the stream. A pageable ``non_blocking`` one makes no synchronise call
        but blocks all the same: the host stages the bytes itself (H2D) or the call returns when they are there (D2H).
        """
        clock, stream = self.clock, self.stream(device)
        at = clock.host_us
        drained = clock.stream_end_us(device, stream) <= at
        clock.host_us += self.chip.host.dispatch_us + self.chip.host.copy_call_us
        if self.capture is not None and not (pinned and non_blocking):
            self._refuse_capture("a copy from or to pageable memory, or one that blocks")
        if self.capture is not None:
            self.capture.work(cost.copy_us(self.chip, nbytes, direction, pinned))
            return
        start, end = clock.copy(device, stream, direction, cost.copy_us(self.chip, nbytes, direction, pinned))
        if not pinned and non_blocking:
            if direction == "H2D":  # the host's part of the pageable copy; its whole time is already in ``end``
                clock.host_us += cost.stage_us(self.chip, nbytes)
            else:
                clock.wait_until(end, 0.0)
                self._saw([(device, stream)])
        self.told["copies"] += 1
        if self.logs:
            here = self.current
            record = Copy(
                direction, op, nbytes, f"{self.name}:{device}", pinned, non_blocking, not (pinned and non_blocking), at,
                start, end, here.file, here.line, here.source, stream,
            )  # fmt: skip
            for log in self.logs:
                log.copies.append(record)
        if not non_blocking:
            self._wait("copy", op, device, nbytes, at, drained, end, [(device, stream)], direction)

    def copy_between(self, op: str, source: int, target: int, nbytes: int) -> None:
        """Bytes from one device to another: ordered after both current streams, and before what they do next."""
        clock = self.clock
        ends = ((source, self.stream(source)), (target, self.stream(target)))
        at = clock.host_us
        clock.host_us += self.chip.host.dispatch_us + self.chip.host.copy_call_us
        ready = max(clock.stream_end_us(*end) for end in ends)
        for end in ends:
            clock.delay_stream(*end, ready)
        start, finish = clock.copy(*ends[1], "P2P", cost.copy_us(self.chip, nbytes, "P2P", True))
        clock.delay_stream(*ends[0], finish)
        self.join_streams(target, source)
        self.told["copies"] += 1
        if self.logs:
            here = self.current
            record = Copy(
                "P2P", op, nbytes, f"{self.name}:{target}", True, True, False, at, start, finish, here.file, here.line,
                here.source, ends[1][1],
            )  # fmt: skip
            for log in self.logs:
                log.copies.append(record)

    def pin(self, nbytes: int) -> None:
        """Pinned memory is cached by powers of two: only the first of a size is asked of the system, which is slow."""
        size = 1 << max(nbytes - 1, 0).bit_length()
        if size not in self._pinned_sizes:
            self._pinned_sizes.add(size)
            self.clock.host_us += cost.pin_us(self.chip, nbytes)

    def read(self, kind: str, op: str, device: int, nbytes: int) -> None:
        """A few bytes come to the host and the host waits for them: ``.item()`` and the hidden reads of operators."""
        clock, stream = self.clock, self.stream(device)
        at = clock.host_us
        drained = clock.stream_end_us(device, stream) <= at
        clock.host_us += self.chip.host.copy_call_us
        _, end = clock.copy(device, stream, "D2H", cost.copy_us(self.chip, nbytes, "D2H", True))
        self._wait(kind, op, device, nbytes, at, drained, end, [(device, stream)], "D2H")

    def wait(self, op: str, device: int, until_us: float, seen: Iterable[Agent] | dict[Agent, int]) -> None:
        """An explicit wait until a time; ``seen``: the streams it waited for, or an event's snapshot."""
        at = self.clock.host_us
        self._wait("explicit", op, device, 0, at, until_us <= at, until_us, seen, "")

    def _refuse_capture(self, what: str) -> None:
        file, line = lines.where()
        place = f" at {file}, line {line}: {lines.source(file, line)}" if line else ""
        raise RuntimeError(
            f"sim error: operation not permitted when stream is capturing: {what}{place}. Keep values on the device, "
            "and copy inputs into place before replay()."
        )

    def _wait(
        self, kind: str, op: str, device: int, nbytes: int, at: float, drained: bool, end: float,
        seen: Iterable[Agent] | dict[Agent, int], direction: str,
    ) -> None:  # fmt: skip
        if self.capture is not None:
            self._refuse_capture(f"the host would wait ({kind}: {op})")
        if self.assert_failed is not None:
            text, self.assert_failed = self.assert_failed, None
            raise RuntimeError(text)
        guards.check(kind, op, nbytes, direction, f"{self.name}:{device}")
        self.clock.wait_until(end, self.chip.host.wait_us)
        self._saw(seen)
        self.told["waits"] += 1
        if not self.logs:
            return
        stack = lines.stack()
        file, line = (stack[-1].file, stack[-1].line) if stack else ("", 0)
        record = Wait(
            kind, op, nbytes, f"{self.name}:{device}", self.clock.host_us - at, drained, at, file, line,
            lines.source(file, line), stack,
        )  # fmt: skip
        for log in self.logs:
            log.waits.append(record)

    def report_races(self, races: list[Race]) -> None:
        for log in self.logs:
            for race in races:
                log.races.append(race)


#: The machine behind the device ``sim``.
machine = Machine()
