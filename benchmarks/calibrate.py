"""The simulator beside a real CUDA machine: its waits, and the times of operators, copies and one MNIST step.

    python benchmarks/calibrate.py                # on a machine with an NVIDIA GPU; less than three minutes
    python benchmarks/calibrate.py --chip T4      # where the catalogue does not know the GPU by its name

Waits: each statement of the observed table (`course/syncpoint/sim/data/cuda_syncs.csv`) runs under
`torch.cuda.set_sync_debug_mode("warn")`, and the warnings are counted. Times: the same program runs on the GPU and on
`sim`, between two events, so one figure is measured and the other virtual. Both are printed and saved as JSON, with the
chip's name and the date. Without CUDA it says so and exits with 2.

No real GPU has been compared yet: this program was written from the documentation of torch.cuda and tried on `sim`
only. Nor does it see waits that PyTorch's debug mode does not tell, such as torch.cuda.synchronize().
"""

from __future__ import annotations

import argparse
import copy
import csv
import datetime
import io
import json
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

import syncpoint as sp
from syncpoint.mnist.model import Net

REPEATS = {"cuda": 30, "sim": 4}  # virtual time is the same every time
WARM_UP = {"cuda": 10, "sim": 1}
MESSAGE = "called a synchronizing CUDA operation"
Call = Callable[[], object]


# --- waits ---


def names_for_rows(device: str) -> dict[str, Any]:
    """What the statements of the table use. On all zeros, PyTorch's kernels take no way that depends on the values."""
    return {
        "torch": torch, "F": F, "np": np, "copy": copy, "io": io, "pickle": pickle, "D": device,
        "x": torch.zeros(64, 64, device=device),
        "v": torch.zeros(64, device=device),
        "b": torch.zeros(64, 64, dtype=torch.bool, device=device),
        "bv": torch.zeros(64, dtype=torch.bool, device=device),
        "i": torch.zeros(8, dtype=torch.long, device=device),
        "s": torch.zeros((), device=device),
        "k": torch.zeros((), dtype=torch.long, device=device),
        "w": torch.zeros(64, 64, device=device, requires_grad=True),
        "h": torch.zeros(64, 64),
        "hp": torch.zeros(64, 64).pin_memory(),
        "npa": np.zeros(8, dtype=np.float32),
    }  # fmt: skip


def prepared(row: dict[str, str], device: str) -> dict[str, Any]:
    names = names_for_rows(device)
    if "linalg" in row["statement"]:
        names["x"] = torch.eye(64, device=device)  # zeros have no inverse
    if "multinomial" in row["statement"]:
        names["v"] = torch.ones(64, device=device)  # zeros are no probabilities: the kernel would abort
    exec(row["setup"], names)
    return names


def warnings_of(row: dict[str, str]) -> int:
    """How many synchronising operations PyTorch tells of in the second run of a statement."""
    eval(row["statement"], prepared(row, "cuda"))
    names = prepared(row, "cuda")
    torch.manual_seed(20)
    torch.cuda.synchronize()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        try:
            result = eval(row["statement"], names)
        finally:
            torch.cuda.set_sync_debug_mode("default")
    del result
    return sum(MESSAGE in str(warning.message) for warning in caught)


def waits() -> list[dict[str, object]]:
    """Every row of the table with the count of this machine; a row that fails here carries its error."""
    text = resources.files("syncpoint.sim").joinpath("data/cuda_syncs.csv").read_text(encoding="utf-8")
    found: list[dict[str, object]] = []
    for row in csv.DictReader(io.StringIO(text)):
        line: dict[str, object] = {"name": row["name"], "statement": row["statement"], "table": int(row["warnings"])}
        try:
            line["machine"] = warnings_of(row)
        except Exception as error:  # the report names it; the other rows go on
            line["error"] = f"{type(error).__name__}: {error}".splitlines()[0]
            if "device-side assert" in str(error):
                found.append(line)
                break  # after one, every call to CUDA fails
        found.append(line)
    return found


# --- times ---


def event_us(call: Call, device: str) -> float:
    """The time of one call on the device, between two events; virtual on sim."""
    module = torch.get_device_module(device)
    for _ in range(WARM_UP[device]):
        call()
    start, end = module.Event(enable_timing=True), module.Event(enable_timing=True)
    module.synchronize()
    start.record()
    for _ in range(REPEATS[device]):
        call()
    end.record()
    end.synchronize()
    return float(start.elapsed_time(end)) * 1e3 / REPEATS[device]


