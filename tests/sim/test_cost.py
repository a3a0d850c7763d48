"""The cost model: the worked example and the race come out, more work never costs less, floors and caches act."""

from __future__ import annotations

import doctest
from dataclasses import replace
from itertools import pairwise

import pytest

from syncpoint.sim import chips, cost
from syncpoint.sim.chips import CHIPS, Chip

EVERY_CHIP = pytest.mark.parametrize("chip", CHIPS.values(), ids=list(CHIPS))
REAL = [chip for chip in CHIPS.values() if chip.family != "ticks"]
REAL_CHIP = pytest.mark.parametrize("chip", REAL, ids=[chip.name for chip in REAL])
SIZES = [0, 1, 4, 1000, *(2**power + step for power in range(12, 34) for step in (-1, 0, 1))]

POINTS_BYTES = 1_000_000 * 3 * 4  # a million 3D points in float32


# --- the concept unit's worked example, and its race ---


def test_the_worked_example() -> None:
    a100 = chips.get("A100")
    assert round(cost.copy_us(a100, POINTS_BYTES, "H2D", pinned=True) / 1000, 2) == 0.48
    assert round(cost.copy_us(a100, POINTS_BYTES, "D2H", pinned=True) / 1000, 2) == 0.48
    assert round(cost.kernel_us(a100, 2 * POINTS_BYTES) / 1000, 3) == 0.016
    assert round(cost.host_op_us(a100, 2 * POINTS_BYTES) / 1000, 1) == 0.4


@pytest.mark.parametrize(("steps", "cpu", "gpu"), [(1, 32, 81), (2, 64, 82), (3, 96, 83)])
def test_the_race_in_ticks(steps: int, cpu: int, gpu: int) -> None:
    ticks, numbers = chips.get("ticks"), 256 * 4
    there, back = (cost.copy_us(ticks, numbers, way) for way in ("H2D", "D2H"))
    step = cost.kernel_us(ticks, 2 * numbers)
    assert steps * cost.host_op_us(ticks, 2 * numbers) == cpu
    assert there + steps * step + back == gpu


@pytest.mark.parametrize("arrays", [1, 2, 3])  # filled in place, read and written, two read and one written
@pytest.mark.parametrize("flops", [0, 256])
def test_one_operator_over_256_numbers_costs_whole_ticks(arrays: int, flops: int) -> None:
    ticks, numbers = chips.get("ticks"), 256 * 4
    assert cost.kernel_us(ticks, arrays * numbers, flops) == 1
    assert cost.host_op_us(ticks, arrays * numbers, flops) == 32


def test_nothing_else_costs_ticks() -> None:
    ticks = chips.get("ticks")
    host = ticks.host
    assert (host.dispatch_us, host.launch_us, host.wait_us, host.copy_call_us) == (0, 0, 0, 0)
    assert cost.stage_us(ticks, 1024) == cost.pin_us(ticks, 1024) == cost.malloc_us(ticks, 1024) == 0
    assert cost.copy_us(ticks, 4, "D2H", pinned=True) == cost.copy_us(ticks, 4, "D2H") == 40


def test_more_numbers_than_256_take_more_ticks() -> None:
    ticks = chips.get("ticks")
    assert cost.kernel_us(ticks, 3 * 1024 * 4, 1024) == 4
    assert cost.host_op_us(ticks, 3 * 1024 * 4, 1024) == 128


# --- more work never costs less ---


def assert_rises(costs: list[float]) -> None:
    assert all(0 <= less <= more for less, more in pairwise(costs))


@EVERY_CHIP
@pytest.mark.parametrize("matmul", [False, True])
def test_rises_with_bytes(chip: Chip, matmul: bool) -> None:
    assert_rises([cost.kernel_us(chip, nbytes, 10**6, matmul=matmul) for nbytes in SIZES])
    assert_rises([cost.host_op_us(chip, nbytes) for nbytes in SIZES])
    assert_rises([cost.stage_us(chip, nbytes) for nbytes in SIZES])
    assert_rises([cost.pin_us(chip, nbytes) for nbytes in SIZES])
    assert_rises([cost.malloc_us(chip, nbytes) for nbytes in SIZES])
    for direction in ("H2D", "D2H", "D2D", "P2P"):
        for pinned in (False, True):
            assert_rises([cost.copy_us(chip, nbytes, direction, pinned) for nbytes in SIZES])


