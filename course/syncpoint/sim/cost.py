"""From bytes and operations to virtual microseconds: what one operator costs.

Pure functions of a `Chip` (or a `Host`) and plain numbers: no clock, no state, no torch. The clock adds the host's
dispatch and launch time, decides what overlaps with what, and lets the host wait; here stands only how long
one piece of work takes once it has begun.

The model is a roofline with floors. A kernel's work takes

    work = max(bytes / bandwidth, operations / rate)

where the bandwidth is the L2 cache's while all its data fits in half of that cache, and the memory's otherwise.
Beside the work there is a fixed time, `Chip.kernel_us` for each kernel. A long kernel hides it, a short one cannot:
`max(work, fixed + (1 - overlap) * work)`. A matrix product takes `Chip.matmul_us + work`. That is where efficiency
grows with size: a small operator is nearly all fixed time, a large one nearly all work.

Not modelled: the shape of a matrix product beyond its bytes and operations, waves of thread blocks, clocks that
fall under load, two kernels that share the chip, a busy link, CPU caches.

    >>> from syncpoint.sim import chips, cost
    >>> round(cost.copy_us(chips.get("A100"), 12_000_000, "H2D", pinned=True))   # a million 3D points, float32
    482
    >>> round(cost.kernel_us(chips.get("A100"), 24_000_000))                     # add 1: read them, write them
    16
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from .chips import Chip, Host

#: What a matrix product reaches of the specified rate where nobody published a measurement. Estimate: the chips
#: with measurements reach 0.45 to 1.0.
UNMEASURED_SHARE = 0.7

_DOUBLE = ("float64", "complex128")


def kernel_us(
    chip: Chip, nbytes: int, flops: int = 0, dtype: str = "float32", kernels: int = 1, matmul: bool = False
) -> float:
    """How long the device works on one operator.

    nbytes: read and written, all kernels of the operator together. flops: a multiply-add counts as two.
    dtype: PyTorch's name without "torch.", or "tf32" for a float32 product that may use it. See `matmul_tflops`
    for a dtype that the chip does not list. kernels: how many kernels share the work; each pays the fixed time;
    without kernels there is no time at all. matmul: one of them is a matrix product or a convolution, done by the
    chip's matrix units, whose fixed time is longer than an ordinary kernel's.
    """
    if kernels <= 0:
        return 0.0
    # Half of the cache, not all of it: the other half still holds what the neighbours left.
    gbs = chip.l2_gbs if 2 * nbytes <= chip.l2_bytes else chip.memory_gbs
    work_us = nbytes / (gbs * 1e3)
    if matmul:
        work_us = max(work_us, flops / (matmul_tflops(chip, dtype) * 1e6))
        return chip.matmul_us + (kernels - 1) * chip.kernel_us + work_us
    if flops:
        work_us = max(work_us, flops / (_vector_tflops(chip, dtype) * 1e6))
    return max(work_us, kernels * chip.kernel_us + (1.0 - chip.overlap) * work_us)


def matmul_tflops(chip: Chip, dtype: str) -> float:
    """TFLOP/s that a large matrix product reaches on `chip`.

    The measured rate where the chip lists one; else `UNMEASURED_SHARE` of the specified rate; and a dtype that
    the chip does not know at all runs at the float64 rate if it is float64 or complex128, else at the float32
    rate (so "tf32" on a chip without TF32 is plain float32, as in PyTorch).
    """
    rate = chip.matmul_tflops.get(dtype)
    if rate is None:
        if dtype in chip.tflops:
            return chip.tflops[dtype] * UNMEASURED_SHARE
        known = "float64" if dtype in _DOUBLE and "float64" in chip.tflops else "float32"
        return matmul_tflops(chip, known)
    return rate


def _vector_tflops(chip: Chip, dtype: str) -> float:
    """Operations outside the matrix units run at the float32 rate, or at the float64 rate for double precision."""
    rates = chip.tflops
    return rates["float64"] if dtype in _DOUBLE and "float64" in rates else rates["float32"]


def copy_us(chip: Chip, nbytes: int, direction: str, pinned: bool = False) -> float:
    """How long one copy takes, from the moment it begins until its last byte has arrived.

    direction: "H2D" or "D2H" over the link, "P2P" to another device, "D2D" within the device (a kernel that
    reads and writes). pinned: whether the host's side is page-locked. A pageable copy passes through a pinned
    buffer of the driver's piece by piece: the slower rate already contains that staging.
    """
    link = chip.link
    if direction == "H2D" or direction == "D2H":
        return link.latency_us + nbytes / ((link.pinned_gbs if pinned else link.pageable_gbs) * 1e3)
    if direction == "D2D":
        return kernel_us(chip, 2 * nbytes)
    if direction == "P2P":
        return link.latency_us + nbytes / (chip.p2p_gbs * 1e3)
    raise ValueError(f"copy_us: unknown direction {direction!r}; use 'H2D', 'D2H', 'D2D' or 'P2P'.")


def stage_us(chip: Chip, nbytes: int) -> float:
    """How long the host itself is busy staging a pageable copy, even one that was asked not to block.

    Never longer than the pageable copy as a whole (`copy_us`), of which it is a part: do not add the two.
    """
    return nbytes / (chip.link.pageable_gbs * 1e3)


def host_op_us(chip: Chip | Host, nbytes: int, flops: int = 0) -> float:
    """One CPU operator, on a host or on the host of a chip: never less than `Host.cpu_op_us`."""
    host = cast("Host", getattr(chip, "host", chip))
    return max(host.cpu_op_us, nbytes / (host.memory_gbs * 1e3), flops / (host.gflops * 1e3))


def pin_us(chip: Chip | Host, nbytes: int) -> float:
    """A new page-locked allocation; memory that PyTorch's cache already holds costs nothing."""
    host = cast("Host", getattr(chip, "host", chip))
    return host.pin_us + nbytes / (host.pin_gbs * 1e3)


def malloc_us(chip: Chip | Host, nbytes: int) -> float:
    """A new device allocation (cudaMalloc); memory that PyTorch's cache already holds costs nothing."""
    host = cast("Host", getattr(chip, "host", chip))
    return host.malloc_us + nbytes / (host.malloc_gbs * 1e3)
