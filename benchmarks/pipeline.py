"""What a pipeline gains, and what it costs.

    python benchmarks/pipeline.py            # tables
    python benchmarks/pipeline.py --json     # the same for machines

Speed-up, overlap and memory are virtual: those of simulated devices, the same on every computer. They stand beside
the closed formulas of ``syncpoint.pipeline.formulas``. The overhead is wall time of this computer, one thread.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any

import torch
from torch import nn
from torch.nn.functional import mse_loss

import syncpoint as sp
from syncpoint import pipeline as P

STAGES, MICRO_BATCHES = (1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 4, 8, 16, 32)
COMPUTE_US = 500.0  # what a stage computes for one micro-batch
MICRO_BATCH = (1 << 20,)  # float32: 4 MiB go from stage to stage
OVERLAP = ((4, 2, 3, 1), (8, 4, 3, 1), (8, 4, 3, 3), (8, 4, 3, 5))  # m, n, compute, copy

Figures = dict[str, Any]


class Stage(nn.Module):
    """A layer of known virtual duration."""

    def __init__(self, us: float) -> None:
        super().__init__()
        self.us = us

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        torch.get_device_module(x.device).sleep(self.us, x.device)
        return x * 1


def free_chip(copy_us: float) -> sp.sim.Chip:
    """Nothing but stages and copies takes time."""
    ticks, rates = sp.sim.chips.get("ticks"), {"float32": inf}
    return replace(
        ticks, name="free", kernel_us=0.0, matmul_us=0.0, memory_gbs=inf, l2_gbs=inf, tflops=rates, matmul_tflops=rates,
        link=replace(ticks.link, latency_us=copy_us),
    )  # fmt: skip


def elapsed_us(m: int, n: int, compute: float, size: tuple[int, ...], copy_streams: bool = True) -> float:
    """Virtual time of a forward pass over the devices in use."""
    pipe = P.GPipe(nn.Sequential(*[Stage(compute) for _ in range(n)]), [1] * n, chunks=m, copy_streams=copy_streams)
    x = torch.ones(m, *size, device="sim:0")
    with torch.no_grad(), sp.trace(device="sim") as t:
        pipe(x)
    starts = [launch.start_us for launch in t.launches if launch.op == "sleep"]
    ends = [launch.end_us for launch in t.launches if launch.op.startswith("aten.mul")]
    return max(ends) - min(starts)


def one_stage_us(size: tuple[int, ...], us: float = COMPUTE_US) -> tuple[float, float]:
    """What one stage and one copy really take on the chip in use, with two devices."""
    x = torch.ones(1, *size, device="sim:0")
    with torch.no_grad(), sp.trace(device="sim") as t:
        Stage(us)(x)
        x.to("sim:1")
    return sum(launch.end_us - launch.start_us for launch in t.launches), t.copies[0].end_us - t.copies[0].start_us


def speed_up() -> Figures:
    """Over one device, on A100s: with launches, transfers of 4 MiB and all."""
    sp.sim.use(chip="A100", devices=2)
    compute, copy = one_stage_us(MICRO_BATCH)
    rows, worst = {}, 0.0
    for n in STAGES:
        sp.sim.use(chip="A100", devices=n)
        for m in MICRO_BATCHES:
            alone = m * n * compute
            measured = alone / elapsed_us(m, n, COMPUTE_US, MICRO_BATCH)
            formula = alone / P.span(m, n, compute, copy)
            rows[f"{n} stages, {m} micro-batches"] = {"measured": measured, "formula": formula}
            worst = max(worst, abs(measured / formula - 1))
    return {"stage_us": compute, "copy_us": copy, "largest deviation": worst, "rows": rows}


def small_stages() -> Figures:
    """The formulas hold for a host that is never late: speed-up of 4 stages, 8 micro-batches, smaller and smaller."""
    rows = {}
    for us in (500.0, 200.0, 100.0, 50.0, 20.0):
        sp.sim.use(chip="A100", devices=4)
        compute, copy = one_stage_us((1,), us)
        alone = 8 * 4 * compute
        measured = alone / elapsed_us(8, 4, us, (1,))
        rows[f"{us:.0f} us a stage"] = {"measured": measured, "formula": alone / P.span(8, 4, compute, copy)}
    return rows


def overlap() -> Figures:
    """Copies on streams of their own, and on the compute streams."""
    rows = {}
    for m, n, c, p in OVERLAP:
        sp.sim.use(chip=free_chip(p), devices=n)
        on, off = (elapsed_us(m, n, c, (1,), own) for own in (True, False))
        formula = P.span(m, n, c, p)
        rows[f"m={m} n={n} c={c} p={p}"] = {"on": on, "formula": formula, "off": off, "off / on": off / on}
    return rows


def memory() -> Figures:
    """Peak of the second of four stages in MiB: eight layers a stage that keep 1 MiB a micro-batch each, m = 16."""
    m, n, width = 16, 4, 1 << 18
    sim, rows = torch.get_device_module("sim"), {}

    def peak(run: Callable[[torch.Tensor, torch.Tensor], object]) -> float:
        x, target = torch.ones(m, width, device="sim:0"), torch.zeros(m, width, device=f"sim:{n - 1}")
        x.requires_grad_()
        run(x, target)
        return sim.max_memory_allocated(1) / 2**20

    def layers() -> nn.Sequential:
        return nn.Sequential(*[nn.Tanh() for _ in range(8 * n)])

    for mode in ("never", "except_last", "always"):
        sp.sim.use(chip="A100", devices=n)
        pipe = P.GPipe(layers(), [8] * n, chunks=m, checkpoint=mode)
        rows[f"gpipe, checkpoint {mode}"] = peak(lambda x, y, pipe=pipe: mse_loss(pipe(x), y).backward())
    sp.sim.use(chip="A100", devices=n)
    devices = [f"sim:{j}" for j in range(n)]
    rows["1f1b"] = peak(P.TrainStep(P.split(layers(), [8] * n), devices, mse_loss, m))
    return rows


def overhead(rounds: int) -> Figures:
    """Time of a micro-batch beyond a plain loop's: 2 stages, 16 micro-batches, forward and backward.

    Wall time, and beside it CPU time, which a busy computer disturbs less.
    """
    m, rows = 16, {}
    for device in ("cpu", "sim"):
        sp.sim.use(chip="T4", devices=1)
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8)).to(device)
        x = torch.randn(m, 8).to(device)

        def plain(model: nn.Sequential = model, x: torch.Tensor = x) -> None:
            torch.cat([model(piece) for piece in x.tensor_split(m)]).sum().backward()

        calls: dict[str, Callable[[], object]] = {"plain loop": plain}
        for mode in ("never", "except_last"):
            pipe = P.GPipe(model, [1, 1], [device] * 2, m, mode)
            calls[mode] = lambda pipe=pipe, x=x: pipe(x).sum().backward()
        times = _alternate(calls, rounds)
        plain_wall, plain_cpu = times["plain loop"]
        rows[f"{device}, plain loop"] = {"wall": plain_wall / m, "cpu": plain_cpu / m}
        for mode in ("never", "except_last"):
            wall, cpu = times[mode]
            more = {"wall": (wall - plain_wall) / m, "cpu": (cpu - plain_cpu) / m}
            rows[f"{device}, pipeline adds, checkpoint {mode}"] = more
    return rows


def _alternate(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, tuple[float, float]]:
    """Median microseconds of a call, wall and CPU time; the calls take turns."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            wall, cpu = time.perf_counter(), time.process_time()
            call()
            times[name].append(((time.perf_counter() - wall) * 1e6, (time.process_time() - cpu) * 1e6))
    return {
        name: (statistics.median(wall for wall, _ in values), statistics.median(cpu for _, cpu in values))
        for name, values in times.items()
    }


