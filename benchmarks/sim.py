"""What the simulator costs in real time, side by side with the CPU and with PyTorch's FakeTensorMode.

    python benchmarks/sim.py            # a table
    python benchmarks/sim.py --json     # the same for machines

Each pair is measured in alternating rounds of one run and given as a ratio of medians. Times are wall time of this
computer, one thread; the ratios are what to look at.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch._subclasses import FakeTensorMode

import syncpoint as sp
from syncpoint.mnist.model import Net


def _us(call: Callable[[], object], repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats * 1e6


def alternate(calls: dict[str, Callable[[], object]], rounds: int, repeats: int) -> dict[str, float]:
    """Median microseconds a call, the calls taking turns so that a busy moment hits all of them."""
    for call in calls.values():
        _us(call, max(repeats // 10, 1))
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(_us(call, repeats))
    return {name: statistics.median(values) for name, values in times.items()}


def addition(rounds: int) -> dict[str, float]:
    """``x + x`` of 8 floats."""
    on_cpu, on_sim = torch.ones(8), torch.ones(8, device="sim")
    mode = FakeTensorMode()
    with mode:
        fake = torch.empty(8)

    def in_mode() -> object:
        with mode:
            return [fake + fake for _ in range(100)]

    times = alternate(
        {"cpu": lambda: [on_cpu + on_cpu for _ in range(100)], "sim": lambda: [on_sim + on_sim for _ in range(100)],
         "fake": in_mode}, rounds, 5,
    )  # fmt: skip
    return {name: us / 100 for name, us in times.items()}


def addition_traced(rounds: int) -> float:
    """``x + x`` with a trace open: each call leaves a record with the caller's line."""
    x = torch.ones(8, device="sim")

    def traced() -> object:
        with sp.trace(device="sim"):
            return [x + x for _ in range(100)]

    return alternate({"traced": traced}, rounds, 5)["traced"] / 100


def long_trace(operators: int) -> dict[str, float]:
    """A trace of many operators: time of the last part against the first, and memory that it took (MiB)."""
    import resource

    x, part = torch.ones(8, device="sim"), operators // 10
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    parts = []
    with sp.trace(device="sim"):
        for _ in range(10):
            parts.append(_us(lambda: x.add_(1), part))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return {"operators": operators, "last tenth / first tenth": parts[-1] / parts[0], "MiB": grown}


def mnist_step(rounds: int) -> dict[str, float]:
    """One training step of the MNIST network, batch 64, Adadelta."""

    def make(device: str) -> Callable[[], object]:
        torch.manual_seed(0)
        model = Net().to(device)
        optimizer = torch.optim.Adadelta(model.parameters(), foreach=True)
        images, labels = torch.randn(64, 1, 28, 28).to(device), torch.randint(0, 10, (64,)).to(device)

        def step() -> None:
            optimizer.zero_grad()
            F.nll_loss(model(images), labels).backward()
            optimizer.step()

        return step

    return alternate({"cpu": make("cpu"), "sim": make("sim")}, rounds, 1)


def seconds_of(code: str) -> float:
    """CPU seconds of a fresh Python that runs the code; the least of five."""
    program = f"import time, resource\n{code}\nprint(time.process_time())"
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True) for _ in range(5)
    ]
    return min(float(run.stdout) for run in runs)


def measure(rounds: int, operators: int) -> dict[str, dict[str, float]]:
    torch.set_num_threads(1)
    sp.sim.use()
    add, step = addition(rounds), mnist_step(rounds)
    torch_alone = seconds_of("import torch")
    imported = seconds_of("import torch, syncpoint") - torch_alone
    enabled = seconds_of("import torch, syncpoint as sp; sp.sim.use()") - torch_alone - imported
    return {
        "x + x, 8 floats (us)": add | {"sim, traced": addition_traced(rounds), "sim / fake": add["sim"] / add["fake"]},
        f"a trace of {operators:,} operators": long_trace(operators),
        "MNIST step (us)": step | {"sim / cpu": step["sim"] / step["cpu"]},
        "start (CPU seconds)": {"import syncpoint beyond torch": imported, "enable sim": enabled},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rounds", type=int, default=15, help="alternating rounds (default 15)")
    parser.add_argument("--operators", type=int, default=1_000_000, help="length of the long trace (default a million)")
    options = parser.parse_args()
    results = measure(options.rounds, options.operators)
    if options.json:
        print(json.dumps(results))
        return
    for name, figures in results.items():
        print(name)
        for label, value in figures.items():
            print(f"  {label:32} {value:12.3f}")


if __name__ == "__main__":
    main()
