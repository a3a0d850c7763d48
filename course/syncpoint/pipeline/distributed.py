"""The engine to grow into: the same training on ``torch.distributed.pipelining``, with a process for each stage.

    python -m syncpoint.pipeline.distributed              # two processes on this computer, over gloo, on the CPU
    python -m syncpoint.pipeline.distributed --schedule gpipe --steps 20

It trains one small model twice, here with ``TrainStep`` in one process and there with PyTorch's own schedules in two,
prints both losses step by step, and ends with an error if they differ.

What is the same: micro-batches, stages, the schedules (``ScheduleGPipe``, ``Schedule1F1B``), the mean over the batch.
What is another thing there: every process has one stage and one device, and runs the same script; results and
gradients are *sent* through a process group (NCCL between GPUs, also of several machines) instead of copied; the
order of sends and receives is part of the schedule, and a wrong one stands still. There is no autograd across stages.
What to learn next: https://docs.pytorch.org/docs/stable/distributed.pipelining.html

What it does not do: measure. Two processes on one CPU are slower than one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import mse_loss

from syncpoint.pipeline.gpipe import split
from syncpoint.pipeline.one_f_one_b import TrainStep

BALANCE = [2, 3]  # layers of the two stages
CHUNKS = 4  # micro-batches; the batch is a multiple of it, because PyTorch's engine weighs all alike
SCHEDULES = {"1f1b": "Schedule1F1B", "gpipe": "ScheduleGPipe"}


def model() -> nn.Sequential:
    """The same weights in every process."""
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 4))


def batch(step: int) -> tuple[Tensor, Tensor]:
    """(32, 16) inputs and (32, 4) targets."""
    random = torch.Generator().manual_seed(step)
    x = torch.randn(32, 16, generator=random)
    return x, torch.stack([x[:, k : k + 4].sum(1) for k in range(4)], 1).tanh()


def train_here(schedule: str, steps: int) -> list[float]:
    """In this process, with ``TrainStep``."""
    net = model()
    step = TrainStep(split(net, BALANCE), ["cpu"] * len(BALANCE), mse_loss, CHUNKS, schedule)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    losses = []
    for number in range(steps):
        optimizer.zero_grad()
        losses.append(step(*batch(number)).item())
        optimizer.step()
    return losses


def _train_stage(rank: int, schedule: str, steps: int, folder: str) -> None:
    """What each process does: one stage, one rank."""
    import torch.distributed as dist
    from torch.distributed import pipelining

    torch.set_num_threads(1)
    world, device = len(BALANCE), torch.device("cpu")
    meeting = Path(folder, "meeting").as_uri()
    dist.init_process_group("gloo", init_method=meeting, rank=rank, world_size=world)
    try:
        part = split(model(), BALANCE)[rank]
        stage = pipelining.PipelineStage(part, rank, world, device)
        engine = getattr(pipelining, SCHEDULES[schedule])(stage, n_microbatches=CHUNKS, loss_fn=mse_loss)
        optimizer = torch.optim.SGD(part.parameters(), lr=0.2)
        means: list[float] = []
        for number in range(steps):
            x, target = batch(number)
            losses: list[Tensor] = []
            optimizer.zero_grad()
            if rank == 0:
                engine.step(x)
            else:
                engine.step(target=target, losses=losses)
                means.append(torch.stack(losses).mean().item())
            optimizer.step()
        if rank == world - 1:
            torch.save(means, Path(folder, "losses"))
    finally:
        dist.destroy_process_group()


def train_there(schedule: str, steps: int) -> list[float]:
    """In two processes of this computer, with PyTorch's engine."""
    from torch.multiprocessing.spawn import spawn

    with tempfile.TemporaryDirectory() as folder:
        spawn(_train_stage, args=(schedule, steps, folder), nprocs=len(BALANCE))
        losses: list[float] = torch.load(Path(folder, "losses"))
    return losses


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m syncpoint.pipeline.distributed", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--schedule", choices=sorted(SCHEDULES), default="1f1b")
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args(arguments)
    if not torch.distributed.is_available() or not torch.distributed.is_gloo_available():
        print("This PyTorch was built without torch.distributed and gloo. Install one that has them.", file=sys.stderr)
        return 2
    here, there = train_here(options.schedule, options.steps), train_there(options.schedule, options.steps)
    print(f"{'step':>4} {'one process':>14} {'two processes':>14}")
    for number, (ours, theirs) in enumerate(zip(here, there, strict=True)):
        print(f"{number:4} {ours:14.8f} {theirs:14.8f}")
    apart = max(abs(a - b) / abs(a) for a, b in zip(here, there, strict=True))
    same = apart < 1e-5
    print(f"The losses are {'the same' if same else 'NOT the same'}: at most {apart:.1e} apart (relative).")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
