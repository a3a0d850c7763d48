"""Schedules as lists: who computes what when, and what a wrong order leads to."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncpoint import pipeline as P

SIZES = st.integers(1, 12)


def test_clock_cycles():
    assert P.clock_cycles(1, 1) == [[(0, 0)]]
    assert P.clock_cycles(1, 3) == [[(0, 0)], [(0, 1)], [(0, 2)]]
    assert P.clock_cycles(3, 1) == [[(0, 0)], [(1, 0)], [(2, 0)]]
    assert P.clock_cycles(3, 3) == [
        [(0, 0)], [(1, 0), (0, 1)], [(2, 0), (1, 1), (0, 2)], [(2, 1), (1, 2)], [(2, 2)]
    ]  # fmt: skip


@given(SIZES, SIZES)
def test_the_clock_runs_every_task_once_and_after_what_it_needs(m, n):
    cycles = P.clock_cycles(m, n)
    assert len(cycles) == P.ticks(m, n)
    tick_of = {task: k for k, tick in enumerate(cycles) for task in tick}
    assert len(tick_of) == m * n == sum(map(len, cycles))
    for (i, j), k in tick_of.items():
        assert j == 0 or tick_of[i, j - 1] < k
        assert i == 0 or tick_of[i - 1, j] < k


@given(SIZES, SIZES)
def test_both_schedules_run_and_keep_what_they_say(m, n):
    for schedule, most in (("gpipe", lambda j: m), ("1f1b", lambda j: min(m, n - j))):
        steps = P.orders(schedule, m, n)
        assert [P.in_flight(lane) for lane in steps] == [most(j) for j in range(n)]
        assert all(sorted(lane) == sorted(P.orders("gpipe", m, n)[0]) for lane in steps)
        P.rehearse(P.with_transfers(steps))


def test_1f1b_by_hand():
    assert [" ".join(map(str, lane)) for lane in P.orders("1f1b", 4, 3)] == [
        "F0 F1 F2 B0 F3 B1 B2 B3", "F0 F1 B0 F2 B1 F3 B2 B3", "F0 B0 F1 B1 F2 B2 F3 B3"
    ]  # fmt: skip


@pytest.mark.parametrize(("m", "n"), [(0, 1), (1, 0), (-1, 2)])
def test_there_is_at_least_one_of_each(m, n):
    with pytest.raises(ValueError, match="1 or more of each"):
        P.clock_cycles(m, n)


def test_an_unknown_schedule():
    with pytest.raises(ValueError, match="there is no schedule '2f2b'; known: gpipe, 1f1b"):
        P.orders("2f2b", 1, 1)


def S(text: str) -> list[P.Step]:
    """ "F0, send F0" as steps."""
    return [P.Step(kind.strip(), int(i)) for kind, i in re.findall(r"([a-zFB ]+?)(\d+)", text)]


def test_sends_in_another_order_than_receives_are_a_deadlock_with_names():
    steps = [S("F0, F1, send F1, send F0".replace(",", "")), S("recv F0 F0 recv F1 F1")]
    with pytest.raises(P.Deadlock) as caught:
        P.rehearse(steps)
    text = str(caught.value)
    assert "stage 0 has finished" in text
    assert "stage 1, step 0, wants to receive the result of micro-batch 0 from stage 0" in text
    assert "micro-batch 1 is first in line" in text
    assert "same order" in text


def test_1f1b_with_sends_that_wait_for_the_receiver_stands_still():
    """The classic: both neighbours send, nobody receives. GPipe's schedule has no such moment."""
    with pytest.raises(P.Deadlock) as caught:
        P.rehearse(P.with_transfers(P.orders("1f1b", 4, 2)), buffered=False)
    assert "stage 0, step 3, wants to send the result of micro-batch 1 to stage 1" in str(caught.value)
    assert "stage 1, step 3, wants to send the gradient of micro-batch 0 to stage 0" in str(caught.value)
    P.rehearse(P.with_transfers(P.orders("gpipe", 4, 2)), buffered=False)


def test_a_missing_send_is_a_deadlock():
    with pytest.raises(P.Deadlock, match="stage 1, step 0, wants to receive"):
        P.rehearse([S("F0"), S("recv F0 F0")])
