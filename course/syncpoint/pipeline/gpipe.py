"""GPipe: an ``nn.Sequential`` as a pipeline over several devices, used like any other module.

The layers are cut into stages by ``balance``, the number of layers of each; the stages are moved to their devices; the
batch is cut into ``chunks`` micro-batches. What comes out is what the model gives without all this: exactly, if each
sample is treated by itself. A batch norm is the well-known exception. It takes its mean over the micro-batch.

What it does not do: choose ``balance`` (``balance_by_time``, ``balance_by_size`` do), or carry what is no tensor.

>>> model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
>>> pipe = GPipe(model, balance=[2, 1], devices=["cpu", "cpu"], chunks=4)
>>> pipe(torch.ones(16, 8)).shape
torch.Size([16, 2])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import torch
from torch import Tensor, nn

from syncpoint.pipeline.engine import Pipeline
from syncpoint.pipeline.microbatch import Batch, Value, gather, scatter

__all__ = ["GPipe", "default_devices", "split"]

Device = torch.device | str | int


def default_devices(n: int) -> list[torch.device]:
    """The first n accelerators; without any, n times the CPU. Raises ValueError if there are too few."""
    accelerator = torch.accelerator.current_accelerator(check_available=True)
    if accelerator is None:
        return [torch.device("cpu")] * n
    count = torch.accelerator.device_count()
    if n > count:
        raise ValueError(
            f"{n} stages need {n} devices, there are {count} of type {accelerator.type}. Use fewer stages, "
            f"or give devices=[...] and name a device more than once."
        )
    return [torch.device(accelerator.type, index) for index in range(n)]


def _with_index(device: Device) -> torch.device:
    """ "cuda" means the current device: a stage's device has a number, so that two can be compared."""
    named = torch.device(device)
    if named.index is not None or named.type in ("cpu", "mps", "meta"):
        return named if named.type != "cpu" else torch.device("cpu")
    return torch.device(named.type, torch.get_device_module(named).current_device())


def split(model: nn.Sequential, balance: Sequence[int]) -> list[nn.Sequential]:
    """The stages; their layers keep the names that they have in ``model``."""
    if not isinstance(model, nn.Sequential):
        raise TypeError(f"the model is a {type(model).__name__}; a pipeline cuts an nn.Sequential into stages.")
    layers, sizes = list(model.named_children()), list(balance)
    if not sizes or any(not isinstance(size, int) or size < 1 for size in sizes):
        raise ValueError(f"balance is {sizes}; each stage has 1 layer or more.")
    if sum(sizes) != len(layers):
        raise ValueError(
            f"balance {sizes} adds up to {sum(sizes)} layers, but the model has {len(layers)}. "
            "balance_by_time(n, model, sample) finds one that fits."
        )
    stages = []
    for size in sizes:
        stage, layers = layers[:size], layers[size:]
        stages.append(_sequential(stage))
    return stages


def _sequential(layers: list[tuple[str, nn.Module]]) -> nn.Sequential:
    stage = nn.Sequential()
    for name, layer in layers:
        stage.add_module(name, layer)
    return stage


def _check_sharing(stages: Sequence[nn.Module], devices: Sequence[torch.device]) -> None:
    home: dict[int, tuple[str, int]] = {}
    for j, stage in enumerate(stages):
        for name, parameter in stage.named_parameters():
            first, source = home.setdefault(id(parameter), (name, j))
            if devices[source] != devices[j]:
                raise ValueError(
                    f"parameter {name} of stage {j} is {first} of stage {source}: one parameter can't be on two "
                    "devices. Put both layers into one stage."
                )


class GPipe(nn.Module):
    """See above. ``devices``: one a stage, or more, by default the accelerators. ``checkpoint``: as for Pipeline.

    A call takes a tensor or a tuple of tensors on ``devices[0]`` and gives what the model gives, on ``devices[-1]``.
    """

    def __init__(
        self, model: nn.Sequential, balance: Sequence[int], devices: Sequence[Device] | None = None, chunks: int = 1,
        checkpoint: str = "except_last", copy_streams: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        if not isinstance(chunks, int) or chunks < 1:
            raise ValueError(f"chunks is {chunks!r}; a batch is cut into 1 micro-batch or more.")
        stages = split(model, balance)
        given = default_devices(len(stages)) if devices is None else [_with_index(device) for device in devices]
        if len(given) < len(stages):
            raise ValueError(f"{len(stages)} stages need {len(stages)} devices, devices= names {len(given)}.")
        self.balance, self.chunks, self.devices = list(balance), chunks, given[: len(stages)]
        _check_sharing(stages, self.devices)
        self._engine = Pipeline(stages, self.devices, checkpoint, copy_streams)
        for stage, device in zip(stages, self.devices, strict=True):
            if any(tensor.device != device for _, tensor in _named_tensors(stage)):
                stage.to(device)
        self.stages = nn.ModuleList(stages)
        self._engine.stages = self.stages  # one list, so that a stage that is exchanged is exchanged in both

    def __len__(self) -> int:
        """The number of layers."""
        return sum(self.balance)

    def __iter__(self) -> Iterator[nn.Module]:
        """The layers, in order."""
        for stage in self.stages:
            assert isinstance(stage, nn.Sequential)
            yield from stage

    def forward(self, value: Value) -> Value:
        batch = Batch.of(value, "the input")
        self._check_input(batch)
        self._check_places()
        return gather(self._engine.run(scatter(value, self.chunks)))

    def _check_input(self, batch: Batch) -> None:
        for k, x in enumerate(batch.tensors):
            if x.device != self.devices[0]:
                raise ValueError(
                    f"input {k} is on {x.device}, the first stage on {self.devices[0]}: move it with "
                    f"x.to({str(self.devices[0])!r})."
                )

    def _check_places(self) -> None:
        """Stages stay where they were put, or the copies between them go to the wrong place."""
        for j, (stage, device) in enumerate(zip(self.stages, self.devices, strict=True)):
            for name, tensor in _named_tensors(stage):
                if tensor.device != device:
                    raise RuntimeError(
                        f"{name} of stage {j} is on {tensor.device}, but the stage was put on {device}: somebody has "
                        "moved it. Make a new GPipe with devices=[...] instead."
                    )

    # A pipeline decides where its stages are.

    def _refuse(self, what: str) -> NoReturn:
        raise TypeError(
            f"GPipe.{what}: the stages have their devices already ({', '.join(map(str, self.devices))}). "
            "Make a new GPipe with devices=[...], or change dtypes before you make one."
        )

    def to(self, *args: Any, **kwargs: Any) -> GPipe:
        """Dtypes may change, devices may not."""
        device = torch._C._nn._parse_to(*args, **kwargs)[0]
        if device is not None:
            self._refuse("to")
        return super().to(*args, **kwargs)

    def cuda(self, device: Any = None) -> GPipe:
        self._refuse("cuda")

    def cpu(self) -> GPipe:
        self._refuse("cpu")


def _named_tensors(module: nn.Module) -> Iterator[tuple[str, Tensor]]:
    yield from module.named_parameters()
    yield from module.named_buffers()
