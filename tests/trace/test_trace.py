"""What a trace records: lines, times, nesting, and the same on a device that is only watched."""

from __future__ import annotations

import sys

import pytest
import torch
from torch.utils.checkpoint import checkpoint

import syncpoint as sp
from syncpoint.trace import Trace

sys.path.insert(0, str(__import__("pathlib").Path(__file__).parents[1] / "sim"))
import cuda_rows


@pytest.fixture(autouse=True)
def one_t4():
    sp.sim.use(chip="T4", devices=1)


def line_of(text: str) -> int:
    with open(__file__, encoding="utf-8") as file:
        return next(n for n, line in enumerate(file, 1) if text in line and "line_of" not in line)


def test_records_name_the_learners_line():
    x = torch.ones(3, 3).to("sim")
    with sp.trace() as t:
        while (x.norm() > 1).item():  # the loop that waits
            x = x * 0.5
    assert len(t.waits) == 3
    for wait in t.waits:
        assert (wait.kind, wait.op, wait.bytes) == ("value read", "aten._local_scalar_dense", 1)
        assert wait.file == __file__
        assert wait.line == line_of("# the loop that waits")
        assert wait.source == "while (x.norm() > 1).item():  # the loop that waits"
        assert wait.stack[-1].function == "test_records_name_the_learners_line"
    assert {launch.line for launch in t.launches} == {wait.line, wait.line + 1}


def test_waits_inside_libraries_and_backward_are_blamed_on_the_caller():
    w = torch.ones(3, device="sim", requires_grad=True)

    def penalty(t):
        scale = t.detach().sum().item()  # read in a function
        return t * t * scale

    with sp.trace() as t:
        loss = checkpoint(penalty, w, use_reentrant=False).sum()
        loss.backward()  # reads again
    assert [wait.line for wait in t.waits] == [line_of("# read in a function")] * 2
    assert t.waits[1].stack[-2].line == line_of("# reads again")


def test_drained_or_not():
    x = torch.ones(1000, 1000, device="sim")
    with sp.trace() as t:
        y = x @ x
        y[0, 0].item()
        y[0, 0].item()
    first, second = t.waits
    assert (first.drained, second.drained) == (False, True)
    assert first.waited_us > second.waited_us > 0


def test_times_add_up():
    x = torch.ones(1000, 1000, device="sim")
    with sp.trace() as t:
        x @ x
    (launch,) = t.launches
    assert t.device_us == pytest.approx(launch.end_us - launch.start_us)
    assert t.elapsed_us == pytest.approx(launch.end_us - t.start_us)
    assert t.host_us < t.elapsed_us
    assert launch.flops == 2 * 1000**3


def test_a_trace_starts_with_an_idle_device():
    x = torch.ones(1000, 1000, device="sim")
    x @ x
    with sp.trace() as t:
        x.sum().item()
    with sp.trace() as again:
        x.sum().item()
    assert t.elapsed_us == pytest.approx(again.elapsed_us)


def test_traces_nest():
    x = torch.ones(3, device="sim")
    with sp.trace() as outer:
        x.sum().item()
        with sp.trace() as inner:
            x.sum().item()
    assert (len(outer.waits), len(inner.waits)) == (2, 1)
    assert inner.waits[0] is outer.waits[1]


def test_a_trace_is_used_once_and_survives_exceptions():
    t = sp.trace()
    with pytest.raises(KeyError, match="missing"), t:
        _ = {}[("missing", torch.ones(3, device="sim").sum().item())]
    assert len(t.waits) == 1
    with pytest.raises(RuntimeError, match="one block only"):
        t.__enter__()
    torch.ones(3, device="sim").sum().item()
    assert len(t.waits) == 1


def test_cpu_operators_cost_host_time():
    h = torch.ones(1000, 1000)
    with sp.trace() as t:
        h @ h
    (op,) = t.host_ops
    assert op.op == "aten.mm"
    assert op.line == line_of("h @ h")
    assert t.host_us == pytest.approx(op.end_us - op.at_us)
    assert t.device_us == 0
    assert t.elapsed_us == t.host_us


def test_the_tick_machine_is_a_chip():
    sp.sim.use(chip="ticks")
    numbers = torch.arange(256.0)
    for steps, (cpu, gpu) in {1: (32, 81), 2: (64, 82), 3: (96, 83)}.items():
        with sp.trace() as on_cpu:
            x = numbers
            for _ in range(steps):
                x = x + 1
        with sp.trace() as on_gpu:
            x = numbers.to("sim")
            for _ in range(steps):
                x = x + 1
            x = x.cpu()
        assert (on_cpu.elapsed_us, on_gpu.elapsed_us) == (cpu, gpu)