def measure(rounds: int) -> Figures:
    torch.set_num_threads(1)
    return {
        "speed-up": speed_up(),
        "small stages": small_stages(),
        "overlap": overlap(),
        "memory_mib": memory(),
        "overhead_us": overhead(rounds),
    }


def show(results: Figures) -> None:
    gains = results["speed-up"]
    print(
        "Speed-up over one device, virtual time on A100s (measured / formula): a stage takes "
        f"{gains['stage_us']:.0f} us, a copy {gains['copy_us']:.0f} us; "
        f"largest deviation {gains['largest deviation']:.2%}"
    )
    print("stages  " + "".join(f"{'m = ' + str(m):>14}" for m in MICRO_BATCHES))
    for n in STAGES:
        cells = [gains["rows"][f"{n} stages, {m} micro-batches"] for m in MICRO_BATCHES]
        print(f"{n:6}  " + "".join(f"{cell['measured']:7.2f}/{cell['formula']:6.2f}" for cell in cells))
    print("\nOverlap, virtual time: copies on their own streams, the formula, on the compute streams")
    for name, row in results["overlap"].items():
        print(f"  {name:20} {row['on']:6.0f} {row['formula']:6.0f} {row['off']:6.0f}   {row['off / on']:.2f} times")
    print("\nSmall stages, 4 of them, 8 micro-batches: where launching takes longer than computing (measured, formula)")
    for name, row in results["small stages"].items():
        print(f"  {name:20} {row['measured']:6.2f} {row['formula']:6.2f}")
    print("\nPeak memory of stage 1 of 4, 16 micro-batches, 8 tensors of 1 MiB a micro-batch (MiB)")
    for name, value in results["memory_mib"].items():
        print(f"  {name:32} {value:8.1f}")
    print("\nA micro-batch on this computer, forward and backward, 2 stages, m = 16 (us): wall time, CPU time")
    for name, row in results["overhead_us"].items():
        print(f"  {name:45} {row['wall']:8.1f} {row['cpu']:8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--rounds", type=int, default=15, help="alternating rounds for the overhead (default 15)")
    options = parser.parse_args()
    results = measure(options.rounds)
    if options.json:
        print(json.dumps(results))
    else:
        show(results)


if __name__ == "__main__":
    main()
