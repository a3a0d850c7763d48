"""The cost model beside published measurements: chip, operator, published, modelled, ratio.

    python benchmarks/cost.py               # a table, then the summary of each half
    python benchmarks/cost.py --json        # the same for machines
    python benchmarks/cost.py --estimator   # also beside PyTorch's own runtime estimator (torch 2.14 or newer)

`data/cost_published.csv` holds the rows: measurements of others that an eager operator of PyTorch can be held to, each
with its source. Where a figure of `chips.toml` was fitted, the half "fit" served; the half "check" only checks. A ratio
is modelled time by published time. A row that is out by more than a factor of 1.5 says why in its last column.

What it does not show: that one particular machine is like the model. Rows come from different hosts and clocks, and
some figures of the catalogue are the makers' own or round numbers from both halves. `calibrate.py` measures a machine.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from pathlib import Path

from syncpoint.sim import chips, cost
from syncpoint.sim.chips import Chip

TABLE = Path(__file__).parent / "data" / "cost_published.csv"
ELEMENT_BYTES = {"float64": 8, "float32": 4, "tf32": 4, "int32": 4, "float16": 2, "bfloat16": 2}
UNIT_BYTES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9}
LARGE_BYTES = 10**9  # where a source says no more than "large"


@dataclass(frozen=True)
class Row:
    """One published measurement and the chip of the catalogue that stands for its machine."""

    half: str  # "fit" or "check"
    model: str
    chip: str
    operator: str
    size: str
    dtype: str
    condition: str
    value: float
    unit: str
    source: str
    why: str  # it does not fit

    def numbers(self, text: str | None = None) -> list[int]:
        return [int(digits) for digits in re.findall(r"\d+", self.size if text is None else text)]


@dataclass(frozen=True)
class Work:
    """What the model says, and what turns a published rate into a time."""

    us: float
    nbytes: int = 0
    flops: int = 0


def rows(path: Path = TABLE) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return [Row(**{**row, "value": float(row["value"])}) for row in csv.DictReader(file)]  # type: ignore[arg-type]


def _matmul(row: Row, chip: Chip) -> Work:
    m, n, k = row.numbers()
    nbytes, flops = (m * n + n * k + m * k) * ELEMENT_BYTES[row.dtype], 2 * m * n * k
    return Work(cost.kernel_us(chip, nbytes, flops, row.dtype, matmul=True), nbytes, flops)


def _linear(row: Row, chip: Chip) -> Work:
    batch, rows_, inner, _, outer = row.numbers()[:5]
    nbytes = 4 * (batch * rows_ * (inner + outer) + inner * outer)
    return Work(cost.kernel_us(chip, nbytes, 2 * batch * rows_ * inner * outer, "float32", matmul=True))


def _convolution(row: Row, chip: Chip) -> Work:
    if "->" in row.size:  # 8x64x112x112 -> 128 ch 3x3 s2
        batch, channels, height, width, outputs, kernel, _, *stride = row.numbers()
        height_out, width_out = (side // (stride[0] if stride else 1) for side in (height, width))
    else:  # dim=100x256x256x3 dim=8x3x3x3: channels last, as the source writes them
        batch, height, width, channels, outputs, kernel, *_ = row.numbers()
        height_out, width_out = height, width
    pixels = batch * height_out * width_out
    flops = 2 * pixels * outputs * channels * kernel**2
    elements = batch * channels * height * width + pixels * outputs + outputs * channels * kernel**2
    return Work(cost.kernel_us(chip, elements * ELEMENT_BYTES[row.dtype], flops, row.dtype, matmul=True))


def _elementwise(row: Row, chip: Chip) -> Work:
    """One array read, one written; a graph's kernels cost what queued kernels cost."""
    nbytes = 2 * row.numbers()[0] * ELEMENT_BYTES[row.dtype]
    return Work(cost.kernel_us(chip, nbytes), nbytes)


def _one_way(arrays: int) -> Callable[[Row, Chip], Work]:
    """An operator over all elements of the first shape that reads, or reads and writes, each once."""

    def modelled(row: Row, chip: Chip) -> Work:
        shape = row.numbers(row.size.removeprefix("dim=").split()[0])
        return Work(cost.kernel_us(chip, arrays * prod(shape) * ELEMENT_BYTES[row.dtype]))

    return modelled


def _memory(row: Row, chip: Chip) -> Work:
    return Work(cost.kernel_us(chip, LARGE_BYTES), LARGE_BYTES)


