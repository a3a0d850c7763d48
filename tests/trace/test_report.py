"""A trace told in words."""

from __future__ import annotations

import re

from made_traces import MadeTrace, copy, launch, loop, wait

from syncpoint.report import report, wait_groups


def said(trace: MadeTrace, top: int = 10) -> str:
    """The report with its line breaks taken out, so that a test does not depend on wrapping."""
    return re.sub(r"\s+", " ", report(trace, top=top))  # type: ignore[arg-type]


def test_a_loop_that_reads_a_value_each_turn() -> None:
    text = said(loop(7))
    assert "On sim:0 the host waited 7 times, 84.0 us in all, 49 % of its time." in text
    assert "train.py, line 4: while (x.norm() > 1).item():" in text
    assert (
        ".item() made the host wait 7 times, 84.0 us in all, of which 72.0 us were the call's own latency "
        "(the queue was already empty 6 times)." in text
    )
    assert "read it once, at the end" in text
    assert "7 operators (mul), 7 kernels, 21.0 us on the device" in text
    assert "Totals (virtual time) host 170.0 us, of which it waited 84.0 us" in text
    assert "device busy 21.0 us" in text
    assert "elapsed 170.0 us" in text


def test_the_most_expensive_line_comes_first() -> None:
    trace = loop(0)
    trace.waits = [wait(5, line=1), wait(5, line=1), wait(50, line=9, source="print(x)"), wait(7, line=1, kind="copy")]
    groups = wait_groups(trace.waits)
    assert [(g.first.line, len(g.waits), g.waited_us) for g in groups] == [(9, 1, 50), (1, 2, 10), (1, 1, 7)]
    text = said(trace)
    assert text.index("print() made the host wait for 50.0 us") < text.index("twice, 10.0 us in all")


def test_the_same_line_of_two_files_stays_apart() -> None:
    trace = loop(0)
    trace.waits = [wait(file="a.py"), wait(file="/tmp/ipykernel_1/2.py")]
    text = said(trace)
    assert "a.py, line 4:" in text
    assert "cell, line 4:" in text
    assert "ipykernel" not in text


def test_a_remedy_is_told_once_for_each_kind() -> None:
    trace = loop(0)
    trace.waits = [wait(line=n) for n in range(1, 5)]
    trace.waits.append(wait(line=8, kind="copy", op="aten._to_copy", source="x.cpu()"))
    text = said(trace)
    assert text.count("read it once, at the end") == 1
    assert text.count("non_blocking=True") == 1


def test_copies_say_which_held_the_host_up() -> None:
    trace = loop(0)
    trace.copies = [
        copy(1_000, line=1),
        copy(2_000, line=2, non_blocking=True),
        copy(3_000, line=3, pinned=True),
        copy(4_000, line=4, pinned=True, non_blocking=True, blocking=False),
        copy(5_000, line=5, kind="D2H"),
        copy(6_000, line=6, kind="P2P", blocking=False),
        copy(500, line=7),
        copy(400, line=7),
    ]
    text = said(trace)
    assert "no call asked the host to wait, but 6 copies held it up" in text
    assert "1 copy host to device, 1.0 kB, pageable memory; the host stood still." in text
    assert "2.0 kB, pageable memory; the host stood still although non_blocking=True" in text
    assert "3.0 kB, pinned memory; the host stood still: pinned memory helps only together with" in text
    assert "4.0 kB, pinned memory; the host went on at once." in text
    assert "1 copy device to host, 5.0 kB" in text
    assert "1 copy device to device, 6.0 kB; the host went on at once." in text
    assert "2 copies host to device, 900 B in all" in text
    assert text.index("6.0 kB") < text.index("900 B")


def test_no_wait_is_praised_and_the_unfinished_work_named() -> None:
    trace = loop(3)
    trace.waits, trace.copies = [], []
    trace.elapsed_us = trace.host_us + 30
    text = said(trace)
    assert text.startswith("Well done: on sim:0 the host never waited.")
    assert "the device still had work for 30.0 us: a timer that does not synchronise misses it" in text
    trace.races = ["line 3 reads what line 2 still writes"]
    assert "see the races below" in said(trace)
    assert "line 3 reads what line 2 still writes" in said(trace)


def test_an_empty_trace_says_so() -> None:
    empty = loop(0)
    empty.copies = []
    assert said(empty).startswith("Nothing happened on sim:0")
    assert said(MadeTrace()).startswith("Nothing happened: no operator ran")


def test_one_wait_on_an_empty_queue() -> None:
    trace = loop(0)
    trace.waits = [wait(12, drained=True, kind="explicit", op="synchronize", source="torch.sim.synchronize()")]
    text = said(trace)
    assert "On sim:0 the host waited once" in text
    assert "synchronize() made the host wait for 12.0 us (the queue was already empty: only the call" in text


def test_ten_thousand_records_on_many_lines_stay_readable() -> None:
    trace = loop(0)
    trace.waits = [wait(1 + n % 500 / 1000, line=1 + n % 500) for n in range(10_000)]
    trace.launches = [launch(line=1 + n % 300) for n in range(10_000)]
    trace.copies = [copy(line=1 + n % 200) for n in range(10_000)]
    text = report(trace, top=5)  # type: ignore[arg-type]
    assert len(text.splitlines()) < 80
    assert "... and 495 more lines: 9,900 waits, 12.35 ms in all" in text
    assert "Launches: 10,000 operators, 10,000 kernels" in text
    assert "... and 295 more lines" in text
    assert "... and 195 more lines" in text


def test_long_lines_are_shortened_and_text_is_wrapped() -> None:
    trace = loop(0)
    trace.waits = [wait(source="x = " + "very_" * 60 + "long.item()")]
    assert max(map(len, report(trace).splitlines())) < 125  # type: ignore[arg-type]


def test_an_unknown_kind_is_told_by_its_name() -> None:
    trace = loop(0)
    trace.waits = [wait(kind="telepathy")]
    assert "Why: telepathy" in said(trace)
