"""The clock by numbers: streams queue, engines are shared, the host waits and may run only so far ahead."""

import pytest

from syncpoint.sim.clock import Clock


def test_a_stream_runs_in_order_and_not_before_the_launch():
    clock = Clock()
    clock.host_us = 5
    assert clock.run(0, 0, 100) == (5, 105)
    assert clock.run(0, 0, 10) == (105, 115)
    clock.host_us = 200
    assert clock.run(0, 0, 10) == (200, 210)
    assert clock.busy_us[0] == 120


def test_streams_and_devices_are_independent():
    clock = Clock()
    clock.run(0, 0, 100)
    assert clock.run(0, 1, 10) == (0, 10)
    assert clock.run(1, 0, 10) == (0, 10)
    assert clock.device_end_us(0) == 100
    assert clock.device_end_us(1) == 10
    assert clock.device_end_us() == 100


def test_copies_share_the_engine_of_their_direction():
    clock = Clock()
    assert clock.copy(0, 1, "H2D", 40) == (0, 40)
    assert clock.copy(0, 2, "H2D", 40) == (40, 80)  # another stream, the same engine
    assert clock.copy(0, 3, "D2H", 40) == (0, 40)  # the other engine
    assert clock.run(0, 1, 10) == (40, 50)  # a kernel on the copy's stream comes after it


def test_waiting_moves_the_host_and_costs_the_latency():
    clock = Clock()
    clock.run(0, 0, 100)
    assert clock.wait_until(clock.stream_end_us(0, 0), 7) == 107
    assert clock.wait_until(clock.stream_end_us(0, 0), 7) == 7  # nothing left: the latency alone
    assert clock.host_us == 114


def test_the_host_blocks_when_the_queue_is_full():
    clock = Clock(queue_depth=2)
    clock.run(0, 0, 100)
    clock.run(0, 0, 100)
    assert clock.host_us == 0
    clock.run(0, 0, 100)
    assert clock.host_us == 100  # until the first of the three had finished


def test_draining_costs_nobody_anything():
    clock = Clock()
    clock.run(0, 0, 100)
    clock.drain()
    assert clock.host_us == 100
    clock.drain()
    assert clock.host_us == 100


@pytest.mark.parametrize("depth", [1, 1024])
def test_reset_forgets_all(depth):
    clock = Clock(depth)
    clock.run(0, 0, 1)
    clock.copy(0, 0, "H2D", 1)
    clock.reset()
    assert (clock.host_us, clock.device_end_us(), clock.busy_us) == (0, 0, {})