#: Rows that a dispatch mode cannot see whole: modes are off while a tensor is printed, and copies that PyTorch makes
#: below its dispatcher do not reach it.
UNSEEN = {
    "str(0-d)", "json/str(dict of tensors)", "torch.tensor([cuda0d,cuda0d])", "torch.tensor([cuda0d],device=D)",
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "row", [r for r in cuda_rows.rows("op") if "sparse" not in r.name and "ctc" not in r.name], ids=str
)
def test_a_watched_device_gives_the_counts_of_the_table(row, monkeypatch):
    """What cuda and mps would show, tried on sim: the watcher sees PyTorch's operators, not the simulator's log."""
    if row.name in UNSEEN or "resize_" in row.statement:
        pytest.skip("not visible to a dispatch mode")
    cuda_rows.skip_where_composed_otherwise(row)
    from syncpoint.sim.machine import Machine
    from syncpoint.watch import Watcher

    t = Trace(torch.device("sim"))
    watched = Machine()
    watched.logs.append(t._log)

    with monkeypatch.context() as patch:
        patch.setattr(cuda_rows, "trace", lambda: Watcher(watched, "sim"))
        cuda_rows.run(row)
    assert len(t.waits) == row.waits, [(w.kind, w.op) for w in t.waits]


def test_a_trace_on_the_cpu_counts_reads():
    model = torch.nn.Linear(4, 2)
    with sp.trace(device="cpu") as t:
        loss = model(torch.ones(3, 4)).square().mean()
        loss.backward()
        loss.item()
    assert [w.kind for w in t.waits] == ["value read"]
    assert t.waits[0].device == "cpu:0"
    assert len(t.launches) > 4
    assert t.elapsed_us >= t.host_us > 0
    assert "cpu" in repr(t)


def test_device_choice(monkeypatch, capsys):
    monkeypatch.delenv("SYNCPOINT_DEVICE", raising=False)
    if not torch.cuda.is_available() and not torch.backends.mps.is_available():
        assert sp.device().type == "sim"
        assert "a simulated T4" in capsys.readouterr().out
    monkeypatch.setenv("SYNCPOINT_DEVICE", "sim:2")
    assert sp.device(quiet=True) == torch.device("sim:2")
    assert torch.sim.device_count() == 3
    monkeypatch.setenv("SYNCPOINT_DEVICE", "cpu")
    assert sp.device() == torch.device("cpu")
    assert "this computer's processor" in capsys.readouterr().out
    monkeypatch.setenv("SYNCPOINT_DEVICE", "gpu")
    with pytest.raises(ValueError, match="SYNCPOINT_DEVICE is 'gpu', which is no device"):
        sp.device()
    monkeypatch.delenv("SYNCPOINT_DEVICE")
    sp.device(quiet=True)


def test_a_trace_inside_a_trace_charges_the_cpu_once():
    h = torch.ones(256)
    sp.sim.use(chip="ticks")
    with sp.trace(device="sim") as outer, sp.trace(device="sim") as inner:
        h + 1
    assert len(outer.host_ops) == len(inner.host_ops) == 1
    assert outer.elapsed_us == inner.elapsed_us == 32


def test_a_machine_aside_leaves_no_mark():
    x = torch.ones(3, device="sim")
    with sp.trace(device="sim") as t:
        x + 1
        before = torch.sim.clock_us()
        with sp.sim.aside("ticks", devices=2):
            assert (torch.sim.get_device_name(), torch.sim.device_count()) == ("sim (ticks)", 2)
            torch.ones(3, device="sim:1").sum().item()
        assert torch.sim.clock_us() == before
        x + 1
    assert (len(t.launches), len(t.waits)) == (2, 0)
    assert torch.sim.get_device_name() == "sim (T4)"


def test_a_long_trace_stays_small_and_counts_all(monkeypatch):
    from syncpoint.sim.log import Records

    monkeypatch.setattr(Records, "most", 50)
    x = torch.ones(3, device="sim")
    with sp.trace() as t:
        for _ in range(120):
            x.add_(1)
        x.sum().item()
    assert (len(t.launches), t.counts["launches"], t.counts["waits"]) == (50, 121, 1)
    assert "121 launches, of which the first 50 are told" in t.report()
    sp.checks.launches(t, exactly=121)
    assert t.device_us > 100
