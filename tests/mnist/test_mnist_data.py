"""Where MNIST is found, what is refused, and that pixels become the numbers torchvision makes of them."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import shutil
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import torch

from syncpoint.mnist import DataError, Mnist, load, normalise, write_idx
from syncpoint.mnist.bundle import bundle
from syncpoint.mnist.data import BUNDLED, FILES


def test_the_bundled_part_has_10000_and_2000_real_looking_images(bundled: Mnist) -> None:
    assert bundled.train.images.shape == (10_000, 28, 28)
    assert bundled.test.images.shape == (2_000, 28, 28)
    assert bundled.train.images.dtype == torch.uint8
    assert bundled.train.labels.dtype == torch.int64
    for split in (bundled.train, bundled.test):
        shares = split.labels.bincount(minlength=10) / len(split)
        assert shares.min() > 0.07
        assert shares.max() < 0.13
    assert "the bundled part of MNIST: 10,000 training and 2,000 test images" in bundled.origin


def test_the_bundled_part_is_two_of_twelve_and_two_of_ten_of_the_full_set(bundled: Mnist, full_folder: Path) -> None:
    full = load(full_folder)
    assert (len(full.train), len(full.test)) == (60_000, 10_000)
    for part, whole, block in ((bundled.train, full.train, 12), (bundled.test, full.test, 10)):
        for offset in (0, 1):
            assert torch.equal(part.images[offset::2], whole.images[offset::block])
            assert torch.equal(part.labels[offset::2], whole.labels[offset::block])


def test_bundling_writes_what_loading_reads(small_folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "bundled"
    target.mkdir()
    bundle(small_folder, target)
    full, part = load(small_folder), load(target)
    assert torch.equal(part.train.images, full.train.images[[0, 1, 12, 13, 24, 25]])
    assert torch.equal(part.test.labels, full.test.labels[[0, 1, 10, 11]])


def test_the_bundled_part_states_origin_and_licence() -> None:
    text = (BUNDLED / "README.md").read_text(encoding="utf-8")
    for needed in ("Yann LeCun", "Corinna Cortes", "Burges", "CC BY-SA 3.0", "https://keras.io/api/datasets/mnist/"):
        assert needed in text


def test_the_bundled_files_stay_about_two_megabytes() -> None:
    assert sum(file.stat().st_size for file in BUNDLED.iterdir()) < 2_200_000


def test_normalise_is_bit_identical_to_torchvision(bundled: Mnist) -> None:
    transforms = pytest.importorskip("torchvision.transforms", reason="torchvision is not installed")
    image_of = pytest.importorskip("PIL.Image", reason="Pillow is not installed").fromarray
    official = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])
    every_grey = torch.arange(784).remainder(256).to(torch.uint8).reshape(28, 28)
    images = torch.cat([every_grey[None], bundled.test.images[:50]])
    ours = normalise(images)
    assert ours.shape == (51, 1, 28, 28)
    assert ours.dtype == torch.float32
    for image, mine in zip(images, ours, strict=True):
        assert torch.equal(mine, official(image_of(image.numpy())))
        assert torch.equal(mine, normalise(image))


def test_normalise_leaves_its_argument_alone(bundled: Mnist) -> None:
    before = bundled.test.images[:3].clone()
    normalise(bundled.test.images[:3])
    assert torch.equal(before, bundled.test.images[:3])


def test_normalised_pixels_have_mean_0_and_deviation_1(bundled: Mnist) -> None:
    """It also shows that the bundled part is as bright as the full set: every 6th image would be 0.025 too pale."""
    pixels = normalise(bundled.train.images)
    assert abs(float(pixels.mean())) < 0.01
    assert abs(float(pixels.std()) - 1) < 0.01


def test_a_folder_of_plain_and_compressed_files(small_folder: Path) -> None:
    mnist = load(str(small_folder))
    assert (len(mnist.train), len(mnist.test)) == (30, 20)
    assert mnist.folder == small_folder
    assert str(small_folder) in mnist.origin


def test_plain_files_win_over_compressed_ones(small_folder: Path, bundled: Mnist) -> None:
    write_idx(small_folder / (FILES["test", "labels"]), (bundled.test.labels[:20] + 1).remainder(10).to(torch.uint8))
    assert torch.equal(load(small_folder).test.labels, (bundled.test.labels[:20] + 1).remainder(10))


@pytest.mark.parametrize("asked", ["", "data", "data/MNIST/raw"])
def test_torchvisions_layout_is_found_by_name_and_by_default(
    small_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    raw = tmp_path / "data" / "MNIST" / "raw"
    shutil.copytree(small_folder, raw)
    monkeypatch.chdir(tmp_path)
    assert len(load(asked or None).train) == 30


def test_the_folder_above_is_searched_too(small_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(small_folder, tmp_path / "data" / "MNIST" / "raw")
    (tmp_path / "labs").mkdir()
    monkeypatch.chdir(tmp_path / "labs")
    assert len(load().train) == 30


def test_without_any_folder_the_bundled_part_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "labs").mkdir()
    monkeypatch.chdir(tmp_path / "labs")
    assert load().folder == BUNDLED


@pytest.mark.parametrize(("split", "part"), FILES)
def test_each_missing_file_is_named_with_the_place_and_the_remedy(small_folder: Path, split: str, part: str) -> None:
    for file in small_folder.glob(FILES[split, part] + "*"):
        file.unlink()
    with pytest.raises(DataError) as error:
        load(small_folder)
    message = str(error.value)
    assert f"The {split} {part} are missing" in message
    assert FILES[split, part] in message
    assert str(small_folder) in message
    assert "--download" in message


def test_an_unfinished_torchvision_folder_is_named(
    small_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Falling back to the bundled part in silence would train on other data than the learner believes."""
    raw = tmp_path / "data" / "MNIST" / "raw"
    shutil.copytree(small_folder, raw)
    (raw / FILES["train", "labels"]).unlink()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match="The train labels are missing"):
        load()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="There is no folder .*nowhere"):
        load(tmp_path / "nowhere")


