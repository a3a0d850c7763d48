"""Virtual time: the host, the device's streams and its copy engines. Plain Python, no torch.

Times are microseconds since :meth:`Clock.reset`. The host runs on; a stream runs what it was given, in order,
not before the host has launched it; a copy also needs its engine, of which a device has one for each direction.
The queue is finite: a host that is ``queue_depth`` launches ahead stands still until the oldest has finished.

What it does not model: two kernels that share a device at once (each stream has the device for itself), and
contention for memory between a copy and a kernel.

>>> clock = Clock()
>>> clock.host_us = 5.0
>>> clock.run(device=0, stream=0, duration_us=100.0)   # starts when launched, ends 100 us later
(5.0, 105.0)
>>> clock.run(device=0, stream=0, duration_us=10.0)    # the stream is busy: it queues
(105.0, 115.0)
"""

from __future__ import annotations

from collections import deque


class Clock:
    """Host time and, for each stream and copy engine, the time at which it is free."""

    def __init__(self, queue_depth: int = 1024) -> None:
        self.queue_depth = queue_depth
        self.reset()

    def reset(self) -> None:
        self.host_us = 0.0
        self.stream_free_us: dict[tuple[int, int], float] = {}  # (device, stream) -> us
        self.engine_free_us: dict[tuple[int, str], float] = {}  # (device, "H2D" | "D2H" | "P2P") -> us
        self.busy_us: dict[int, float] = {}  # device -> us spent in kernels
        self._queued: dict[int, deque[float]] = {}  # device -> end times of what was launched, oldest first

    def run(self, device: int, stream: int, duration_us: float) -> tuple[float, float]:
        """Put one kernel on a stream; returns its start and end. The host goes on unless the queue is full."""
        host = self.host_us
        queued = self._queued.get(device)
        if queued is None:
            queued = self._queued[device] = deque()
            self.busy_us[device] = 0.0
        while queued and queued[0] <= host:
            queued.popleft()
        if len(queued) >= self.queue_depth:
            host = self.host_us = queued.popleft()
        key = (device, stream)
        start = self.stream_free_us.get(key, 0.0)
        if start < host:
            start = host
        end = start + duration_us
        self.stream_free_us[key] = end
        self.busy_us[device] += duration_us
        queued.append(end)
        return start, end

    def copy(self, device: int, stream: int, direction: str, duration_us: float) -> tuple[float, float]:
        """Put one copy on a stream and its engine; returns its start and end. The host goes on."""
        engine = (device, direction)
        start = max(self.host_us, self.stream_free_us.get((device, stream), 0.0), self.engine_free_us.get(engine, 0.0))
        end = start + duration_us
        self.stream_free_us[device, stream] = self.engine_free_us[engine] = end
        return start, end

    def delay_stream(self, device: int, stream: int, until_us: float) -> None:
        """What a stream is given next starts no earlier than this: the stream waits, the host does not."""
        key = (device, stream)
        self.stream_free_us[key] = max(self.stream_free_us.get(key, 0.0), until_us)

    def wait_until(self, time_us: float, latency_us: float) -> float:
        """The host stands still until ``time_us`` and pays a fixed latency; returns how long it stood."""
        before = self.host_us
        self.host_us = max(before, time_us) + latency_us
        return self.host_us - before

    def drain(self) -> None:
        """Let everything that is queued finish, at no cost to anybody: time moves to where all are idle."""
        self.host_us = max(self.host_us, self.device_end_us())

    def stream_end_us(self, device: int, stream: int) -> float:
        """When everything now on a stream will be done."""
        return self.stream_free_us.get((device, stream), 0.0)

    def device_end_us(self, device: int | None = None) -> float:
        """When everything now on a device (on all devices, for None) will be done."""
        return max(
            (end for (owner, _), end in self.stream_free_us.items() if device is None or owner == device), default=0.0
        )
