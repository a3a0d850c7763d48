"""The files of a download: a folder, a zip, or zips inside them, listed alike and read within limits.

Nothing is ever unpacked to a path that an archive names: entries are listed, and read into memory when they are
wanted. What must not be read is listed with the reason: symbolic links, devices, paths that climb out, archives within
archives within archives. The time of a file is its own in the folder, or its own in the outermost archive; the times
inside a learner's archive are the learner's, and do not count.

    with listed(Path("submissions.zip")) as items:
        items[0].path, items[0].received, items[0].read()
"""

from __future__ import annotations

import io
import os
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

MOST_BYTES = 200_000_000  # of one file, unpacked
MOST_ENTRIES = 100_000  # of one archive
DEEPEST = 2  # archives within archives
_NOISE = {"__macosx", ".ipynb_checkpoints", ".ds_store", "thumbs.db", "desktop.ini", "__pycache__", ".git"}


class Refused(Exception):
    """The file is not read. The message says why."""


@dataclass(frozen=True)
class Item:
    """One file. `path` has forward slashes and starts inside the download; `refused` says why it cannot be read."""

    path: str
    received: datetime | None
    read: Callable[[], bytes]
    refused: str = ""

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.rpartition("/")[2]

    @property
    def folders(self) -> list[str]:
        """The folders (and archives) that it lies in, outermost first."""
        return self.path.split("/")[:-1]


@contextmanager
def listed(source: Path) -> Iterator[list[Item]]:
    """All files of a folder, of an archive, or the one file. ValueError, with the reason, if it cannot be opened."""
    if source.is_dir():
        yield _opened(_in_folder(source))
    elif source.is_file() and source.suffix.lower() == ".zip":
        try:
            archive = zipfile.ZipFile(source)
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            raise ValueError(f"{source.name} is damaged, it is not a zip file: {error}") from error
        with archive:
            yield _opened(_in_archive(archive))
    elif source.is_file():
        yield [_plain(source, source.name)]
    else:
        raise ValueError(f"no such file or folder: {source}")


def is_noise(path: str) -> bool:
    """What systems leave behind: nobody handed it in."""
    parts = path.lower().split("/")
    return bool(_NOISE & set(parts)) or parts[-1].startswith("._") or parts[-1] == ""


def _in_folder(folder: Path) -> Iterator[Item]:
    for here, folders, names in os.walk(folder):
        folders.sort()
        links = [name for name in folders if (Path(here) / name).is_symlink()]
        for name in sorted([*names, *links]):
            path = Path(here) / name
            yield _plain(path, unicodedata.normalize("NFC", path.relative_to(folder).as_posix()))


def _plain(path: Path, shown: str) -> Item:
    about = path.lstat()
    refused = ""
    if stat.S_ISLNK(about.st_mode):
        refused = "it is a symbolic link: links are not followed"
    elif not stat.S_ISREG(about.st_mode):
        refused = "it is not a plain file"
    elif about.st_size > MOST_BYTES:
        refused = f"it is larger than {MOST_BYTES // 10**6} MB"
    return Item(shown, datetime.fromtimestamp(about.st_mtime, UTC), path.read_bytes, refused)


def _in_archive(archive: zipfile.ZipFile) -> Iterator[Item]:
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise ValueError(f"the archive has {len(entries)} entries: more than {MOST_ENTRIES} are not read")
    for entry in entries:
        path, refused = _entry_path(entry)
        if not path.endswith("/"):
            yield Item(path, _entry_time(entry), lambda e=entry: _read(archive, e), refused)  # type: ignore[misc]


def _entry_path(entry: zipfile.ZipInfo) -> tuple[str, str]:
    """The path as people meant it, and why the entry must not be read."""
    name = entry.orig_filename or entry.filename
    if not entry.flag_bits & 0x800:  # not marked as UTF-8, but many programs write it all the same
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    path = unicodedata.normalize("NFC", name.replace("\\", "/"))
    parts = path.split("/")
    refused = ""
    if path.startswith("/") or ".." in parts or ":" in parts[0] or "\0" in path:
        refused = "its path climbs out of the archive"
    elif stat.S_ISLNK(entry.external_attr >> 16):
        refused = "it is a symbolic link: links are not followed"
    elif entry.flag_bits & 1:
        refused = "it is protected by a password"
    shown = "/".join(part for part in parts if part not in ("", ".", "..")) or "?"
    return shown.replace("\0", "?") + ("/" if path.endswith("/") else ""), refused


def _entry_time(entry: zipfile.ZipInfo) -> datetime | None:
    """The entry's time: exact if the archive has it in UTC, else its clock time in this computer's time zone."""
    extra = entry.extra
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        if kind == 0x5455 and size >= 5 and len(extra) >= 9 and extra[4] & 1:
            return datetime.fromtimestamp(struct.unpack("<i", extra[5:9])[0], UTC)
        extra = extra[4 + size :]
    try:
        made = datetime(*entry.date_time)
        return made.astimezone(UTC) if made.year > 1980 else None  # 1980 is what stands there when nobody knew
    except (ValueError, OverflowError, OSError):
        return None


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The entry's bytes. The size that the archive states is not believed."""
    try:
        with archive.open(entry) as file:
            data = file.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError) as error:
        raise Refused(f"it cannot be unpacked: {error}") from error
    if len(data) > MOST_BYTES:
        raise Refused(f"it is larger than {MOST_BYTES // 10**6} MB when it is unpacked")
    return data


def _opened(items: Iterator[Item], depth: int = 1) -> list[Item]:
    """The items, with archives replaced by what is in them."""
    found = []
    for item in items:
        if is_noise(item.path):
            continue
        if item.refused or not item.name.lower().endswith(".zip"):
            found.append(item)
        elif depth >= DEEPEST:
            found.append(replace(item, refused="it is an archive within an archive within an archive"))
        else:
            found += _inside(item, depth)
    return found


def _inside(item: Item, depth: int) -> list[Item]:
    try:
        with zipfile.ZipFile(io.BytesIO(item.read())) as archive:
            inner = _opened(_in_archive(archive), depth + 1)
    except (Refused, zipfile.BadZipFile, ValueError, OSError) as error:
        return [replace(item, refused=f"the archive cannot be opened: {error}")]
    return [
        replace(each, path=f"{item.path}/{each.path}", received=item.received, read=_again(item, each.path))
        for each in inner
    ]


def _again(outer: Item, path: str) -> Callable[[], bytes]:
    """Reads a file of an inner archive. The archive is opened anew: hundreds of them do not fit into memory."""

    def read() -> bytes:
        with zipfile.ZipFile(io.BytesIO(outer.read())) as archive:
            for each in _in_archive(archive):
                if each.path == path and not each.refused:
                    return each.read()
        raise Refused("it is no longer there")

    return read
