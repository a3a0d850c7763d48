"""One epoch over the full set: at least 98 % right, on cpu and on sim alike. Minutes, so marked slow."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import torch

import syncpoint as sp
from syncpoint.mnist import Net, evaluate, load, loader, train_epoch


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cpu", "sim"])
def test_one_epoch_reaches_98_percent(full_folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("SYNCPOINT_DEVICE", name)
    device = sp.device(quiet=True)
    mnist = load(full_folder)
    torch.manual_seed(1)
    model = Net().to(device)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    with sp.trace(device) as training:
        result = train_epoch(model, device, loader(mnist.train, 64, shuffle=True), optimizer)
    with sp.trace(device) as testing:
        tested = evaluate(model, device, loader(mnist.test, 1000, shuffle=False))
    print(f"{name}: {tested}")
    assert result.batches == 938
    assert tested.images == 10_000
    assert tested.accuracy >= 0.98
    if name == "sim":
        assert Counter(wait.kind for wait in training.waits) == {"copy": 1876, "value read": 94}
        assert sum(copy.blocking for copy in training.copies) == 1876
        assert len(testing.waits) == 40