def operators(device: str) -> Iterator[tuple[str, Call]]:
    """(name, call) of the main operators; each is made when it is its turn, so that memory stays small."""
    for dtype in (torch.float32, torch.float16):
        for side in (64, 512, 2048):
            a = torch.ones(side, side, dtype=dtype, device=device)
            yield f"matmul {side} {str(dtype)[6:]}", lambda a=a: a @ a  # type: ignore[misc]
    for count in (1_000, 1_000_000, 32_000_000):
        x = torch.ones(count, device=device)
        yield f"add {count:,} float32", lambda x=x: x + 1  # type: ignore[misc]
        yield f"sum {count:,} float32", lambda x=x: x.sum()  # type: ignore[misc]
    rows = torch.ones(16_384, 1_024, device=device)
    yield "softmax 16,384 x 1,024", lambda: rows.softmax(-1)
    images, weight = torch.ones(64, 32, 26, 26, device=device), torch.ones(64, 32, 3, 3, device=device)
    yield "conv2d 64 x 32 x 26 x 26, 64 of 3 x 3", lambda: F.conv2d(images, weight)


def copies(device: str) -> Iterator[tuple[str, Call]]:
    for nbytes in (4_096, 1_048_576, 67_108_864):
        pageable = torch.ones(nbytes, dtype=torch.uint8)
        pinned, there = pageable.pin_memory(), torch.ones(nbytes, dtype=torch.uint8, device=device)
        for kind, here in (("pinned", pinned), ("pageable", pageable)):
            waiting = kind == "pageable"
            yield (
                f"H2D {nbytes:,} B {kind}",
                lambda here=here, there=there, waiting=waiting: there.copy_(here, non_blocking=not waiting),  # type: ignore[misc]
            )
            yield (
                f"D2H {nbytes:,} B {kind}",
                lambda here=here, there=there, waiting=waiting: here.copy_(there, non_blocking=not waiting),  # type: ignore[misc]
            )


def mnist_step(device: str) -> Call:
    torch.manual_seed(0)
    model = Net().to(device)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    images, labels = torch.ones(64, 1, 28, 28, device=device), torch.zeros(64, dtype=torch.long, device=device)

    def step() -> None:
        optimizer.zero_grad()
        F.nll_loss(model(images), labels).backward()
        optimizer.step()

    return step


def times(device: str) -> dict[str, float]:
    found = {name: event_us(call, device) for part in (operators, copies) for name, call in part(device)}
    return found | {"MNIST training step, batch 64": event_us(mnist_step(device), device)}


# --- the report ---


def beside(measured: dict[str, float], modelled: dict[str, float]) -> list[dict[str, object]]:
    return [
        {"what": what, "measured us": round(us, 2), "modelled us": round(modelled[what], 2),
         "ratio": round(modelled[what] / us, 3)}
        for what, us in measured.items()
    ]  # fmt: skip


def show(report: dict[str, Any]) -> None:
    print(f"{report['gpu']} beside sim as {report['chip']}, torch {report['torch']}, {report['date']}\n")
    print(f"{'what':42} {'measured us':>12} {'modelled us':>12} {'ratio':>6}")
    for row in report["times"]:
        print(f"{row['what']:42} {row['measured us']:12,.2f} {row['modelled us']:12,.2f} {row['ratio']:6.2f}")
    counted = [row for row in report["waits"] if "machine" in row]
    other = [row for row in counted if row["machine"] != row["table"]]
    print(f"\nwaits: {len(counted) - len(other)} of {len(counted)} statements as in the table")
    for row in other:
        print(f"  {row['statement']}: {row['machine']} here, {row['table']} in the table")
    for row in report["waits"]:
        if "error" in row:
            print(f"  {row['statement']}: could not be run: {row['error']}")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chip", help="the chip of the catalogue to compare with (default: by the GPU's name)")
    parser.add_argument("--out", type=Path, default=Path("."), help="folder for the JSON file (default: here)")
    options = parser.parse_args(argv)
    if not torch.cuda.is_available():
        print("calibrate.py measures a real NVIDIA GPU, and PyTorch finds none here.", file=sys.stderr)
        return 2
    gpu = torch.cuda.get_device_name()
    try:
        chip = sp.sim.chips.get(options.chip or gpu)
    except ValueError as error:
        parser.error(f"{error} Name the nearest one with --chip.")
    report: dict[str, Any] = {
        "gpu": gpu, "chip": chip.name, "torch": torch.__version__, "cuda": torch.version.cuda,
        "date": datetime.date.today().isoformat(), "waits": waits(),
    }  # fmt: skip
    measured = times("cuda")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sim beside cuda: torch.accelerator speaks of sim then, and nobody asks it
        sp.sim.use(chip=chip)
    report["times"] = beside(measured, times("sim"))
    show(report)
    path = options.out / f"calibration-{gpu.replace(' ', '-')}-{report['date']}.json"
    path.write_text(json.dumps(report, indent=1), encoding="utf-8")
    print(f"\nsaved: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
