"""PyTorch's own runtime estimator beside the cost model, on the published rows that both can answer.

`torch.utils._runtime_estimation` is what `torch.distributed._tools.runtime_estimator` uses for its roofline. From
torch 2.14 on it can be asked about a chip of PyTorch's data sheet without having one. Here it estimates the operators
under FakeTensorMode, as max(compute, transfer).

What it does not do: TF32, copies, launches and waits, and chips that are not in PyTorch's data sheet. The rows are of
both halves, since the estimator was fitted to neither.
"""

from __future__ import annotations

import inspect

import torch
from cost import LARGE_BYTES, Row, rows, summary, times
from torch._subclasses import FakeTensorMode

#: Names of PyTorch's data sheet. Its A100 is the card of 80 GB.
DATA_SHEET = {"A100-80": "NVIDIA A100", "H100": "NVIDIA H100", "L4": "NVIDIA L4"}


def estimate_us(row: Row) -> float:
    """What the estimator says about one row."""
    from torch.utils._runtime_estimation import get_compute_time, get_transfer_time

    if "gpu_type" not in inspect.signature(get_compute_time).parameters:
        raise SystemExit(f"torch {torch.__version__} can't estimate for a chip that is not there. Use torch 2.14.")
    gpu = DATA_SHEET[row.model]
    dtype = getattr(torch, row.dtype or "float32")
    with FakeTensorMode():
        if row.operator == "matmul":
            m, n, k = row.numbers()
            inputs = (torch.empty(m, n, dtype=dtype), torch.empty(n, k, dtype=dtype))
            out, packet = torch.mm(*inputs), torch.ops.aten.mm
        else:  # one array read, one written
            count = row.numbers()[0] if row.operator == "elementwise" else LARGE_BYTES // 2 // dtype.itemsize
            inputs = (torch.empty(count, dtype=dtype),)
            out, packet = inputs[0] * 1.2, torch.ops.aten.mul
        compute_ns = get_compute_time(packet, inputs, {}, out, {dtype}, gpu_type=gpu)
        return max(compute_ns, get_transfer_time(inputs, [out], gpu_type=gpu)) / 1e3


def beside_the_model() -> list[str]:
    """One line for each operator: how far both are from what was published."""
    lines = ["", "PyTorch's runtime estimator and the model, by published time; median ratio, rows within 1.5"]
    for operator in ("matmul", "device memory", "elementwise"):
        ours, theirs = [], []
        for row in rows():
            if row.operator == operator and row.model in DATA_SHEET and row.dtype != "tf32":
                published, modelled = times(row)
                ours.append(modelled / published)
                theirs.append(estimate_us(row) / published)
        for name, ratios in (("estimator", theirs), ("model", ours)):
            count, median, within = summary(ratios).values()
            lines.append(f"{operator:15} {name:10} {count:4} rows {median:6.2f} {within:6.0%}")
    return lines


if __name__ == "__main__":
    print("\n".join(beside_the_model()).strip())
