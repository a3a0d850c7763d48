"""Save a model so that a file is either whole or not there at all.

The state dictionary is written to a temporary file beside the target and then renamed over it, which the operating
system does in one step. Whatever stops the program before that (Ctrl-C, a full disk), an older file stays as it was.

What it does not do: optimiser state, and therefore resuming.

Example::

    save_model(model, Path("mnist_cnn.pt"))
    model.load_state_dict(torch.load("mnist_cnn.pt", weights_only=True))
"""

from __future__ import annotations

import os
from pathlib import Path

import torch
from torch import nn


def save_model(model: nn.Module, path: str | Path) -> Path:
    """Write the model's state dictionary, with all tensors on the CPU so that any machine can load it."""
    target = Path(path)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    state = {name: tensor.detach().cpu() for name, tensor in model.state_dict().items()}
    try:
        with unfinished.open("wb") as file:
            torch.save(state, file)
            file.flush()
            os.fsync(file.fileno())  # the name must not reach the disk before the bytes
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)
    return target
