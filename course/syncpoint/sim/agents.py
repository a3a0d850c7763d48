"""Who is at work: the current stream of each thread, and the order of what streams and host do. No torch in here.

As long as everything runs on default streams and no copy is in flight beside the host, all accesses are in order and
none is followed. ``follow`` switches the race detector on: the first stream of the learner's own, or the first
non-blocking copy of pinned memory, does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from syncpoint.sim.races import HOST, Agent, Detector


class Agents:
    """Streams and host, and what each has seen of the others."""

    def __init__(self) -> None:
        self.on_progress: Callable[[], None] = lambda: None  # the host has seen more of the devices' work
        self.backward_stream: Callable[[int], int | None] | None = None  # the stream of the node that runs, if one does

    def forget(self) -> None:
        """Start anew: default streams only, and nothing has happened."""
        self.detector, self.following = Detector(), False
        self.side_streams = False
        self.streams_made: dict[int, int] = {}  # device -> streams besides the default one
        self._launched: dict[int, int] = {}  # device -> operators on its default stream, while nothing is followed
        self._seen: dict[int, int] = {}  # device -> how many of them the host has waited for
        self._local = threading.local()

    def stream(self, device: int) -> int:
        """The number of the current stream of a device; 0 is the default stream."""
        if not self.side_streams:
            return 0
        if self.backward_stream is not None:
            number = self.backward_stream(device)
            if number is not None:
                return number
        return self.thread_stream(device)

    def thread_stream(self, device: int) -> int:
        by_device = getattr(self._local, "by_device", None)
        return by_device.get(device, 0) if by_device else 0

    def set_stream(self, device: int, number: int) -> None:
        if number:
            self.side_streams = True
            self.follow()
        if getattr(self._local, "by_device", None) is None:
            self._local.by_device = {}
        self._local.by_device[device] = number

    def streams(self, device: int) -> list[Agent]:
        return [(device, number) for number in range(self.streams_made.get(device, 0) + 1)]

    def next_operation(self, device: int) -> tuple[Agent, int]:
        """Who does what comes next on a device, and its number."""
        if self.following:
            agent: Agent = (device, self.stream(device))
            return agent, self.detector.order.next(agent)
        number = self._launched[device] = self._launched.get(device, 0) + 1
        return (device, 0), number

    def follow(self) -> None:
        """Follow accesses from here on. What ran before ran in order, on each device's default stream."""
        if self.following:
            return
        self.following = True
        order = self.detector.order
        for device, launched in self._launched.items():
            order.numbers[device, 0] = launched
            order.seen[device, 0] = {(device, 0): launched, HOST: 0}
            order.seen[HOST][device, 0] = self._seen.get(device, 0)

    def so_far(self, agent: Agent) -> dict[Agent, int]:
        """What is done when everything now on a stream is done, whether or not accesses are followed yet."""
        if self.following:
            return self.detector.order.snapshot(agent)
        return {agent: 0 if agent[1] else self._launched.get(agent[0], 0)}

    def join_streams(self, waiting: int, other: int) -> None:
        """The current stream of one device waits for that of another."""
        if self.following:
            order = self.detector.order
            order.stream_waits((waiting, self.stream(waiting)), order.snapshot((other, self.stream(other))))

    def _saw(self, seen: Iterable[Agent] | dict[Agent, int]) -> None:
        """The host has waited: what it does and launches next comes after."""
        if not self.following:
            for device, _ in seen:
                self._seen[device] = self._launched.get(device, 0)
            return
        if isinstance(seen, dict):
            self.detector.order.host_waits(seen)
        else:
            self.detector.order.host_waits_for(seen)
        self.on_progress()

    def saw(self, snapshot: dict[Agent, int]) -> None:
        """The host has learnt that an event is done, without waiting for it."""
        if self.following:
            self._saw(snapshot)
