"""Workers and errors: the first exception wins, nothing hangs, no thread is left."""

from __future__ import annotations

import threading
import time

import pytest
import torch
from parts import machines
from torch import nn

import syncpoint as sp
from syncpoint import pipeline as P
from syncpoint.pipeline.worker import Workers

CPU, OTHER = torch.device("cpu"), torch.device("cpu", 1)  # a name of its own is enough for a thread of its own


class Broken(Exception):
    pass


def threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("stages on")]


def test_results_come_in_order_and_from_threads_of_the_devices():
    with Workers([CPU, OTHER, CPU]) as workers:
        names = workers.run([(j, lambda: threading.current_thread().name) for j in range(3)])
    assert names == ["stages on cpu_0", "stages on cpu:1_0", "stages on cpu_0"]
    assert not threads()


def test_two_devices_work_side_by_side():
    """Each task needs the other one: in a single thread the first would wait for ever."""
    meeting = threading.Barrier(2, timeout=30)
    with Workers([CPU, OTHER]) as workers:
        workers.run([(0, meeting.wait), (1, meeting.wait)])


def test_simulated_devices_share_one_host_and_one_thread():
    machines(2)
    with Workers([torch.device("sim:0"), torch.device("sim:1")]) as workers:
        here = workers.run([(0, threading.get_ident), (1, threading.get_ident)])
        assert not threads()
    assert here == [threading.get_ident()] * 2


def test_grad_mode_and_inference_mode_are_the_callers():
    with Workers([CPU]) as workers:
        for mode in (torch.no_grad(), torch.enable_grad(), torch.inference_mode()):
            with mode:
                state = lambda: (torch.is_grad_enabled(), torch.is_inference_mode_enabled())  # noqa: E731
                assert workers.run([(0, state)]) == [state()]


def fail(what, after=0.0):
    def task():
        time.sleep(after)
        raise Broken(what)

    return task


def test_the_first_exception_in_the_schedules_order_wins():
    """Not the one that comes first by the clock, which is another one each time."""
    with Workers([CPU, OTHER]) as workers, pytest.raises(Broken, match="first"):
        workers.run([(0, fail("first", after=0.05)), (1, fail("second"))])
    assert not threads()


def test_even_an_exit_of_a_task_is_told_and_nothing_hangs():
    def leave():
        raise SystemExit("a stage")

    with pytest.raises(SystemExit, match="a stage"), Workers([CPU]) as workers:
        workers.run([(0, leave)])
    assert not threads()


def test_the_end_waits_for_a_task_that_is_still_running():
    """As after Ctrl-C in the caller, who then does not collect the results any more."""
    with Workers([CPU]) as workers:
        workers._threads[CPU].submit(time.sleep, 0.2)
    assert not threads()


class Fails(nn.Module):
    def __init__(self, what="broken", at=0):
        super().__init__()
        self.what, self.at, self.calls = what, at, 0

    def forward(self, x):
        self.calls += 1
        if self.calls > self.at:
            raise Broken(self.what)
        return x


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x


@pytest.mark.parametrize("kind", ["cpu", "sim"])
def test_an_exception_in_a_stage_comes_out_with_its_line(kind):
    devices = [CPU] * 3 if kind == "cpu" else machines(3)
    pipe = P.GPipe(nn.Sequential(nn.Identity(), Fails(), nn.Identity()), [1, 1, 1], devices, 3)
    with pytest.raises(Broken) as caught:
        pipe(torch.ones(3, 1, device=devices[0]))
    assert caught.traceback[-1].name == "forward"
    assert caught.traceback[-1].path.name == "test_pipe_worker.py"
    assert not threads()


@pytest.mark.parametrize("kind", ["cpu", "sim"])
def test_the_exception_of_the_first_micro_batch_wins(kind):
    """Two stages fail in the same tick: the earlier one in the tick's order is told."""
    devices = [CPU] * 2 if kind == "cpu" else machines(2)
    pipe = P.GPipe(nn.Sequential(Fails("stage 0, micro-batch 1", at=1), Fails("stage 1")), [1, 1], devices, 3)
    with pytest.raises(Broken, match="stage 0, micro-batch 1"):
        pipe(torch.ones(3, 1, device=devices[0]))


@pytest.mark.parametrize("kind", ["cpu", "sim"])
def test_a_failure_stops_the_pipeline_at_once(kind):
    """Stage 2 has seen micro-batches 0 and 1 when stage 3 fails; the third never comes to it."""
    devices = [CPU] * 4 if kind == "cpu" else machines(4)
    counter = Counts()
    pipe = P.GPipe(nn.Sequential(nn.Identity(), nn.Identity(), counter, Fails()), [1] * 4, devices, 3)
    with pytest.raises(Broken):
        pipe(torch.ones(3, 1, device=devices[0]))
    assert counter.calls == 2


def test_after_a_failure_the_next_batch_goes_through():
    once = Fails()
    pipe = P.GPipe(nn.Sequential(nn.Linear(1, 1), once), [1, 1], [CPU] * 2, 2)
    with pytest.raises(Broken):
        pipe(torch.ones(2, 1))
    once.at = 99
    pipe(torch.ones(2, 1)).sum().backward()


def test_a_failure_while_recomputing_comes_out_of_backward():
    pipe = P.GPipe(nn.Sequential(nn.Linear(1, 1), Fails(at=2)), [1, 1], [CPU] * 2, 2, "always")
    y = pipe(torch.ones(2, 1))
    with pytest.raises(Broken):
        y.sum().backward()


def test_the_forward_pass_is_in_lockstep():
    """Tick by tick; within a tick, stages that share a thread are in the schedule's order."""
    seen = []

    class Noting(nn.Module):
        def __init__(self, j):
            super().__init__()
            self.j = j

        def forward(self, x):
            time.sleep(0.01 * (2 - self.j))
            seen.append((int(x[0]), self.j))
            return x

    pipe = P.Pipeline([Noting(0), Noting(1)], [CPU] * 2)
    pipe.run(P.scatter(torch.arange(3.0), 3))
    assert seen == [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (2, 1)]


def test_a_failure_of_the_device_itself_is_told():
    """Errors outside the stages count too: here the second stage's device has no room for the micro-batch."""
    devices = machines(2)
    sp.sim.use(devices=1)
    with pytest.raises(RuntimeError, match="invalid device ordinal 1"):
        P.Pipeline([nn.Identity(), nn.Identity()], devices).run(P.scatter(torch.ones(2, device="sim:0"), 2))
    assert not threads()