def _copy(direction: str, pinned: bool) -> Callable[[Row, Chip], Work]:
    """A copy that the host asks for and waits for, as the published ones are."""

    def modelled(row: Row, chip: Chip) -> Work:
        found = re.match(r"(\d+) (B|kB|MB|GB)$", row.size)
        nbytes = int(found[1]) * UNIT_BYTES[found[2]] if found else LARGE_BYTES
        call_us = chip.host.copy_call_us + chip.host.wait_us if direction != "P2P" else 0.0
        return Work(cost.copy_us(chip, nbytes, direction, pinned) + call_us, nbytes)

    return modelled


def _launch(row: Row, chip: Chip) -> Work:
    return Work(chip.host.launch_us)


def _launch_and_wait(row: Row, chip: Chip) -> Work:
    return Work(chip.host.launch_us + chip.kernel_us + chip.host.wait_us)


OPERATORS: dict[str, Callable[[Row, Chip], Work]] = {
    "matmul": _matmul,
    "linear": _linear,
    "conv2d": _convolution,
    "elementwise": _elementwise,
    "elementwise in a graph": _elementwise,
    "relu": _one_way(2),
    "softmax": _one_way(2),
    "sum": _one_way(1),
    "device memory": _memory,
    "launch": _launch,
    "launch and wait": _launch_and_wait,
    "H2D pinned": _copy("H2D", True),
    "D2H pinned": _copy("D2H", True),
    "H2D pageable": _copy("H2D", False),
    "D2H pageable": _copy("D2H", False),
    "P2P": _copy("P2P", True),
}


def times(row: Row) -> tuple[float, float]:
    """(published, modelled) in microseconds."""
    chip = chips.get(row.model)
    work = OPERATORS[row.operator](row, chip)
    if row.condition.endswith("with a synchronise per call"):
        work = Work(work.us + chip.host.dispatch_us + chip.host.launch_us + chip.host.wait_us)
    published = {
        "us": lambda: row.value,
        "ms": lambda: row.value * 1e3,
        "GB/s": lambda: work.nbytes / (row.value * 1e3),
        "TFLOP/s": lambda: work.flops / (row.value * 1e6),
    }[row.unit]()
    return published, work.us


def fits(ratio: float) -> bool:
    return 1 / 1.5 <= ratio <= 1.5


def summary(ratios: list[float]) -> dict[str, float]:
    return {
        "rows": len(ratios),
        "median ratio": round(statistics.median(ratios), 3),
        "within 1.5": round(sum(map(fits, ratios)) / len(ratios), 3),
    }


def results() -> dict[str, object]:
    """Every row with its times, and the summary of both halves and of each operator's checked half."""
    table, by_half, by_operator = [], {"fit": [], "check": []}, {}  # type: ignore[var-annotated]
    for row in rows():
        published, modelled = times(row)
        ratio = modelled / published
        by_half[row.half].append(ratio)
        if row.half == "check":
            by_operator.setdefault(row.operator, []).append(ratio)
        table.append(
            {"half": row.half, "chip": row.chip, "model": row.model, "operator": row.operator, "size": row.size,
             "dtype": row.dtype, "published us": round(published, 3), "modelled us": round(modelled, 3),
             "ratio": round(ratio, 3), "why": row.why, "source": row.source}
        )  # fmt: skip
    return {
        "rows": table,
        "halves": {half: summary(ratios) for half, ratios in by_half.items()},
        "checked": {operator: summary(ratios) for operator, ratios in by_operator.items()},
    }


def show(found: dict[str, object]) -> None:
    header = ("chip", "operator", "size", "published us", "modelled us", "ratio")
    print("{:22} {:22} {:38} {:>13} {:>13} {:>6}  half   why it does not fit".format(*header))
    for row in found["rows"]:  # type: ignore[attr-defined]
        size = f"{row['size'][:28]} {row['dtype']}"
        print(
            f"{row['chip'][:22]:22} {row['operator']:22} {size:38} {row['published us']:13,.2f} "
            f"{row['modelled us']:13,.2f} {row['ratio']:6.2f}  {row['half']:5}  {row['why']}"
        )
    for title, part in (("half", found["halves"]), ("operator, checked half", found["checked"])):
        print(f"\n{title:24} {'rows':>5} {'median ratio':>13} {'within 1.5':>11}")
        for name, figures in part.items():  # type: ignore[attr-defined]
            print(f"{name:24} {figures['rows']:5} {figures['median ratio']:13.2f} {figures['within 1.5']:11.0%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--estimator", action="store_true", help="also PyTorch's runtime estimator (needs torch 2.14)")
    options = parser.parse_args()
    found = results()
    if options.estimator:
        from estimator import beside_the_model  # this folder's; only this flag needs torch

        found["estimator"] = beside_the_model()
    if options.json:
        print(json.dumps(found))
        return
    show(found)
    for line in found.get("estimator", []):  # type: ignore[attr-defined]
        print(line)


if __name__ == "__main__":
    main()
