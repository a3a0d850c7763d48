"""Streams and events of ``sim``: what ``torch.cuda.Stream`` and ``torch.cuda.Event`` are for CUDA.

A stream is a queue of its own on a device; what is on it runs in order, and nothing orders it with other streams but
events. As PyTorch's, side streams do not wait for the default stream by themselves. Every thread has a current stream
on each device. The backward pass of an operator runs on the stream that was current in its forward pass.

Work-arounds: PyTorch's own ``torch.Stream`` and ``torch.Event`` do nothing for a Python backend, and ``with stream:``
ignores it (pytorch #195458, #196302), so both names are led to the classes here when a ``sim`` device is asked for.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from typing import Any, cast

import torch

from syncpoint.sim.machine import machine
from syncpoint.sim.races import Agent

_PRIVATEUSE1 = 20  # c10::DeviceType::PrivateUse1


def _device(asked: Any) -> int:
    if asked is None:
        return machine.current_device
    if isinstance(asked, int):
        return machine.index(asked)
    device = torch.device(asked)
    if device.type != "sim":
        raise ValueError(f"expected a sim device, but got {asked}")
    return machine.index(device.index)


class Stream(torch.Stream):
    """A queue of a simulated device. ``priority`` is accepted and has no effect."""

    _entered: list[Agent]

    def __new__(cls, device: Any = None, priority: int = 0, *, number: int | None = None) -> Stream:
        index = _device(device)
        if number is None:
            number = machine.streams_made[index] = machine.streams_made.get(index, 0) + 1
        self = super().__new__(cls, stream_id=number, device_index=index, device_type=_PRIVATEUSE1)
        self._entered = []
        return self

    def __init__(self, *args: Any, **options: Any) -> None:
        """Everything is done in ``__new__``."""

    @property
    def agent(self) -> Agent:
        return self.device_index, self.stream_id

    @property
    def priority(self) -> int:
        return 0

    def __enter__(self) -> Stream:
        device = self.device_index
        self._entered.append((machine.current_device, machine.thread_stream(device)))
        _make_current(device, self.stream_id)
        _set_device(device)
        return self

    def __exit__(self, *error: Any) -> None:
        device, stream = self._entered.pop()
        _make_current(self.device_index, stream)
        _set_device(device)

    def _end_us(self) -> float:
        return machine.clock.stream_end_us(*self.agent)

    def query(self) -> bool:
        """Whether everything on the stream is done."""
        done = self._end_us() <= machine.clock.host_us
        if done and machine.following:
            machine.saw(machine.detector.order.snapshot(self.agent))
        return done

    def synchronize(self) -> None:
        """Wait until everything on the stream is done."""
        machine.wait("Stream.synchronize", self.device_index, self._end_us(), [self.agent])

    def record_event(self, event: Event | None = None) -> Event:  # type: ignore[override]
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:  # type: ignore[override]
        """What the stream is given next starts after the event; the host goes on."""
        event.wait(self)

    def wait_stream(self, stream: Stream) -> None:  # type: ignore[override]
        """What the stream is given next starts after what is now on another one; the host goes on."""
        self.wait_event(stream.record_event())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self.agent == other.agent

    def __hash__(self) -> int:
        return hash(self.agent)

    def __repr__(self) -> str:
        return f"<syncpoint.sim.Stream device=sim:{self.device_index} number={self.stream_id}>"


class Event(torch.Event):
    """A mark on a stream. ``blocking`` and ``interprocess`` are accepted and have no effect."""

    def __new__(
        cls, device: Any = None, *, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ) -> Event:
        self = super().__new__(cls, torch.device("sim"), enable_timing=enable_timing)
        self._timing = enable_timing
        self._time_us = None
        self._snapshot = {}
        return self

    def __init__(self, *args: Any, **options: Any) -> None:
        """Everything is done in ``__new__``."""

    _timing: bool
    _time_us: float | None
    _snapshot: dict[Agent, int]
    _agent: Agent

    def record(self, stream: Stream | None = None) -> None:  # type: ignore[override]
        """Mark the point after all that is now on a stream (the current one, by default)."""
        stream = current_stream() if stream is None else stream
        machine.clock.host_us += machine.chip.host.copy_call_us
        self._agent = stream.agent
        self._time_us = max(stream._end_us(), machine.clock.host_us)
        self._snapshot = machine.so_far(stream.agent)

    def wait(self, stream: Stream | None = None) -> None:  # type: ignore[override]
        """Let a stream wait for the mark; an event that was never recorded is no wait."""
        stream = current_stream() if stream is None else stream
        machine.clock.host_us += machine.chip.host.copy_call_us
        if self._time_us is not None:
            machine.clock.delay_stream(*stream.agent, self._time_us)
            machine.follow()
            machine.detector.order.stream_waits(stream.agent, self._snapshot)

    def query(self) -> bool:
        """Whether the mark has been reached; True for an event that was never recorded."""
        if self._time_us is None:
            return True
        done = self._time_us <= machine.clock.host_us
        if done and machine.following:
            machine.saw(self._snapshot)
        return done

    def synchronize(self) -> None:
        """Wait until the mark has been reached."""
        if self._time_us is None:
            return
        machine.follow()
        machine.wait("Event.synchronize", self._agent[0], self._time_us, self._snapshot)

    def elapsed_time(self, end: Event) -> float:  # type: ignore[override]
        """Virtual milliseconds from this event to a later one; both must be timed, recorded and reached."""
        for event in (self, end):
            if not event._timing:
                raise ValueError("Both events must be created with argument 'enable_timing=True'.")
            if event._time_us is None:
                raise ValueError("Both events must be recorded before calculating elapsed time.")
            if not event.query():
                raise RuntimeError("sim error: device not ready. Call synchronize() on the later event first.")
        return (cast(float, end._time_us) - cast(float, self._time_us)) / 1000

    @property
    def event_id(self) -> int:  # type: ignore[override]
        return id(self)

    def __repr__(self) -> str:
        return (
            "<syncpoint.sim.Event unrecorded>" if self._time_us is None else f"<syncpoint.sim.Event {self._time_us} us>"
        )


def default_stream(device: Any = None) -> Stream:
    """Stream 0 of a device."""
    return Stream(_device(device), number=0)


def current_stream(device: Any = None) -> Stream:
    """The stream that operators of this thread go to."""
    index = _device(device)
    return Stream(index, number=machine.stream(index))


def set_stream(stream: Stream | None) -> None:
    """Make a stream the current one of its device, and its device the current one."""
    if stream is not None:
        _make_current(stream.device_index, stream.stream_id)
        _set_device(stream.device_index)


class stream:
    """A block in which a stream is the current one; None leaves everything as it is."""

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        if self.stream is not None:
            self.stream.__enter__()

    def __exit__(self, *error: Any) -> None:
        if self.stream is not None:
            self.stream.__exit__(*error)


def _set_device(index: int) -> None:
    from syncpoint.sim import module

    module._make_current(index)


# ---- backward runs on the stream of its forward ---------------------------------------------------------------------
# Every operator that autograd records takes the next of a thread's sequence numbers, and its backward node keeps it. So
# the switches of the current stream, each with the sequence number at that moment, tell the stream of any node.

_switches = threading.local()
_MOST_SWITCHES = 20_000


def _node_key() -> tuple[str, int] | None:
    node = torch._C._current_autograd_node()
    return None if node is None else (node.name(), node._sequence_nr())


def _make_current(device: int, number: int) -> None:
    machine.set_stream(device, number)
    machine.backward_stream = _backward_stream
    if not hasattr(_switches, "at"):
        _switches.at, _switches.streams = [0], [{}]
    at, streams = _switches.at, _switches.streams
    at.append(torch._C._autograd._get_sequence_nr())
    streams.append({**streams[-1], device: number})
    if len(at) > _MOST_SWITCHES:
        del at[: _MOST_SWITCHES // 2], streams[: _MOST_SWITCHES // 2]
    _switches.chosen_in = _node_key()  # a stream that a backward function chooses for itself


def _backward_stream(device: int) -> int | None:
    """The stream of the node whose backward is running; None outside the backward pass."""
    key = _node_key()
    if key is None or not hasattr(_switches, "at") or _switches.chosen_in == key:
        return None
    position = bisect_right(_switches.at, key[1]) - 1
    number: int = _switches.streams[max(position, 0)].get(device, 0)
    return number


# ---- PyTorch's own names --------------------------------------------------------------------------------------------


class _Face(type):
    """``isinstance(x, torch.Stream)`` goes on meaning what it meant."""

    original: type

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.original)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, cls.original)


def _asks_for_sim(device: Any, options: dict[str, Any]) -> bool:
    if "stream_id" in options or "device_index" in options:
        return False
    if device is None:
        device = options.get("device")
    return device is None or (not isinstance(device, int) and torch.device(device).type == "sim")


def _face(name: str, original: type, ours: type) -> type:
    def new(cls: type, device: Any = None, *args: Any, **options: Any) -> Any:
        if _asks_for_sim(device, options):
            return ours(*(() if device is None else (device,)), *args, **options)
        return original(*(() if device is None else (device,)), *args, **options)

    return _Face(name, (), {"__new__": new, "original": original, "__doc__": original.__doc__, "__module__": "torch"})


def install() -> None:
    """Lead ``torch.Stream``, ``torch.Event`` and ``torch.accelerator`` to the classes above."""
    torch.Stream = _face("Stream", torch.Stream, Stream)  # type: ignore[misc,assignment]
    torch.Event = _face("Event", torch.Event, Event)  # type: ignore[misc,assignment]
    torch.accelerator.current_stream = current_stream  # type: ignore[assignment]
    torch.accelerator.set_stream = set_stream  # type: ignore[assignment]
