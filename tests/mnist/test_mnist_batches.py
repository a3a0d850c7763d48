"""Batches: the quick way and the sample-by-sample way agree bit for bit, and with torchvision's data set."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch
from torch.utils.data import DataLoader

from syncpoint.mnist import Digits, Mnist, SampleDigits, load, loader

Batch = tuple[torch.Tensor, torch.Tensor]


def two_epochs(batches: DataLoader[Batch]) -> list[Batch]:
    torch.manual_seed(1)
    return [(images, labels) for _ in range(2) for images, labels in batches]


def assert_same(ours: list[Batch], theirs: list[Batch]) -> None:
    assert len(ours) == len(theirs)
    for (images, labels), (other_images, other_labels) in zip(ours, theirs, strict=True):
        assert torch.equal(images, other_images)
        assert torch.equal(labels, other_labels)
        assert (labels.dtype, other_labels.dtype) == (torch.int64, torch.int64)


@pytest.mark.parametrize("shuffle", [False, True])
def test_both_ways_give_the_same_batches(bundled: Mnist, shuffle: bool) -> None:
    split = bundled.train.first(150)
    quick = two_epochs(loader(split, 64, shuffle=shuffle))
    slow = two_epochs(loader(split, 64, shuffle=shuffle, per_sample=True))
    assert [len(labels) for _, labels in quick] == [64, 64, 22] * 2
    assert quick[0][0].shape == (64, 1, 28, 28)
    assert_same(quick, slow)


def test_torchvisions_data_set_gives_the_same_batches(small_folder: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("torchvision.datasets", reason="torchvision is not installed")
    transforms = pytest.importorskip("torchvision.transforms", reason="torchvision is not installed")
    mnist = load(small_folder)
    shutil.copytree(small_folder, tmp_path / "MNIST" / "raw")
    for file in (tmp_path / "MNIST" / "raw").glob("*.gz"):
        file.with_suffix("").touch()  # torchvision wants to see all four names, though only the training set is read
    official = datasets.MNIST(
        str(tmp_path),
        train=True,
        transform=transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))]),
    )
    assert_same(
        two_epochs(loader(mnist.train, 8, shuffle=True)),
        two_epochs(DataLoader(official, batch_size=8, shuffle=True)),
    )


def test_shuffling_changes_the_order_every_epoch_and_loses_no_image(bundled: Mnist) -> None:
    split = bundled.train.first(100)
    batches = two_epochs(loader(split, 50, shuffle=True))
    first, second = torch.cat([i for i, _ in batches[:2]]), torch.cat([i for i, _ in batches[2:]])
    assert not torch.equal(first, second)
    assert torch.equal(first.flatten(1).sum(1).sort().values, second.flatten(1).sum(1).sort().values)


def test_one_sample_is_an_image_and_a_number(bundled: Mnist) -> None:
    split = bundled.test.first(3)
    for data in (SampleDigits(split), Digits(split)):
        image, label = data[2]
        assert len(data) == 3
        assert image.shape == (1, 28, 28)
        assert label == int(split.labels[2])
        assert type(label) is int
    assert torch.equal(Digits(split)[2][0], SampleDigits(split)[2][0])
