"""The race detector against PyTorch's CUDA stream sanitizer, and where it must see more than that one does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.cuda._sanitizer import EventHandler

from syncpoint.sim.races import HOST, Block, Detector

BYTES = 64


class Both:
    """Drives our detector and the sanitizer's event handler with the same story; each tensor is one block."""

    def __init__(self) -> None:
        self.detector, self.handler = Detector(), EventHandler()
        self.blocks: dict[int, Block] = {}
        self.events: dict[int, dict] = {}
        self.streams: set[int] = {0}

    def _agent(self, stream: int) -> tuple[int, int]:
        if stream not in self.streams:
            self.handler._handle_stream_creation(stream)
            self.streams.add(stream)
        return (0, stream)

    def launch(self, stream: int, reads: set[int] = frozenset(), writes: set[int] = frozenset()) -> tuple[int, int]:
        access = self.detector.launch(self._agent(stream), "kernel")
        ours = 0
        for tensor in sorted(reads | writes):
            block = self.blocks.setdefault(tensor, Block(tensor * BYTES, BYTES, 0, (0, 0)))
            ours += len(self.detector.access(block, 0, BYTES, access, tensor in writes))
        aliases = {tensor: [] for tensor in reads | writes}
        theirs = self.handler._handle_kernel_launch(stream, set(reads - writes), set(writes), set(), "kernel", aliases)
        return ours, len(theirs)

    def record(self, event: int, stream: int) -> None:
        self.handler._handle_event_creation(event) if event not in self.events else None
        self.events[event] = self.detector.order.snapshot(self._agent(stream))
        self.handler._handle_event_record(event, stream)

    def wait(self, event: int, stream: int) -> None:
        agent = self._agent(stream)
        if event in self.events:
            self.detector.order.stream_waits(agent, self.events[event])
            self.handler._handle_event_wait(event, stream)

    def host_waits_event(self, event: int) -> None:
        if event in self.events:
            self.detector.order.host_waits(self.events[event])
            self.handler._handle_event_synchronization(event)

    def host_waits_stream(self, stream: int) -> None:
        agent = self._agent(stream)
        self.detector.order.host_waits_for([agent])
        self.handler._handle_stream_synchronization(stream)

    def host_waits_device(self) -> None:
        self.detector.order.host_waits_for([(0, s) for s in self.streams])
        self.handler._handle_device_synchronization()


def agree(pair: tuple[int, int], expected: int) -> None:
    assert pair == (expected, expected)


# ---- the stories of PyTorch's test_cuda_sanitizer.py, in the same order ---------------------------------------------


def test_empty_kernel_launch():
    agree(Both().launch(0), 0)


def test_simple_passing():
    both = Both()
    agree(both.launch(1, reads={1}), 0)
    agree(both.launch(2, reads={1}), 0)


def test_simple_error():
    both = Both()
    agree(both.launch(1, reads={1}), 0)
    agree(both.launch(2, writes={1}), 1)


def test_simple_sync():
    both = Both()
    agree(both.launch(1, reads={1}), 0)
    both.record(1, 1)
    both.wait(1, 2)
    agree(both.launch(2, writes={1}), 0)


def test_reads_check_last_write():
    both = Both()
    agree(both.launch(1, writes={1}), 0)
    both.record(1, 1)
    both.wait(1, 2)
    agree(both.launch(2, reads={1}), 0)
    agree(both.launch(3, reads={1}), 1)


def test_branch_sync():
    both = Both()
    agree(both.launch(1, reads={1}), 0)
    both.record(1, 1)
    both.wait(1, 2)
    both.wait(1, 3)
    agree(both.launch(2, reads={1}), 0)
    agree(both.launch(3, writes={1}), 1)


def test_chain_sync():
    both = Both()
    agree(both.launch(0, reads={1}), 0)
    for stream in range(10):
        both.record(stream, stream)
        both.wait(stream, stream + 1)
    agree(both.launch(10, writes={1}), 0)


def test_expired_record():
    both = Both()
    agree(both.launch(1, reads={1}), 0)
    both.record(1, 1)
    agree(both.launch(1, reads={1}), 0)
    both.wait(1, 2)
    agree(both.launch(2, writes={1}), 1)


@pytest.mark.parametrize("should_delete", [True, False])
def test_deleted_record(should_delete):
    for passes, expected in ((True, 0), (False, 1)):
        both = Both()
        agree(both.launch(1, reads={1}), 0)
        both.record(1, 1)
        if should_delete:
            both.handler._handle_event_deletion(1)
            both.handler._handle_event_creation(1)
            del both.events[1]
        both.record(1, 1 if passes else 3)
        both.wait(1, 2)
        agree(both.launch(2, writes={1}), expected)


def test_all_reads_checked_failing():
    both = Both()
    for stream in range(1, 11):
        agree(both.launch(stream, reads={1}), 0)
        both.record(stream, stream)
    for stream in range(1, 10):
        both.wait(stream, 11)
    agree(both.launch(11, writes={1}), 1)


def test_all_reads_checked_passing():
    both = Both()
    for stream in range(1, 11):
        agree(both.launch(stream, reads={1}), 0)
        both.record(stream, stream)
        both.wait(stream, 11)
    agree(both.launch(11, writes={1}), 0)


def test_multiple_errors():
    both = Both()
    agree(both.launch(1, writes={1, 2}), 0)
    agree(both.launch(2, writes={1, 2}), 2)


