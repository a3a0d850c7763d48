"""What was received when: ``receipt.json`` beside a submission.

It is written by intake and never taken from a submission, so its time can be trusted for late days; nbgrader reads the
same time from ``timestamp.txt``. Exports read from it which number a student has in the LMS, and feedback what was
mended when the file came in.

    {"received": "2026-11-29T10:00:00+00:00", "source": "canvas", "file": "doejane_12_34_lab.ipynb",
     "sha256": "...", "late": false, "lms": {"canvas": "12"}, "notes": [...], "earlier": [{"file": "...", ...}]}
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

NAME = "receipt.json"
EARLIER = "earlier"  # the folder beside a submission that keeps those before it


@dataclass(frozen=True)
class Earlier:
    """A submission that does not count, kept in `EARLIER`."""

    file: str
    received: str
    sha256: str


@dataclass(frozen=True)
class Receipt:
    """What is known about a submission that came in by `autograder intake`."""

    received: str
    source: str
    file: str
    sha256: str
    late: bool | None = None
    lms: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    earlier: list[Earlier] = field(default_factory=list)

    @property
    def time(self) -> datetime:
        """When it was received."""
        return datetime.fromisoformat(self.received)


def read(folder: Path) -> Receipt | None:
    """The receipt of the submission in this folder; None if there is none, or none that can be read."""
    path = folder / NAME
    if path.is_symlink() or not path.is_file():
        return None
    try:
        data: dict[str, Any] = json.loads(path.read_bytes())
        earlier = [Earlier(**each) for each in data.pop("earlier", [])]
        receipt = Receipt(**data, earlier=earlier)
        return receipt if receipt.time.tzinfo else None
    except (ValueError, TypeError, AttributeError, OSError, RecursionError):
        return None


def write(folder: Path, receipt: Receipt) -> None:
    """Write the receipt, whole or not at all, and the time for nbgrader."""
    stamp = receipt.time.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC")
    replace(folder / "timestamp.txt", stamp.encode("ascii"))
    replace(folder / NAME, (json.dumps(asdict(receipt), indent=1, ensure_ascii=False) + "\n").encode("utf-8"))


def replace(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all. A link that stands there is replaced, not followed."""
    beside = path.with_name(path.name + ".part")
    beside.unlink(missing_ok=True)
    beside.write_bytes(data)
    os.replace(beside, path)