@EVERY_CHIP
@pytest.mark.parametrize("matmul", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "float64", "tf32", "int64"])
def test_rises_with_flops_and_kernels(chip: Chip, matmul: bool, dtype: str) -> None:
    assert_rises([cost.kernel_us(chip, 10**6, flops, dtype, matmul=matmul) for flops in SIZES])
    assert_rises([cost.kernel_us(chip, 10**6, 10**6, dtype, kernels, matmul) for kernels in range(20)])
    assert_rises([cost.host_op_us(chip, 0, flops) for flops in SIZES])


# --- floors, rates, the cache ---


@REAL_CHIP
def test_a_small_kernel_costs_its_fixed_time(chip: Chip) -> None:
    assert cost.kernel_us(chip, 64) == pytest.approx(chip.kernel_us, rel=0.01)
    assert cost.kernel_us(chip, 64, kernels=10) == pytest.approx(10 * chip.kernel_us, rel=0.01)
    assert cost.kernel_us(chip, 64, kernels=0) == 0


@REAL_CHIP
def test_a_large_kernel_moves_memory_at_its_rate(chip: Chip) -> None:
    gigabyte = 10**9
    assert cost.kernel_us(chip, gigabyte) == gigabyte / (chip.memory_gbs * 1e3)
    assert cost.kernel_us(chip, gigabyte, kernels=3) == cost.kernel_us(chip, gigabyte)


def test_a_middling_kernel_hides_a_part_of_its_fixed_time() -> None:
    chip = replace(chips.get("T4"), kernel_us=10.0, overlap=0.25, memory_gbs=1.0, l2_bytes=0)  # 1 kB a microsecond
    assert cost.kernel_us(chip, 20_000) == 10 + 0.75 * 20
    assert cost.kernel_us(chip, 60_000) == 60  # more than 10 + 0.75 * 60: hidden wholly


@REAL_CHIP
def test_a_small_matrix_product_costs_its_floor_whatever_its_size(chip: Chip) -> None:
    def product_us(n: int) -> float:
        return cost.kernel_us(chip, 3 * 4 * n * n, 2 * n**3, matmul=True)

    assert product_us(8) == pytest.approx(chip.matmul_us, rel=0.01)
    assert product_us(64) < 1.2 * product_us(8)
    assert product_us(8) > cost.kernel_us(chip, 3 * 4 * 64)
    if chip.family == "cuda":
        assert 5 <= chip.matmul_us <= 10  # what was published


@REAL_CHIP
def test_a_large_matrix_product_runs_at_the_measured_rate(chip: Chip) -> None:
    flops = 2 * 8192**3
    for dtype, tflops in chip.matmul_tflops.items():
        us = cost.kernel_us(chip, 3 * 8192**2 * 4, flops, dtype, matmul=True)
        assert us == pytest.approx(flops / (tflops * 1e6), rel=0.05)


def test_more_kernels_beside_a_matrix_product_add_their_fixed_time() -> None:
    t4 = chips.get("T4")
    one, three = (cost.kernel_us(t4, 64, 64, kernels=kernels, matmul=True) for kernels in (1, 3))
    assert three - one == pytest.approx(2 * t4.kernel_us)


@REAL_CHIP
def test_data_in_half_of_the_cache_moves_faster(chip: Chip) -> None:
    fits = chip.l2_bytes // 2
    assert 2 < chip.l2_gbs / chip.memory_gbs < 8
    inside, outside = cost.kernel_us(chip, fits), cost.kernel_us(chip, fits + 1)
    assert inside < outside
    assert cost.kernel_us(replace(chip, l2_gbs=1e9), fits) == pytest.approx(chip.kernel_us, rel=0.01)
    no_cache = replace(chip, l2_bytes=0)
    assert cost.kernel_us(no_cache, fits) == pytest.approx(outside)


# --- dtypes ---


def test_known_dtypes_have_their_measured_rate() -> None:
    t4 = chips.get("T4")
    assert cost.matmul_tflops(t4, "float16") == t4.matmul_tflops["float16"] > cost.matmul_tflops(t4, "float32")
    assert cost.matmul_tflops(t4, "bfloat16") < cost.matmul_tflops(t4, "float32")  # no matrix units for it


