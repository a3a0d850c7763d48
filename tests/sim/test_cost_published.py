"""The cost model against published measurements: the half that did not serve to fit it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from syncpoint.sim import chips

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
import cost as benchmark  # noqa: E402  a program of the folder benchmarks, not a module of the package

sys.path.remove(str(BENCHMARKS))

ROWS = benchmark.rows()
NEEDED = {
    "matmul", "device memory", "elementwise", "elementwise in a graph", "softmax", "conv2d", "launch",
    "launch and wait", "H2D pinned", "D2H pinned", "H2D pageable", "D2H pageable", "P2P",
}  # fmt: skip


def ratio(row: benchmark.Row) -> float:
    published, modelled = benchmark.times(row)
    return modelled / published


def test_the_table_is_wide_enough() -> None:
    assert len(ROWS) >= 100
    assert len({row.model for row in ROWS}) >= 8
    assert {row.operator for row in ROWS} >= NEEDED
    assert len({row.dtype for row in ROWS if row.operator == "matmul"}) >= 4
    assert all(row.source and chips.get(row.model).name == row.model for row in ROWS)
    halves = [row.half for row in ROWS]
    assert set(halves) == {"fit", "check"}
    assert abs(halves.count("fit") - halves.count("check")) <= 0.05 * len(ROWS)


def test_the_checked_half_lies_within_the_bounds() -> None:
    checked = benchmark.summary([ratio(row) for row in ROWS if row.half == "check"])
    assert 1 / 1.15 <= checked["median ratio"] <= 1.15
    assert checked["within 1.5"] >= 0.8


@pytest.mark.parametrize("operator", ["matmul", "device memory", "P2P", "H2D pageable"])
def test_what_the_model_knows_best(operator: str) -> None:
    checked = benchmark.summary([ratio(row) for row in ROWS if row.half == "check" and row.operator == operator])
    assert 1 / 1.2 <= checked["median ratio"] <= 1.2
    assert checked["within 1.5"] >= 0.9


def test_exactly_the_rows_that_do_not_fit_say_why() -> None:
    assert [row for row in ROWS if bool(row.why) == benchmark.fits(ratio(row))] == []


def test_units_of_rates_and_times_agree() -> None:
    def row(operator: str, size: str, dtype: str, value: float, unit: str) -> benchmark.Row:
        return benchmark.Row("check", "A100", "A100", operator, size, dtype, "", value, unit, "made up", "")

    rate, time = (row("matmul", "1000x1000x1000", "float32", *given) for given in ((10.0, "TFLOP/s"), (200.0, "us")))
    assert benchmark.times(rate) == pytest.approx(benchmark.times(time))
    rate, time = (row("H2D pinned", "1 MB", "", *given) for given in ((10.0, "GB/s"), (0.1, "ms")))
    assert benchmark.times(rate) == pytest.approx(benchmark.times(time))


@pytest.mark.parametrize(
    ("size", "gflop"),
    [
        ("8x64x112x112 -> 128 ch 3x3", 14.797),
        ("16x3x224x224 -> 64 ch 7x7 s2", 3.777),
        ("dim=10x9x9x3 dim=8x3x3x3", 0.00035),
    ],
)
def test_operations_of_a_convolution(size: str, gflop: float) -> None:
    row = benchmark.Row("check", "A100", "A100", "conv2d", size, "float32", "", 1.0, "ms", "made up", "")
    chip = chips.get("A100")
    us = benchmark.OPERATORS["conv2d"](row, chip).us
    assert us >= chip.matmul_us + gflop * 1e3 / chip.matmul_tflops["float32"] * 0.999
