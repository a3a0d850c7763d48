"""A saved model is whole or absent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from syncpoint.mnist import Net, save_model


def test_a_saved_model_loads_with_the_safe_loader(tmp_path: Path) -> None:
    model, other = Net(), Net()
    path = save_model(model, tmp_path / "m.pt")
    other.load_state_dict(torch.load(path, weights_only=True))
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), other.parameters(), strict=True))
    assert [file.name for file in tmp_path.iterdir()] == ["m.pt"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError("no space left on device")])
@pytest.mark.parametrize("older", [True, False])
def test_a_write_that_stops_half_way_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: Any, older: bool
) -> None:
    def half(state: Any, file: Any) -> None:
        file.write(b"half a model")
        raise stop

    path = tmp_path / "m.pt"
    if older:
        path.write_bytes(b"an older model")
    monkeypatch.setattr(torch, "save", half)
    with pytest.raises(type(stop) if isinstance(stop, Exception) else stop):
        save_model(Net(), path)
    left = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert left == ({"m.pt": b"an older model"} if older else {})