def test_a_dtype_without_measurement_reaches_a_share_of_the_specified_rate() -> None:
    t4 = chips.get("T4")
    assert "int8" not in t4.matmul_tflops
    assert cost.matmul_tflops(t4, "int8") == cost.UNMEASURED_SHARE * t4.tflops["int8"]
    assert cost.matmul_tflops(t4, "float64") == cost.UNMEASURED_SHARE * t4.tflops["float64"]


@pytest.mark.parametrize("dtype", ["tf32", "int64", "complex64", "float8_e4m3fn", "no such type"])
def test_an_unknown_dtype_runs_as_float32(dtype: str) -> None:
    v100 = chips.get("V100")
    assert cost.matmul_tflops(v100, dtype) == v100.matmul_tflops["float32"]
    assert cost.kernel_us(v100, 0, 10**9, dtype) == cost.kernel_us(v100, 0, 10**9, "float32")


def test_double_precision_is_slow_where_the_chip_makes_it_so() -> None:
    t4 = chips.get("T4")
    assert cost.matmul_tflops(t4, "complex128") == cost.matmul_tflops(t4, "float64")
    assert cost.kernel_us(t4, 0, 10**9, "float64") > 20 * cost.kernel_us(t4, 0, 10**9, "float32")
    m1 = chips.get("M1")  # it has no such type, so the question is only what a wrong call costs: float32's price
    assert cost.matmul_tflops(m1, "float64") == cost.matmul_tflops(m1, "float32")


# --- copies and allocations ---


@EVERY_CHIP
def test_pageable_copies_are_no_faster_and_contain_their_staging(chip: Chip) -> None:
    for nbytes in SIZES:
        pageable = cost.copy_us(chip, nbytes, "H2D", pinned=False)
        assert pageable >= cost.copy_us(chip, nbytes, "H2D", pinned=True)
        assert cost.stage_us(chip, nbytes) <= pageable


@REAL_CHIP
def test_a_small_copy_is_nearly_all_latency(chip: Chip) -> None:
    assert cost.copy_us(chip, 4, "D2H", pinned=True) == pytest.approx(chip.link.latency_us, rel=0.01)


def test_a_copy_within_the_device_is_a_kernel_that_reads_and_writes() -> None:
    t4 = chips.get("T4")
    assert cost.copy_us(t4, 10**8, "D2D") == cost.kernel_us(t4, 2 * 10**8)


def test_a_copy_between_devices_goes_at_its_own_rate() -> None:
    h100 = chips.get("H100")
    assert cost.copy_us(h100, 10**9, "P2P") == pytest.approx(10**9 / (h100.p2p_gbs * 1e3), rel=0.01)
    assert cost.copy_us(h100, 10**9, "P2P") < cost.copy_us(h100, 10**9, "H2D", pinned=True)


def test_an_unknown_direction_is_named() -> None:
    with pytest.raises(ValueError, match=r"unknown direction 'h2d'; use 'H2D', 'D2H', 'D2D' or 'P2P'"):
        cost.copy_us(chips.get("T4"), 1, "h2d")


def test_pinning_is_the_expensive_allocation() -> None:
    t4 = chips.get("T4")
    assert cost.pin_us(t4, 4096) >= 1000  # milliseconds, even for one page
    assert cost.pin_us(t4, 2**25) == pytest.approx(11_600, rel=0.5)  # 32 MB: github.com/rapidsai/dask-cuda issue 106
    assert cost.malloc_us(t4, 4096) < 0.1 * cost.pin_us(t4, 4096)


@EVERY_CHIP
def test_a_host_may_be_given_alone(chip: Chip) -> None:
    for price in (cost.host_op_us, cost.pin_us, cost.malloc_us):
        assert price(chip.host, 10**6) == price(chip, 10**6)


@EVERY_CHIP
def test_a_cpu_operator_has_a_floor_and_rates(chip: Chip) -> None:
    assert cost.host_op_us(chip, 4) == chip.host.cpu_op_us
    assert cost.host_op_us(chip, 10**10) == 10**10 / (chip.host.memory_gbs * 1e3)
    assert cost.host_op_us(chip, 4, 10**12) == 10**12 / (chip.host.gflops * 1e3)


def test_the_examples_in_the_docstring_are_true() -> None:
    result = doctest.testmod(cost)
    assert (result.failed, result.attempted > 0) == (0, True)
