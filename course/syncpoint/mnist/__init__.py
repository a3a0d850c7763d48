"""MNIST from the files to a trained network: the example that the labs take apart and make faster.

Ordinary PyTorch that runs unchanged on cpu, sim, cuda and mps; it needs torch and nothing else.
``python -m syncpoint.mnist`` runs it all from a terminal (``--help`` lists the flags).

- ``Net``: the network, 1,199,882 parameters.
- ``load``: the data. ``loader``: batches of them, ready for the network.
- ``train_epoch``, ``evaluate``: the two loops, with every wait of the well-known example.
- ``move_in``, ``Cut``, ``train_fast``, ``evaluate_fast``, ``read_epoch``: the same epoch with one wait.
- ``save_model``: a file that is whole or absent.

What it does not do: augmentation, several devices, resuming.

Example::

    from syncpoint import mnist
    digits = mnist.load()
    model = mnist.Net().to(device)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    mnist.train_epoch(model, device, mnist.loader(digits.train, 64, shuffle=True), optimizer)
    print(mnist.evaluate(model, device, mnist.loader(digits.test, 1000, shuffle=False)))
"""

from syncpoint.mnist.batches import Digits, SampleDigits, loader
from syncpoint.mnist.data import BUNDLED, MEAN, STD, Mnist, Split, load, normalise
from syncpoint.mnist.fast import (
    Cut,
    Resident,
    evaluate_fast,
    fast_optimizer,
    loader_order,
    move_in,
    read_epoch,
    send,
    train_fast,
)
from syncpoint.mnist.idx import DataError, read_idx, write_idx
from syncpoint.mnist.model import Net
from syncpoint.mnist.progress import watch
from syncpoint.mnist.save import save_model
from syncpoint.mnist.train import EvalResult, LoggedLoss, TrainResult, evaluate, train_epoch

__all__ = [
    "BUNDLED",
    "Cut",
    "DataError",
    "Digits",
    "EvalResult",
    "LoggedLoss",
    "MEAN",
    "Mnist",
    "Net",
    "Resident",
    "STD",
    "SampleDigits",
    "Split",
    "TrainResult",
    "evaluate",
    "evaluate_fast",
    "fast_optimizer",
    "load",
    "loader",
    "loader_order",
    "move_in",
    "normalise",
    "read_epoch",
    "read_idx",
    "save_model",
    "send",
    "train_epoch",
    "train_fast",
    "watch",
    "write_idx",
]
