"""The network that every part of this course trains: two convolutions, two dropouts, two linear layers.

The layers, their sizes and their names are those of the well-known MNIST example of PyTorch, so a saved
state dictionary of that example loads here and the other way round. It has 1,199,882 parameters in 8 tensors.

What it does not do: it never chooses a device. Move it with ``.to(device)``, before the optimiser is made.

Example::

    model = Net().to(device)
    log_probabilities = model(images)  # (B, 1, 28, 28) -> (B, 10)
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    """A small convolutional network for 28 by 28 grey images of the ten digits."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, kernel_size=3)
        self.conv2 = nn.Conv2d(32, 64, kernel_size=3)
        self.dropout1 = nn.Dropout(0.25)
        self.dropout2 = nn.Dropout(0.5)
        self.fc1 = nn.Linear(64 * 12 * 12, 128)  # 9,216 features; nearly all parameters are here
        self.fc2 = nn.Linear(128, 10)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Log-probabilities of the ten digits, (B, 10), for normalised images, (B, 1, 28, 28)."""
        features = F.relu(self.conv1(images))  # (B, 32, 26, 26)
        features = F.relu(self.conv2(features))  # (B, 64, 24, 24)
        features = self.dropout1(F.max_pool2d(features, 2))  # (B, 64, 12, 12)
        hidden = F.relu(self.fc1(features.flatten(1)))  # (B, 128)
        scores = self.fc2(self.dropout2(hidden))  # (B, 10)
        return F.log_softmax(scores, dim=1)
