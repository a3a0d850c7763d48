"""What the tests of MNIST share: a small part of the bundled images, and the full set where a machine has it."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from syncpoint.mnist import Mnist, load, write_idx
from syncpoint.mnist.data import BUNDLED, FILES

FULL_SET = Path(__file__).parents[3] / "shared" / "data" / "mnist"


@pytest.fixture(scope="session")
def bundled() -> Mnist:
    return load(BUNDLED)


@pytest.fixture(scope="session")
def full_folder() -> Path:
    if not FULL_SET.is_dir():
        pytest.skip(f"the full MNIST set is not in {FULL_SET}")
    return FULL_SET


@pytest.fixture
def small_folder(tmp_path: Path, bundled: Mnist) -> Path:
    """Four IDX files with 30 training and 20 test images: two plain, two compressed."""
    folder = tmp_path / "small set"  # the blank is deliberate
    folder.mkdir()
    for name, split, suffix in (("train", bundled.train.first(30), ""), ("test", bundled.test.first(20), ".gz")):
        write_idx(folder / (FILES[name, "images"] + suffix), split.images)
        write_idx(folder / (FILES[name, "labels"] + suffix), split.labels.to(torch.uint8))
    return folder
