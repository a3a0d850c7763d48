"""Balancing: cut the layers so that the slowest stage is as fast, or the largest as small, as can be.

A pipeline is as slow as its slowest stage (``formulas.span_uneven``). Each layer is measured by itself, on a copy, with
one sample batch; ``partition`` then finds the best cut.

What it does not do: count the copies between stages, or know that two stages compete for one device.

>>> partition([1, 1, 3, 1], 2)
[2, 2]
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cache

import torch
from torch import Tensor, nn

from syncpoint.pipeline.gpipe import Device, _with_index
from syncpoint.pipeline.microbatch import Batch, Value
from syncpoint.pipeline.skip import run_layers
from syncpoint.timing import timer

__all__ = ["balance_by_size", "balance_by_time", "layer_sizes", "layer_times_us", "partition"]


def partition(costs: Sequence[float], n: int) -> list[int]:
    """How many of the costs each of n blocks takes, so that the most expensive block costs the least.

    Among equally good cuts the one that leaves the least for the last block, then for the one before it, and so on.
    """
    k = len(costs)
    if not 1 <= n <= k:
        raise ValueError(f"{k} layers can't be cut into {n} stages: 1 to {k} are possible.")
    if any(cost < 0 for cost in costs):
        raise ValueError(f"a cost is negative: {list(costs)}")
    sums = [0.0]
    for cost in costs:
        sums.append(sums[-1] + cost)

    @cache
    def best(end: int, blocks: int) -> tuple[float, int]:
        """For the first ``end`` costs: what the most expensive block costs, and where the last block starts."""
        if blocks == 1:
            return sums[end], 0
        starts = range(blocks - 1, end)
        cost, start = min((max(best(s, blocks - 1)[0], sums[end] - sums[s]), -s) for s in starts)
        return cost, -start

    sizes, end = [], k
    for blocks in range(n, 0, -1):
        start = best(end, blocks)[1]
        sizes.append(end - start)
        end = start
    return sizes[::-1]


def _sandbox(model: nn.Sequential, device: torch.device) -> list[nn.Module]:
    """Copies of the layers on the device: measuring changes nothing of the model."""
    layers = [copy.deepcopy(layer).to(device) for layer in model]
    for layer in layers:
        layer.zero_grad(set_to_none=True)
    return layers


def _leaves(value: Value) -> Value:
    batch = Batch.of(value, "the sample")
    tensors = tuple(x.detach().requires_grad_(x.is_floating_point()) for x in batch.tensors)
    return batch.with_tensors(tensors).value


def _backward(value: Value) -> None:
    tensors = [y for y in Batch.of(value, "a layer's result").tensors if y.requires_grad]
    if tensors:
        torch.autograd.backward(tensors, [torch.ones_like(y) for y in tensors])


def layer_times_us(model: nn.Sequential, sample: Value, device: Device = "cpu", repeats: int = 3) -> list[float]:
    """Forward and backward of each layer in microseconds, the least of ``repeats`` runs.

    Virtual on a simulated device, wall time elsewhere: see ``syncpoint.timing``.
    """
    where = _with_index(device)
    layers = _sandbox(model, where)
    times = [float("inf")] * len(layers)
    for _ in range(repeats):
        value: Value = _to(sample, where)
        skips: dict[str, Tensor] = {}
        for k, layer in enumerate(layers):
            value = _leaves(value)
            with timer(where) as t:
                value = run_layers([layer], value, skips)
                _backward(value)
            skips = {name: x.detach() for name, x in skips.items()}
            times[k] = min(times[k], t.us)
    return times


def layer_sizes(
    model: nn.Sequential, sample: Value, chunks: int = 1, param_scale: float = 2.0, device: Device = "cpu"
) -> list[int]:
    """Bytes of each layer: what it keeps for a backward pass over one micro-batch, and ``param_scale`` times its
    parameters (2: with gradients; 4: with Adam's two states as well)."""
    where = _with_index(device)
    layers = _sandbox(model, where)
    value = _to(Batch.of(sample, "the sample").with_tensors(_first_chunk(sample, chunks)).value, where)
    sizes, skips = [], dict[str, Tensor]()
    for layer in layers:
        value = _leaves(value)
        kept, own = dict[int, int](), {p.untyped_storage().data_ptr() for p in layer.parameters()}

        def note(x: Tensor, kept: dict[int, int] = kept, own: set[int] = own) -> Tensor:
            storage = x.untyped_storage()
            if storage.data_ptr() not in own:
                kept[storage.data_ptr()] = storage.nbytes()
            return x

        with torch.autograd.graph.saved_tensors_hooks(note, lambda x: x):
            value = run_layers([layer], value, skips)
        skips = {name: x.detach() for name, x in skips.items()}
        parameters = sum(p.nbytes for p in layer.parameters())
        sizes.append(sum(kept.values()) + round(param_scale * parameters))
    return sizes


def _first_chunk(sample: Value, chunks: int) -> tuple[Tensor, ...]:
    return tuple(x[: max(1, -(-x.shape[0] // chunks))] for x in Batch.of(sample, "the sample").tensors)


def _to(value: Value, device: torch.device) -> Value:
    batch = Batch.of(value, "the sample")
    return batch.with_tensors(tuple(x.detach().to(device) for x in batch.tensors)).value


def balance_by_time(n: int, model: nn.Sequential, sample: Value, device: Device = "cpu") -> list[int]:
    """Layers a stage, so that the slowest of n stages takes the least time."""
    return partition(layer_times_us(model, sample, device), n)


def balance_by_size(
    n: int, model: nn.Sequential, sample: Value, chunks: int = 1, param_scale: float = 2.0, device: Device = "cpu"
) -> list[int]:
    """Layers a stage, so that the largest of n stages needs the least memory."""
    return partition(layer_sizes(model, sample, chunks, param_scale, device), n)
