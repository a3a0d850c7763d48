"""Skip connections over stages: a layer stashes a tensor under a name, a later one pops it.

In a U-Net the first layers' results are needed again by the last ones. Carried along through every stage between, they
would be copied many times. Here a stashed tensor goes straight from the device that made it to the one that pops it.

A layer that takes part says so in its class and gives what it stashes beside its result:

    @skippable(stash=["image"])
    class Down(nn.Module):
        def forward(self, x):
            return self.conv(x), {"image": x}

    @skippable(pop=["image"])
    class Up(nn.Module):
        def forward(self, x, image):
            return self.conv(x) + image

What it does not do: names that are used twice in one model, stashes that nobody pops, and layers deeper than the
children of the nn.Sequential; the first two are refused.

>>> layout = inspect_skips([[Down()], [Up()]])             # doctest: +SKIP
>>> layout.source                                          # doctest: +SKIP
{'image': 0}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from torch import Tensor, nn

from syncpoint.pipeline.microbatch import Batch, Value

__all__ = ["SkipLayout", "StageCall", "inspect_skips", "run_layers", "skippable", "takes_part"]

M = TypeVar("M", bound=type[nn.Module])


def skippable(stash: Iterable[str] = (), pop: Iterable[str] = ()) -> Callable[[M], M]:
    """Declare which names a layer's ``forward`` gives and takes."""
    given, taken = tuple(stash), tuple(pop)
    if len(set(given)) < len(given) or len(set(taken)) < len(taken) or set(given) & set(taken):
        raise ValueError(f"stash {given} and pop {taken}: each name may stand here once.")

    def mark(layer: M) -> M:
        layer._stashes, layer._pops = given, taken  # type: ignore[attr-defined]
        return layer

    return mark


def _stashes(layer: nn.Module) -> tuple[str, ...]:
    return getattr(type(layer), "_stashes", ())


def _pops(layer: nn.Module) -> tuple[str, ...]:
    return getattr(type(layer), "_pops", ())


def takes_part(layer: nn.Module) -> bool:
    """Whether a layer stashes or pops."""
    return bool(_stashes(layer) or _pops(layer))


@dataclass(frozen=True)
class SkipLayout:
    """Where each name is stashed and popped, for names that leave their stage."""

    source: dict[str, int]  # name -> stage that stashes it
    pops: tuple[tuple[str, ...], ...]  # for each stage: what it needs from earlier stages


def inspect_skips(stages: Sequence[Iterable[nn.Module]]) -> SkipLayout:
    """Find all stashes and pops; raises ValueError for one without the other, or in the wrong order."""
    made: dict[str, int] = {}
    popped: dict[str, int] = {}
    for j, layers in enumerate(stages):
        for layer in layers:
            for name in _pops(layer):
                if name not in made:
                    who = f"{type(layer).__name__} in stage {j}"
                    raise ValueError(f"{who} pops {name!r}, which no layer before it stashes.")
                if name in popped:
                    both = f"stages {popped[name]} and {j}"
                    raise ValueError(f"{name!r} is popped twice, in {both}; stash it twice as well.")
                popped[name] = j
            for name in _stashes(layer):
                if name in made:
                    raise ValueError(f"{name!r} is stashed twice, in stages {made[name]} and {j}; use two names.")
                made[name] = j
    if unused := sorted(set(made) - set(popped)):
        raise ValueError(f"{', '.join(map(repr, unused))}: stashed, and popped by no later layer.")
    leaves = {name for name in made if made[name] != popped[name]}
    pops = tuple(tuple(sorted(n for n in leaves if popped[n] == j)) for j in range(len(stages)))
    return SkipLayout({name: made[name] for name in sorted(leaves)}, pops)


def run_layers(layers: Iterable[nn.Module], value: Any, skips: dict[str, Tensor]) -> Any:
    """The layers one after the other; ``skips`` holds what is stashed, and loses what is popped."""
    for layer in layers:
        taken = {name: skips.pop(name) for name in _pops(layer)}
        names = _stashes(layer)
        result = layer(value, **taken)
        if not names:
            value = result
            continue
        value, given = _unpacked(layer, names, result)
        skips.update(given)
    return value


def _unpacked(layer: nn.Module, names: tuple[str, ...], result: Any) -> tuple[Any, dict[str, Tensor]]:
    pair = isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], dict)
    if not pair or set(result[1]) != set(names):
        wanted = ", ".join(f"{name!r}: ..." for name in names)
        raise TypeError(f"{type(layer).__name__} stashes {names}: its forward must return (result, {{{wanted}}}).")
    return result


class StageCall:
    """A stage as a function of tensors: those of the micro-batch first, then the popped or stashed ones."""

    def __init__(self, stage: nn.Module, j: int, single: bool, pops: tuple[str, ...]) -> None:
        self.stage, self.j, self.single, self.pops = stage, j, single, pops
        self.gives_single = True
        self.stashed: tuple[str, ...] = ()

    def __call__(self, *tensors: Tensor) -> tuple[Tensor, ...]:
        count = len(tensors) - len(self.pops)
        value: Value = tensors[0] if self.single else tensors[:count]
        skips = dict(zip(self.pops, tensors[count:], strict=True))
        if isinstance(self.stage, nn.Sequential):
            result = run_layers(self.stage, value, skips)
        else:
            result = self.stage(value)
        batch = Batch.of(result, f"the result of stage {self.j}")
        self.gives_single, self.stashed = batch.single, tuple(sorted(skips))
        return (*batch.tensors, *(skips[name] for name in self.stashed))

    def split(self, tensors: tuple[Tensor, ...]) -> tuple[Batch, dict[str, Tensor]]:
        """The results as micro-batch and stashed tensors."""
        count = len(tensors) - len(self.stashed)
        return Batch(tensors[:count], self.gives_single), dict(zip(self.stashed, tensors[count:], strict=True))