def test_images_and_labels_of_different_number(small_folder: Path) -> None:
    write_idx(small_folder / FILES["train", "labels"], torch.zeros(29, dtype=torch.uint8))
    with pytest.raises(DataError, match="holds 30 images, but .*train-labels-idx1-ubyte holds 29 labels"):
        load(small_folder)


def test_a_label_that_is_no_digit(small_folder: Path) -> None:
    write_idx(small_folder / FILES["train", "labels"], torch.full((30,), 10, dtype=torch.uint8))
    with pytest.raises(DataError, match="train-labels-idx1-ubyte holds the label 10"):
        load(small_folder)


def test_images_of_another_size(small_folder: Path) -> None:
    write_idx(small_folder / FILES["train", "images"], torch.zeros(30, 32, 32, dtype=torch.uint8))
    with pytest.raises(DataError, match=r"train-images-idx3-ubyte holds images of \(32, 32\) pixels"):
        load(small_folder)


def test_first_never_gives_more_than_there_is(bundled: Mnist) -> None:
    assert len(bundled.test.first(7)) == 7
    assert len(bundled.test.first(5000)) == 2000


def test_a_download_without_torchvision_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torchvision.datasets", None)
    with pytest.raises(DataError, match="pip install torchvision"):
        load(tmp_path, download=True)


class SilentHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextlib.contextmanager
def web_server(folder: Path) -> Iterator[str]:
    """The folder's address on a web server of this process."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(SilentHandler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def test_a_download_by_torchvision(full_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """torchvision's own download from a web server of our own.

    The checksums are those of the files at hand: the same images can be compressed in more than one way.
    """
    datasets = pytest.importorskip("torchvision.datasets", reason="torchvision is not installed")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with web_server(full_folder) as address:
        files = [f"{name}.gz" for name in FILES.values()]
        sums = [hashlib.md5((full_folder / file).read_bytes()).hexdigest() for file in files]
        monkeypatch.setattr(datasets.MNIST, "mirrors", [address])
        monkeypatch.setattr(datasets.MNIST, "resources", list(zip(files, sums, strict=True)))
        load(tmp_path / "new", download=True)
    mnist = load(tmp_path / "new", download=True)  # the server is gone: what is complete is left alone
    assert (len(mnist.train), len(mnist.test)) == (60_000, 10_000)
    assert mnist.folder == tmp_path / "new" / "MNIST" / "raw"


def test_a_download_that_fails_names_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = pytest.importorskip("torchvision.datasets", reason="torchvision is not installed")
    monkeypatch.setattr(datasets.MNIST, "mirrors", [(tmp_path / "no such mirror").as_uri() + "/"])
    with pytest.raises(DataError, match="The download of MNIST into .*new failed"):
        load(tmp_path / "new", download=True)
