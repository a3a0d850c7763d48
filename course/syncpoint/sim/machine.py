"""The one simulated machine: chip, clock and the logs that are listening. Plain Python, no torch.

The dispatcher tells it what happens (``kernel``, ``copy``, ``read``, ``wait``); it advances the clock and, when a
trace is open, writes one record to each open log. With no trace open nothing is kept but the clock, so memory
does not grow.
"""

from __future__ import annotations

from syncpoint.sim import chips, cost, lines
from syncpoint.sim.clock import Clock
from syncpoint.sim.log import Copy, HostOp, Launch, Log, Wait


class Machine:
    """State of the simulated host and its devices."""

    def __init__(self) -> None:
        self.logs: list[Log] = []
        self.name = "sim"  # the device type that records name: a trace on cuda or cpu uses a machine of its own
        self.in_use = False  # an operator has run: from then on a forked child may not use the device
        self.bad_fork = False
        self.configure(chips.get(chips.DEFAULT), 1)

    def configure(self, chip: chips.Chip, devices: int) -> None:
        """Change chip and number of devices and set the clock to zero."""
        self.chip, self.devices, self.current_device = chip, devices, 0
        self.clock = Clock(chip.queue_depth)
        host = chip.host
        self._call_us = host.dispatch_us + host.launch_us
        self._launch_us = host.launch_us
        self._durations: dict[tuple[str, int, int, str, int, bool], float] = {}

    def touch(self) -> None:
        """An operator is about to run. CUDA's context does not survive a fork, so neither does ours."""
        self.in_use = True
        if self.bad_fork:
            raise RuntimeError(
                "Cannot re-initialize sim in forked subprocess. To use sim with multiprocessing, you must use the "
                "'spawn' start method. In a DataLoader, let the workers return CPU tensors and move the batch after."
            )

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

    def stream(self, device: int) -> int:
        """The current stream of a device: 0, the default stream."""
        return 0

    def kernel(self, op: str, device: int, kernels: int, library: bool, nbytes: int, flops: int, dtype: str) -> None:
        """One operator launched: ``kernels`` launches (library calls for a ``library`` operator, which launches once).

        ``kernels`` of 0 is a copy within the device's memory.
        """
        clock = self.clock
        stream = self.stream(device)
        at = clock.host_us
        clock.host_us = at + (
            self._call_us if kernels < 2 or library else self._call_us + (kernels - 1) * self._launch_us
        )
        key = (op, nbytes, flops, dtype, kernels, library)
        duration = self._durations.get(key)
        if duration is None:
            if len(self._durations) > 10_000:
                self._durations.clear()
            launched = 1 if library else max(kernels, 1)
            duration = cost.kernel_us(self.chip, nbytes, flops, dtype, kernels=launched, matmul=library)
            self._durations[key] = duration
        start, end = clock.run(device, stream, duration)
        if self.logs:
            file, line = lines.where()
            record = Launch(
                op, f"{self.name}:{device}", stream, kernels, nbytes, flops, at, start, end, file, line,
                lines.source(file, line),
            )  # fmt: skip
            for log in self.logs:
                log.launches.append(record)

    def wait(self, kind: str, op: str, device: int, nbytes: int = 0, until_us: float | None = None) -> None:
        """The host waits for the current stream (or until a given time) and pays the latency of the call."""
        end = self.clock.stream_end_us(device, self.stream(device)) if until_us is None else until_us
        self._record_wait(kind, op, device, nbytes, self.clock.host_us, end <= self.clock.host_us, end)

    def read(self, kind: str, op: str, device: int, nbytes: int) -> None:
        """A few bytes come to the host and the host waits for them: ``.item()`` and the hidden reads of operators."""
        clock, stream = self.clock, self.stream(device)
        at = clock.host_us
        drained = clock.stream_end_us(device, stream) <= at
        clock.host_us += self.chip.host.copy_call_us
        _, end = clock.copy(device, stream, "D2H", cost.copy_us(self.chip, nbytes, "D2H", True))
        self._record_wait(kind, op, device, nbytes, at, drained, end)

    def copy(
        self, op: str, direction: str, device: int, nbytes: int, *, pinned: bool, non_blocking: bool, waits: bool = True
    ) -> None:
        """Bytes between host and device.

        A blocking copy makes the host wait for the stream. A pageable ``non_blocking`` one makes no synchronise call
        but blocks all the same: the host stages the bytes itself (H2D) or the call returns when they are there (D2H).
        """
        clock, stream = self.clock, self.stream(device)
        at = clock.host_us
        drained = clock.stream_end_us(device, stream) <= at
        clock.host_us += self.chip.host.dispatch_us + self.chip.host.copy_call_us
        waits = waits and not non_blocking
        start, end = clock.copy(device, stream, direction, cost.copy_us(self.chip, nbytes, direction, pinned))
        if not pinned and not waits:
            if direction == "H2D":  # the host's part of the pageable copy; its whole time is already in ``end``
                clock.host_us += cost.stage_us(self.chip, nbytes)
            else:
                clock.wait_until(end, 0.0)
        if self.logs:
            file, line = lines.where()
            record = Copy(
                direction, op, nbytes, f"{self.name}:{device}", pinned, non_blocking, waits or not pinned, at, start,
                end, file, line, lines.source(file, line),
            )  # fmt: skip
            for log in self.logs:
                log.copies.append(record)
        if waits:
            self._record_wait("copy", op, device, nbytes, at, drained, end)

    def _record_wait(self, kind: str, op: str, device: int, nbytes: int, at: float, drained: bool, end: float) -> None:
        self.clock.wait_until(end, self.chip.host.wait_us)
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

    def host_op(self, op: str, nbytes: int, flops: int) -> None:
        """One operator on the CPU, at modelled cost. Only traces see these: outside one the clock does not move."""
        at = self.clock.host_us
        self.clock.host_us += cost.host_op_us(self.chip, nbytes, flops)
        file, line = lines.where()
        record = HostOp(op, nbytes, at, self.clock.host_us, file, line, lines.source(file, line))
        for log in self.logs:
            log.host_ops.append(record)


#: The machine behind the device ``sim``.
machine = Machine()