def test_correct_state_merging():
    both = Both()
    both.launch(1, writes={1})
    both.launch(2, writes={2})
    both.record(1, 1)
    both.record(2, 2)
    both.launch(1, writes={1})
    both.launch(2, writes={2})
    both.wait(1, 2)
    both.wait(2, 1)
    both.record(3, 2)
    both.wait(3, 1)
    agree(both.launch(1, reads={2}, writes={1}), 0)


def test_record_override():
    both = Both()
    both.launch(1, reads={1})
    both.launch(2, reads={2})
    both.record(1, 1)
    both.record(1, 2)
    both.wait(1, 3)
    agree(both.launch(3, writes={1}), 1)


def test_multiple_wait():
    both = Both()
    both.launch(1, writes={1})
    both.record(1, 1)
    both.launch(2, writes={2})
    both.record(2, 2)
    both.wait(1, 3)
    both.wait(2, 3)
    agree(both.launch(3, reads={1, 2}), 0)


@pytest.mark.parametrize("synchronise", ["device", "stream", "event"])
def test_host_waits(synchronise):
    both = Both()
    both.launch(1, writes={1})
    both.record(1, 1)
    both.launch(1, writes={2})
    {
        "device": both.host_waits_device,
        "stream": lambda: both.host_waits_stream(1),
        "event": lambda: both.host_waits_event(1),
    }[synchronise]()
    agree(both.launch(2, reads={1}), 0)
    agree(both.launch(3, reads={2}), int(synchronise == "event"))


TENSORS = st.sets(st.integers(1, 3), max_size=2)
STEP = st.one_of(
    st.tuples(st.just("launch"), st.integers(0, 3), TENSORS, TENSORS),
    st.tuples(st.just("record"), st.integers(1, 3), st.integers(0, 3)),
    st.tuples(st.just("wait"), st.integers(1, 3), st.integers(0, 3)),
    st.tuples(st.just("host_waits_event"), st.integers(1, 3)),
    st.tuples(st.just("host_waits_stream"), st.integers(0, 3)),
    st.tuples(st.just("host_waits_device")),
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(STEP, max_size=25))
def test_random_programs_get_the_same_verdict(steps):
    both = Both()
    for name, *arguments in steps:
        result = getattr(both, name)(*arguments)
        if name == "launch":
            ours, theirs = result
            assert (ours > 0) == (theirs > 0)


# ---- what the sanitizer cannot see ----------------------------------------------------------------------------------


def test_overlapping_views_are_compared_by_bytes():
    detector, block = Detector(), Block(0, 32, 0, (0, 0))
    detector.access(block, 0, 32, detector.launch((0, 1), "write x"), True)
    (race,) = detector.access(block, 16, 32, detector.launch((0, 2), "read x[4:]"), False)
    assert race.bytes == 16
    other = Block(0, 32, 0, (0, 0))
    detector.access(other, 0, 16, detector.launch((0, 1), "write x[:4]"), True)
    assert detector.access(other, 16, 32, detector.launch((0, 2), "read x[4:]"), False) == []
    assert len(detector.access(other, 8, 24, detector.launch((0, 3), "write x[2:6]"), True)) == 2


def test_the_host_is_an_agent():
    detector, block = Detector(), Block(0, 32, -1, HOST)
    copied = detector.launch((0, 0), "copy to the host")
    detector.access(block, 0, 32, copied, True)
    (race,) = detector.access(block, 0, 32, detector.launch(HOST, "read"), False)
    assert "Let the host wait first" in str(race)
    detector.order.host_waits_for([(0, 0)])
    assert detector.access(block, 0, 32, detector.launch(HOST, "read"), False) == []
    detector.access(block, 0, 32, detector.launch((0, 0), "copy to the device"), False)
    (race,) = detector.access(block, 0, 32, detector.launch(HOST, "overwrite"), True)
    assert race.kind == "written while it is still being read"
    assert detector.access(block, 0, 32, detector.launch((0, 1), "what the host launches later"), False) == []


def test_freeing_what_another_stream_still_uses():
    for remedy in ("none", "record_stream", "wait", "host"):
        detector, block = Detector(), Block(0, 32, 0, (0, 0))
        detector.access(block, 0, 32, detector.launch((0, 0), "fill"), True)
        detector.order.stream_waits((0, 1), detector.order.snapshot((0, 0)))
        detector.access(block, 0, 32, detector.launch((0, 1), "sum"), False)
        if remedy == "record_stream":
            block.used_by |= {(0, 1)}
        elif remedy == "wait":
            detector.order.stream_waits((0, 0), detector.order.snapshot((0, 1)))
        elif remedy == "host":
            detector.order.host_waits_for([(0, 1)])
        races = detector.free(block, detector.mark((0, 0), "free"))
        assert [r.kind for r in races] == (["freed while it is still in use"] if remedy == "none" else []), remedy


def test_many_small_writes_stay_few_spans():
    detector, block = Detector(), Block(0, 4096, 0, (0, 0))
    for start in range(0, 4096, 16):
        detector.access(block, start, start + 16, detector.launch((0, 0), "write"), True)
    for _ in range(3):
        detector.access(block, 0, 4096, detector.launch((0, 0), "read"), False)
    whole = detector.launch((0, 0), "write all")
    detector.access(block, 0, 4096, whole, True)
    detector.access(block, 8, 16, detector.launch((0, 0), "read"), False)
    assert all(span.write is whole for span in block.spans)
