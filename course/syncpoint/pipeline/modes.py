"""What PyTorch keeps for each thread: a stage must find it as the caller of the pipeline left it.

A stage may run in a worker's thread, or once more in the backward pass. Whether gradients are recorded, whether
inference mode is on and what autocast does belongs to the calling thread at the time of the call.

What it does not do: the default device and dtype, and hooks.

>>> with torch.no_grad():
...     modes = Modes({"cpu"})
>>> with modes.entered():
...     torch.is_grad_enabled()
False
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

import torch

__all__ = ["Autocast", "Modes"]


class Autocast:
    """The state of autocast for some types of devices."""

    def __init__(self, device_types: Iterable[str]) -> None:
        self._states = [
            (kind, torch.is_autocast_enabled(kind), torch.get_autocast_dtype(kind), torch.is_autocast_cache_enabled())
            for kind in sorted({"cpu", *device_types})
            if torch.amp.is_autocast_available(kind)
        ]

    @contextmanager
    def entered(self) -> Iterator[None]:
        """A block with this state, switched off where it was off."""
        with ExitStack() as stack:
            for kind, on, dtype, cache in self._states:
                if on or torch.is_autocast_enabled(kind):
                    stack.enter_context(torch.autocast(kind, dtype=dtype, enabled=on, cache_enabled=cache))
            yield


class Modes:
    """The same, with grad mode and inference mode."""

    def __init__(self, device_types: Iterable[str]) -> None:
        self.grad, self.inference = torch.is_grad_enabled(), torch.is_inference_mode_enabled()
        self.autocast = Autocast(device_types)

    @contextmanager
    def entered(self) -> Iterator[None]:
        with torch.inference_mode(self.inference), torch.set_grad_enabled(self.grad), self.autocast.entered():
            yield
