"""What all processes of one submission hold together. The kernel's own limits count each process for itself.

    watch = Watch(Rights(memory_bytes=1 << 30), ("/tmp",))
    watch.too_much()            # "" or, in words, what there is too much of

It is asked now and then by a process that stands beside the submission, so a bomb may be a few hundred megabytes over
before it is stopped. Shared pages count once (the kernel's "proportional set size").
"""

from __future__ import annotations

import contextlib
import os
import resource
from pathlib import Path

from autograder.inside.cage import Rights

_PAGE = resource.getpagesize()


class Watch:
    """Looks at every process of this process namespace and of those below it. Made before the submission starts."""

    def __init__(self, rights: Rights, folders: tuple[str, ...]) -> None:
        self._rights, self._folders = rights, folders
        self._depth = _depth("self")
        self._memory = rights.memory_bytes + _resident("self")  # what the submission starts with is not its own

    def too_much(self) -> str:
        """Why the submission has to be stopped; "" if it has not."""
        if _in_files(self._folders) > self._rights.file_bytes + _PAGE:
            return f"its files were larger than {self._rights.file_bytes >> 20:,} MB together"
        held = [name for name in os.listdir("/proc") if name.isdigit() and _depth(name) >= self._depth]
        if sum(map(_resident, held)) > self._memory and self._really(held):
            return f"its processes together used more than {self._rights.memory_bytes >> 20:,} MB of memory"
        return ""

    def _really(self, held: list[str]) -> bool:
        """Whether they hold too much when shared pages count once. The kernel walks all pages to tell: 10 to 30 ms."""
        sum_ = 0
        for process in sorted(held, key=_resident, reverse=True):
            sum_ += _share(process)
            if sum_ > self._memory:
                return True
        return False


def _in_files(folders: tuple[str, ...]) -> int:
    """Bytes in use on the file systems of these folders, each one once."""
    systems = {os.stat(folder).st_dev: os.statvfs(folder) for folder in folders}
    return sum((found.f_blocks - found.f_bfree) * found.f_frsize for found in systems.values())


def _read(process: str, name: str) -> str:
    """A file of a process; "" if the process has ended."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path("/proc", process, name).read_text(encoding="utf-8", errors="replace")
    return ""


def _depth(process: str) -> int:
    """In how many process namespaces it has a number, as far as /proc here shows; 0 if it has ended."""
    lines = [line for line in _read(process, "status").splitlines() if line.startswith("NSpid:")]
    return len(lines[0].split()) - 1 if lines else 0


def _resident(process: str) -> int:
    words = _read(process, "statm").split()
    return int(words[1]) * _PAGE if words else 0


def _share(process: str) -> int:
    """Its memory, in the swap space, too; a page of n processes counts 1/n. One that hides it counts in full."""
    try:
        lines = _read(process, "smaps_rollup").splitlines()
    except PermissionError:
        return _resident(process)
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(("Pss:", "SwapPss:")))
