"""A trace drawn, and saved for Perfetto."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from made_traces import MadeTrace, copy, launch, loop, wait
from matplotlib.collections import LineCollection, PolyCollection

import syncpoint as sp
from syncpoint.timeline import Bar, _shares, save, timeline


def drawn(trace: MadeTrace, **options: Any) -> Any:
    return timeline(trace, **options)  # type: ignore[arg-type]


def hatched(axes: Any) -> list[PolyCollection]:
    return [c for c in axes.collections if isinstance(c, PolyCollection) and c.get_hatch()]


def lane_names(figure: Any) -> list[str]:
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def test_lanes_waits_and_links_of_a_loop() -> None:
    figure = drawn(loop(7))
    axes = figure.axes[0]
    assert lane_names(figure) == ["host", "sim:0\ndefault stream", "sim:0\ncopy H2D"]
    (waits,) = hatched(axes)
    spans = [(path.vertices[:, 0].min(), path.vertices[:, 0].max()) for path in waits.get_paths()]
    assert spans == [(38.0 + 20 * turn, 50.0 + 20 * turn) for turn in range(7)]
    links = [tuple(line.get_xdata()) for line in axes.get_lines()]
    assert (30.0, 35.0) in links  # from the first launch to its kernel
    assert (0.0, 5.0) in links  # from the copy's call to the copy
    assert len(links) == 8
    assert "us" in axes.get_xlabel()
    assert (
        axes.get_title(loc="left") == "The host waited 7 times: 84.0 us of its 170.0 us. The device was busy 21.0 us."
    )
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == [
        "host: Python and launching",
        "host waits",
        "kernel",
        "copy host to device",
        "launch or copy called",
    ]


def test_times_count_from_the_start_of_the_trace() -> None:
    trace = MadeTrace(start_us=1_000.0, host_us=50.0, elapsed_us=50.0)
    trace.launches = [launch(1_000, 1_010, 1_020)]
    trace.waits = [wait(2, at_us=1_022.0)]
    trace.host_ops = [SimpleNamespace(op="aten.add.Tensor", at_us=1_030.0, end_us=1_040.0)]
    axes = drawn(trace).axes[0]
    spans = [
        (round(path.vertices[:, 0].min(), 6), round(path.vertices[:, 0].max(), 6))
        for collection in axes.collections
        if isinstance(collection, PolyCollection)
        for path in collection.get_paths()
    ]
    assert spans == [(0, 50), (30, 40), (22, 24), (10, 20)]
    assert axes.get_xlim()[1] < 51


def test_every_device_has_its_own_lanes() -> None:
    trace = MadeTrace()
    trace.launches = [launch(device="sim:1"), launch(stream=11), launch(stream=2), launch()]
    trace.copies = [copy(device="sim:1", kind="D2H"), copy(), copy(kind="D2H"), copy(kind="P2P")]
    assert lane_names(drawn(trace)) == [
        "host",
        "sim:0\ndefault stream",
        "sim:0\nstream 2",
        "sim:0\nstream 11",
        "sim:0\ncopy H2D",
        "sim:0\ncopy D2H",
        "sim:0\ncopy P2P",
        "sim:1\ndefault stream",
        "sim:1\ncopy D2H",
    ]


def test_labels_stand_only_where_they_fit() -> None:
    trace = MadeTrace(host_us=1_000.0)
    trace.launches = [launch(0, 10, 500, op="aten.mm"), launch(1, 500, 501, op="aten.convolution.default")]
    assert [text.get_text() for text in drawn(trace).axes[0].texts] == ["mm"]


def test_many_launches_have_no_links_but_ticks() -> None:
    trace = MadeTrace(host_us=1_000.0)
    trace.launches = [launch(10.0 * n, 10.0 * n + 5, 10.0 * n + 8) for n in range(100)]
    axes = drawn(trace).axes[0]
    assert axes.get_lines()[:] == []
    (ticks,) = [c for c in axes.collections if isinstance(c, LineCollection)]
    assert len(ticks.get_segments()) == 100


def test_a_huge_trace_becomes_columns_and_says_so() -> None:
    trace = MadeTrace(host_us=100_000.0, elapsed_us=100_000.0)
    trace.launches = [launch(10.0 * n, 10.0 * n, 10.0 * n + 5) for n in range(10_000)]
    trace.waits = [wait(10, at_us=50_000.0)]
    figure = drawn(trace)
    axes = figure.axes[0]
    assert "20,001 events: each column covers 250.0 us, its height is the share of it in use." in axes.get_xlabel()
    assert len(axes.collections) < 10
    assert axes.texts[:] == []
    kernels = axes.collections[-1].get_paths()[0].vertices
    top, bottom = kernels[:, 1].min(), kernels[:, 1].max()
    assert bottom - top == pytest.approx(0.36, abs=0.01)  # half of the lane's 0.72: the device was busy half the time


def test_columns_hold_the_share_of_time_in_use() -> None:
    shares = _shares([Bar(0, 5, "kernel", ""), Bar(8, 10, "kernel", ""), Bar(15, 35, "kernel", "")], 10.0)
    assert shares[:5] == [0.7, 0.5, 1.0, 0.5, 0.0]
    assert sum(shares) == pytest.approx(2.7)


def test_an_empty_trace_can_be_drawn() -> None:
    figure = drawn(MadeTrace())
    assert lane_names(figure) == ["host"]
    assert figure.axes[0].get_title(loc="left").startswith("The host never waited")
    assert figure._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_notebook_shows_the_figure() -> None:
    """As IPython would display it in a fresh notebook, where nobody has imported pyplot."""
    pytest.importorskip("IPython")
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]); from made_traces import loop;"
        "from syncpoint.timeline import timeline; figure = timeline(loop(2));"
        "from IPython.core.formatters import DisplayFormatter;"
        "data, _ = DisplayFormatter().format(figure);"
        "assert data['image/png'][:4] == b'\\x89PNG', data.keys();"
        "assert data['text/plain'].startswith('<Timeline: The host waited twice'), data['text/plain'];"
        "assert 'matplotlib.pyplot' not in sys.modules, 'pyplot keeps every figure alive'"
    )
    subprocess.run([sys.executable, "-c", code, str(Path(__file__).parent)], check=True)


def test_importing_it_does_not_import_matplotlib() -> None:
    code = "import syncpoint.timeline, syncpoint.report, sys; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


NUMBERS = (int, float)


def check_event(event: dict[str, Any]) -> None:
    """The parts of the Trace Event Format that Perfetto relies on."""
    assert event["ph"] in ("X", "M", "s", "f")
    assert isinstance(event["pid"], int)
    assert isinstance(event["tid"], int)
    assert isinstance(event["name"], str)
    if event["ph"] == "M":
        assert event["name"] in ("process_name", "thread_name")
        assert isinstance(event["args"]["name"], str)
        return
    assert isinstance(event["ts"], NUMBERS)
    assert isinstance(event["cat"], str)
    if event["ph"] == "X":
        assert event["dur"] >= 0
    else:
        assert isinstance(event["id"], int)
        assert event["ph"] == "s" or event["bp"] == "e"


def saved(trace: Any, folder: Path) -> list[dict[str, Any]]:
    path = save(trace, folder / "trace.json")
    events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    for event in events:
        check_event(event)
    return events


def check_nesting(slices: list[dict[str, Any]]) -> None:
    """Slices of one thread lie beside or within each other; Perfetto drops those that overlap in part."""
    for thread in {(s["pid"], s["tid"]) for s in slices}:
        open_ends: list[float] = []
        mine = [s for s in slices if (s["pid"], s["tid"]) == thread]
        for s in sorted(mine, key=lambda s: (s["ts"], -s["dur"])):
            while open_ends and open_ends[-1] <= s["ts"] + 1e-6:
                open_ends.pop()
            end = s["ts"] + s["dur"]
            assert not open_ends or end <= open_ends[-1] + 1e-6, s
            open_ends.append(end)


def test_a_saved_trace_follows_the_format(tmp_path: Path) -> None:
    trace = loop(3)
    trace.host_ops = [
        SimpleNamespace(op="aten.add", bytes=4, at_us=80.0, end_us=81.0, file="a.py", line=1, source="a + b")
    ]
    trace.start_us, trace.host_us = 0.0, 90.0
    events = saved(trace, tmp_path)
    slices = [e for e in events if e["ph"] == "X"]
    check_nesting(slices)
    assert sorted({e["cat"] for e in slices}) == ["cpu_op", "cuda_runtime", "cuda_sync", "gpu_memcpy", "kernel"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M"}
    assert set(names.values()) == {"host", "Python", "sim:0", "default stream", "copy H2D"}
    kernel = next(e for e in slices if e["cat"] == "kernel")
    assert (kernel["name"], kernel["ts"], kernel["dur"]) == ("mul", 35.0, 3.0)
    assert kernel["args"]["where"] == "train.py, line 5"
    call = next(e for e in slices if e["cat"] == "cuda_runtime" and e["name"] == "call mul")
    assert (call["ts"], call["dur"]) == (30.0, 8.0)  # until the wait that follows
    sync = next(e for e in slices if e["cat"] == "cuda_sync")
    assert (sync["name"], sync["ts"], sync["dur"]) == ("wait: .item()", 38.0, 12.0)


def test_arrows_lead_from_a_call_to_its_kernel(tmp_path: Path) -> None:
    events = saved(loop(3), tmp_path)
    starts, ends = ({e["id"]: e for e in events if e["ph"] == ph} for ph in "sf")
    assert set(starts) == set(ends) == {1, 2, 3, 4}
    for number, arrow in ends.items():
        assert any(
            e["ph"] == "X" and (e["pid"], e["tid"], e["ts"]) == (arrow["pid"], arrow["tid"], arrow["ts"])
            for e in events
        )
        assert starts[number]["ts"] <= arrow["ts"]


def test_a_trace_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "trace.json"
    target.write_text("before", encoding="utf-8")
    broken = loop(1)
    broken.waits[0].source = object()  # type: ignore[assignment]
    broken.waits[0].op = "synchronize"
    broken.waits[0].bytes = float("nan")  # type: ignore[assignment]
    with pytest.raises((TypeError, ValueError, AttributeError)):
        save(broken, target)  # type: ignore[arg-type]
    assert target.read_text(encoding="utf-8") == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["trace.json"]

    def full(*_: Any, **__: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(json, "dump", full)
    with pytest.raises(OSError, match="no space"):
        save(loop(1), target)  # type: ignore[arg-type]
    assert target.read_text(encoding="utf-8") == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["trace.json"]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no folder .*nowhere.*Make it first"):
        save(loop(1), tmp_path / "nowhere" / "trace.json")  # type: ignore[arg-type]


def test_a_real_trace_is_drawn_told_and_saved(tmp_path: Path) -> None:
    sp.sim.use("T4")
    with sp.trace("sim") as trace:
        x = torch.ones(64, 64).to("sim")
        while (x.norm() > 1).item():
            x = x * 0.5
    figure = trace.timeline()
    assert lane_names(figure) == ["host", "sim:0\ndefault stream", "sim:0\ncopy H2D"]
    assert len(hatched(figure.axes[0])[0].get_paths()) == len(trace.waits)
    trace.save(tmp_path / "real.json")
    events = json.loads((tmp_path / "real.json").read_text(encoding="utf-8"))["traceEvents"]
    for event in events:
        check_event(event)
    check_nesting([e for e in events if e["ph"] == "X"])
    assert sum(e.get("cat") == "kernel" for e in events) == len(trace.launches)
    assert sum(e.get("cat") == "cuda_sync" for e in events) == len(trace.waits)
    text = trace.report()
    assert f".item() made the host wait {len(trace.waits) - 1} times" in text
    assert "test_timeline.py, line" in text
