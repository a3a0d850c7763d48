"""The well-known MNIST script and `python -m syncpoint.mnist --fast`, side by side in one run: one epoch and its test.

    python benchmarks/mnist.py                  # a table; a part of the bundled images, under a minute
    python benchmarks/mnist.py --json           # the same for machines
    python benchmarks/mnist.py --full DIR       # the whole set from a folder with the four IDX files; many minutes

Waits, launches and virtual time are the simulator's, on a T4 and on an H100. They are exact and the same on every
computer; virtual time holds the work of PyTorch's operators on the host, and neither Python's nor PIL's. CPU seconds
are measured on this computer's CPU, one thread, the programs taking turns; look at their ratio. What the fast program
does once, before the first epoch, is told apart.

"Script" reads image by image through PIL, ToTensor and Normalize where torchvision is installed (else through the same
arithmetic without PIL), copies each batch from pageable memory, and reads a loss every 10 batches. The third program is
the script with an optimizer that loops over the parameters, which is what PyTorch does on a CPU; on CUDA it picks
foreach. (It is left out with --full, to save time.)
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset

import syncpoint as sp
from syncpoint import mnist
from syncpoint.mnist import EvalResult, Mnist, Split, TrainResult

BATCH, TEST_BATCH, LOG_INTERVAL = 64, 1000, 10
CHIPS = ("T4", "H100")
Epoch = Callable[[], tuple[TrainResult, EvalResult]]


class PilDigits(Dataset[tuple[torch.Tensor, int]]):
    """One image at a time, as torchvision's MNIST gives them with the script's two transforms."""

    def __init__(self, split: Split) -> None:
        from torchvision import transforms

        self.split = split
        self.transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((mnist.MEAN,), (mnist.STD,))])

    def __len__(self) -> int:
        return len(self.split)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        from PIL import Image

        image = Image.fromarray(self.split.images[index].numpy())
        return self.transform(image), int(self.split.labels[index])


def with_pil() -> bool:
    try:
        import torchvision  # noqa: F401
    except ImportError:
        return False
    return True


def script_loader(split: Split, batch_size: int, shuffle: bool) -> Any:
    if with_pil():
        return DataLoader(PilDigits(split), batch_size=batch_size, shuffle=shuffle)
    return mnist.loader(split, batch_size, shuffle=shuffle, per_sample=True)


def script(data: Mnist, device: torch.device, foreach: bool | None = None) -> Epoch:
    torch.manual_seed(1)
    model = mnist.Net().to(device)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0, foreach=foreach)
    train, test = script_loader(data.train, BATCH, True), script_loader(data.test, TEST_BATCH, False)

    def epoch() -> tuple[TrainResult, EvalResult]:
        trained = mnist.train_epoch(model, device, train, optimizer, log_interval=LOG_INTERVAL)
        return trained, mnist.evaluate(model, device, test)

    return epoch


def script_looping(data: Mnist, device: torch.device) -> Epoch:
    return script(data, device, foreach=False)


def fast(data: Mnist, device: torch.device) -> Epoch:
    torch.manual_seed(1)
    model = mnist.Net().to(device)
    optimizer = mnist.fast_optimizer(model, lr=1.0)
    train, test = mnist.move_in(data.train, device), mnist.move_in(data.test, device)

    def epoch() -> tuple[TrainResult, EvalResult]:
        order = mnist.send(mnist.loader_order(len(train), shuffle=True), device)
        losses = mnist.train_fast(model, mnist.Cut(train, BATCH, order), optimizer)
        tests = mnist.evaluate_fast(model, mnist.Cut(test, TEST_BATCH))
        return mnist.read_epoch(losses, tests, len(train), len(test), LOG_INTERVAL)

    return epoch


PROGRAMS: dict[str, Callable[[Mnist, torch.device], Epoch]] = {
    "script": script, "fast": fast, "script, looping optimizer": script_looping,
}  # fmt: skip


@dataclass
class Seen:
    """What one program did in one epoch on one device."""

    figures: dict[str, float]
    losses: list[float]


def on_chip(name: str, data: Mnist, chip: str) -> Seen:
    """One epoch on the simulator."""
    sp.sim.use(chip=chip)
    device = torch.device("sim")
    with sp.trace(device) as once:
        epoch = PROGRAMS[name](data, device)
    with sp.trace(device) as trace:
        trained, tested = epoch()
    counts = trace.counts
    figures = {
        "waits": counts["waits"],
        "device operators": counts["launches"],
        "kernels": sum(launch.kernels for launch in trace.launches) * counts["launches"] / len(trace.launches),
        f"virtual ms, {chip}": trace.elapsed_us / 1e3,
        f"  busy with kernels, {chip}": trace.device_us / 1e3,
        f"  before the first epoch, {chip}": once.elapsed_us / 1e3,
        "accuracy, sim": tested.accuracy,
    }
    return Seen(figures, [logged.loss for logged in trained.logged])


def on_cpu(names: list[str], data: Mnist, rounds: int) -> dict[str, dict[str, float]]:
    """CPU seconds on this computer: medians over the rounds, in which the programs take turns."""
    cpu = torch.device("cpu")
    once_s: dict[str, list[float]] = {name: [] for name in names}
    epoch_s: dict[str, list[float]] = {name: [] for name in names}
    accuracy = {}
    for _ in range(rounds):
        for name in names:
            start = time.process_time()
            epoch = PROGRAMS[name](data, cpu)
            made = time.process_time()
            accuracy[name] = epoch()[1].accuracy
            once_s[name].append(made - start)
            epoch_s[name].append(time.process_time() - made)
    return {
        name: {
            "CPU seconds": statistics.median(epoch_s[name]),
            "  before the first epoch": statistics.median(once_s[name]),
            "accuracy, cpu": accuracy[name],
        }
        for name in names
    }


def measure(names: list[str], data: Mnist, rounds: int) -> dict[str, Any]:
    torch.set_num_threads(1)
    seen = {(name, chip): on_chip(name, data, chip) for name in names for chip in CHIPS}
    cpu = on_cpu(names, data, rounds)
    programs = {
        name: {key: value for chip in CHIPS for key, value in seen[name, chip].figures.items()} | cpu[name]
        for name in names
    }
    pairs = zip(seen["script", "T4"].losses, seen["fast", "T4"].losses, strict=True)
    return {
        "training images": len(data.train),
        "test images": len(data.test),
        "batches": -(-len(data.train) // BATCH),
        "images through PIL": with_pil(),
        "programs": programs,
        "script / fast": {
            key: value / programs["fast"][key] for key, value in programs["script"].items() if programs["fast"][key]
        },
        "largest difference of a logged loss": max(abs(one - other) for one, other in pairs),
    }


def table(results: dict[str, Any]) -> str:
    programs, ratios = results["programs"], results["script / fast"]
    lines = [
        f"one epoch of {results['training images']:,} images ({results['batches']:,} batches of {BATCH}) and a test of "
        f"{results['test images']:,}",
        f"{'':34}" + "".join(f"{name:>27}" for name in programs) + f"{'script / fast':>16}",
    ]
    for key in programs["fast"]:
        decimals = 0 if key in ("waits", "device operators", "kernels") else 4 if "accuracy" in key else 3
        values = "".join(f"{figures[key]:>27,.{decimals}f}" for figures in programs.values())
        lines.append(f"{key:34}{values}{ratios.get(key, float('nan')):>16,.2f}")
    lines.append(
        f"largest difference of a logged loss, script and fast: {results['largest difference of a logged loss']:g}"
    )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--full", type=Path, metavar="DIR", help="the whole set, from this folder, in place of a part")
    parser.add_argument("--images", type=int, default=640, help="training images of the part (default 640)")
    parser.add_argument("--test-images", type=int, default=500, help="test images of the part (default 500)")
    parser.add_argument("--rounds", type=int, help="alternating rounds on the CPU (default 3; 1 with --full)")
    options = parser.parse_args()
    data = mnist.load(options.full if options.full else mnist.BUNDLED)
    if not options.full:
        train, test = data.train.first(options.images), data.test.first(options.test_images)
        data = Mnist(train, test, data.folder, data.origin)
    names = ["script", "fast"] if options.full else list(PROGRAMS)
    results = measure(names, data, options.rounds or (1 if options.full else 3))
    print(json.dumps(results) if options.json else table(results))


if __name__ == "__main__":
    main()
