"""IDX files: what is written is read, and every broken file is named with what is wrong."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import torch

from syncpoint.mnist import DataError, read_idx, write_idx


@pytest.fixture
def values() -> torch.Tensor:
    return torch.arange(3 * 4 * 5, dtype=torch.uint8).reshape(3, 4, 5)


@pytest.mark.parametrize("name", ["images", "images.gz"])
def test_what_is_written_is_read(tmp_path: Path, values: torch.Tensor, name: str) -> None:
    write_idx(tmp_path / name, values)
    back = read_idx(tmp_path / name, dimensions=3)
    assert back.dtype == torch.uint8
    assert torch.equal(back, values)


def test_the_bytes_are_those_of_the_published_format(tmp_path: Path) -> None:
    write_idx(tmp_path / "labels", torch.tensor([5, 0, 4], dtype=torch.uint8))
    assert (tmp_path / "labels").read_bytes() == bytes([0, 0, 8, 1, 0, 0, 0, 3, 5, 0, 4])


def test_a_view_is_written_in_its_own_order(tmp_path: Path, values: torch.Tensor) -> None:
    write_idx(tmp_path / "v", values.transpose(0, 2)[::2])
    assert torch.equal(read_idx(tmp_path / "v", dimensions=3), values.transpose(0, 2)[::2])


def test_the_same_values_give_the_same_compressed_file(tmp_path: Path, values: torch.Tensor) -> None:
    write_idx(tmp_path / "one.gz", values)
    write_idx(tmp_path / "two.gz", values)
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()


def test_only_unsigned_bytes_are_written(tmp_path: Path, values: torch.Tensor) -> None:
    with pytest.raises(TypeError, match="torch.int64"):
        write_idx(tmp_path / "v", values.long())


@pytest.mark.parametrize("name", ["cut", "cut.gz"])
def test_a_file_cut_anywhere_is_named(tmp_path: Path, values: torch.Tensor, name: str) -> None:
    path = tmp_path / name
    write_idx(path, values)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(DataError) as error:
            read_idx(path, dimensions=3)
        assert str(path) in str(error.value)
    assert "truncated" in str(error.value)  # the longest cut: one byte is missing


def test_a_flipped_bit_in_a_compressed_file_never_changes_a_value(tmp_path: Path, values: torch.Tensor) -> None:
    path = tmp_path / "flipped.gz"
    write_idx(path, values)
    whole = path.read_bytes()
    messages = []
    for position in range(len(whole)):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 0x10]) + whole[position + 1 :])
        try:
            assert torch.equal(read_idx(path, dimensions=3), values)  # a bit that gzip does not use
        except DataError as error:
            messages.append(str(error))
    assert len(messages) > len(whole) // 2
    assert all(message.startswith(str(path)) for message in messages)


BROKEN = {
    "labels where images belong": (bytes([0, 0, 8, 1, 0, 0, 0, 1, 7]), "not the IDX file expected"),
    "floats": (bytes([0, 0, 13, 3]) + bytes(12), "unsigned bytes in 3 dimensions"),
    "a web page": (b"<!DOCTYPE html>", "starts with b'<!DO'"),
    "gzip without .gz": (gzip.compress(b"x"), "name it broken.gz"),
    "an empty file": (b"", "starts with b''"),
    "half a header": (bytes([0, 0, 8, 3, 0, 0]), "too few for the 16-byte header"),
    "one value short": (bytes([0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 9, 9, 9]), "1 x 2 x 2 = 4 bytes"),
    "one value long": (bytes([0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 9]), "is too long"),
    "no images": (bytes([0, 0, 8, 3]) + bytes(4) + bytes([0, 0, 0, 28, 0, 0, 0, 28]), "is empty"),
    "a huge count": (bytes([0, 0, 8, 3]) + b"\xff" * 12, "is truncated"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_says_what_is_wrong(tmp_path: Path, case: str) -> None:
    content, message = BROKEN[case]
    path = tmp_path / "broken"
    path.write_bytes(content)
    with pytest.raises(DataError) as error:
        read_idx(path, dimensions=3)
    assert str(path) in str(error.value)
    assert message in str(error.value)
    assert "Fetch the file anew" in str(error.value)


def test_a_name_ending_in_gz_must_be_gzip(tmp_path: Path) -> None:
    path = tmp_path / "page.gz"
    path.write_bytes(b"<!DOCTYPE html>")
    with pytest.raises(DataError, match="not a gzip file: it starts with b'<!DO'"):
        read_idx(path, dimensions=3)
