"""Read and write IDX files, the format in which MNIST is published.

An IDX file is a header and then the values, one byte each. The header is two zero bytes, one byte for the
type of the values (8 means unsigned byte), one byte for the number of dimensions, and then each dimension
as a big-endian 32-bit number. A file whose name ends in ``.gz`` is compressed with gzip.

What it does not do: types other than unsigned bytes. MNIST needs no other.

A file that cannot be read raises ``DataError``, which names the file, what is wrong with it and the remedy.

Example::

    images = read_idx(Path("train-images-idx3-ubyte.gz"), dimensions=3)  # (60000, 28, 28), uint8
"""

from __future__ import annotations

import gzip
import math
import struct
import zlib
from pathlib import Path

import torch

UNSIGNED_BYTE = 0x08
GZIP_START = b"\x1f\x8b"
REMEDY = "Fetch the file anew, or choose another folder."


class DataError(ValueError):
    """A data file is missing or broken. The message names the file, the place and the remedy."""


def read_idx(path: Path, dimensions: int) -> torch.Tensor:
    """The values of an IDX file as a uint8 tensor with that many dimensions.

    Raises DataError when the file is no IDX file of unsigned bytes, or holds fewer or more bytes than its
    header promises; OSError when it cannot be opened.
    """
    content = _unpacked(path)
    shape = _shape(path, content, dimensions)
    start = 4 + 4 * dimensions
    promised, found = math.prod(shape), len(content) - start
    if found != promised:
        what = "is truncated" if found < promised else "is too long"
        size = " x ".join(f"{length:,}" for length in shape)
        raise DataError(
            f"{path} {what}: its header promises {size} = {promised:,} bytes of values, "
            f"but {found:,} are there. {REMEDY}"
        )
    if promised == 0:
        raise DataError(f"{path} is empty: its header promises no values. {REMEDY}")
    return torch.frombuffer(content, dtype=torch.uint8, offset=start).reshape(shape)


def write_idx(path: Path, values: torch.Tensor) -> None:
    """Write a uint8 tensor as an IDX file, compressed when the name ends in ``.gz``.

    The compressed bytes hold no time and no file name, so the same values always give the same file.
    """
    if values.dtype != torch.uint8:
        raise TypeError(f"write_idx writes unsigned bytes, but the values are {values.dtype}; use .to(torch.uint8)")
    header = struct.pack(f">HBB{values.dim()}I", 0, UNSIGNED_BYTE, values.dim(), *values.shape)
    content = header + bytes(values.cpu().contiguous().flatten().tolist())
    path.write_bytes(gzip.compress(content, compresslevel=9, mtime=0) if path.suffix == ".gz" else content)


def _unpacked(path: Path) -> bytearray:
    """The file's bytes, decompressed when its name says so. A bytearray, because tensors want writable memory."""
    raw = path.read_bytes()
    if path.suffix != ".gz":
        return bytearray(raw)
    if not raw.startswith(GZIP_START):
        raise DataError(f"{path} is not a gzip file: it starts with {raw[:4]!r}, not {GZIP_START!r}. {REMEDY}")
    try:
        return bytearray(gzip.decompress(raw))
    except EOFError:
        raise DataError(f"{path} is truncated: the gzip data stop before their end mark. {REMEDY}") from None
    except (OSError, zlib.error) as error:
        raise DataError(f"{path} is damaged: gzip says '{error}'. {REMEDY}") from None


def _shape(path: Path, content: bytearray, dimensions: int) -> tuple[int, ...]:
    """The dimensions that the header gives, once the header has proved to be the expected one."""
    length = 4 + 4 * dimensions
    wanted = bytes((0, 0, UNSIGNED_BYTE, dimensions))
    found = bytes(content[:4])
    if found != wanted:
        hint = f" This is how gzip data start: name it {path.name}.gz." if found.startswith(GZIP_START) else ""
        raise DataError(
            f"{path} is not the IDX file expected here: it starts with {found!r}, not {wanted!r} "
            f"(unsigned bytes in {dimensions} dimension{'s' * (dimensions != 1)}).{hint} {REMEDY}"
        )
    if len(content) < length:
        raise DataError(f"{path} is truncated: {len(content)} bytes are too few for the {length}-byte header. {REMEDY}")
    return struct.unpack_from(f">{dimensions}I", content, 4)
