"""Puts a submission into ``submitted/<student>/<lab>/`` so that nothing that came in before is lost.

- The same bytes again change nothing: the first receipt stands.
- A later submission takes the place; the one before it goes to ``earlier/`` beside it.
- An earlier one, or one that cannot be read where a readable one stands, goes to ``earlier/`` itself.
- What lies there without a receipt (put there by hand, or by ``nbgrader collect``) counts as earlier than any receipt.

A run that is stopped at any moment can be repeated: a file is moved aside before another takes its name, and the
receipt is written last.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from autograder import notebooks
from autograder.intake import receipts
from autograder.intake.choose import Candidate
from autograder.intake.receipts import EARLIER, Earlier, Receipt

NEW, REPLACED, UNCHANGED, BESIDE = "new", "replaced an earlier one", "unchanged", "kept beside a later one"


@dataclass(frozen=True)
class Standing:
    """What is in a student's folder now. `sha256` is "" if nothing, or nothing that may be read, stands there."""

    path: Path
    data: bytes
    sha256: str
    receipt: Receipt | None

    @property
    def received(self) -> datetime | None:
        """When it came in, if its receipt tells."""
        known = self.receipt is not None and self.receipt.sha256 == self.sha256
        return self.receipt.time if self.receipt and known else None

    @property
    def kept(self) -> list[Earlier]:
        """What is kept beside it."""
        return self.receipt.earlier if self.receipt else []

    @property
    def readable(self) -> bool:
        """Is it a notebook?"""
        try:
            notebooks.parse(self.data)
        except notebooks.UnreadableNotebook:
            return False
        return True

    def has(self, new: Candidate) -> bool:
        """Is this notebook here already, in its place or beside?"""
        return bool(self.sha256) and new.sha256 in {self.sha256, *(each.sha256 for each in self.kept)}


def standing(folder: Path, lab: str) -> Standing:
    """Look at a student's folder."""
    path = folder / f"{lab}.ipynb"
    plain = path.is_file() and not path.is_symlink()
    data = path.read_bytes() if plain else b""
    return Standing(path, data, hashlib.sha256(data).hexdigest() if plain else "", receipts.read(folder))


def place(folder: Path, lab: str, new: Candidate, received: datetime, source: str, dry: bool = False) -> str:
    """Put a notebook in its place or beside it; which of the four it was. With `dry`, only tell."""
    now = standing(folder, lab)
    if now.has(new) and (now.received or new.sha256 != now.sha256):
        return UNCHANGED
    if now.sha256 and new.sha256 != now.sha256:
        older = now.received is not None and received < now.received
        if older or (new.notebook is None and now.readable):
            return beside(folder, lab, new, received, source, dry)
    if not dry:
        _take_the_place(folder, now, new, received, source, now.kept)
    return NEW if not now.sha256 else UNCHANGED if now.sha256 == new.sha256 else REPLACED


def beside(folder: Path, lab: str, new: Candidate, received: datetime, source: str, dry: bool = False) -> str:
    """Keep a notebook that does not count."""
    now = standing(folder, lab)
    if now.has(new):
        return UNCHANGED
    if not dry:
        _keep_beside(folder, now, new, received)
    return BESIDE


def _take_the_place(
    folder: Path, now: Standing, new: Candidate, received: datetime, source: str, kept: list[Earlier]
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(now.path) and now.sha256 != new.sha256:
        kept = [*kept, _move_aside(folder, now)]
    receipts.replace(now.path, new.data)
    receipts.write(folder, _receipt(new, received, source, kept))


def _move_aside(folder: Path, now: Standing) -> Earlier:
    when = now.received or datetime.fromtimestamp(now.path.lstat().st_mtime, UTC)
    target = _beside(folder, when, now.sha256)
    os.replace(now.path, target)
    return Earlier(target.name, when.isoformat(), now.sha256)


def _keep_beside(folder: Path, now: Standing, new: Candidate, received: datetime) -> None:
    target = _beside(folder, received, new.sha256)
    receipts.replace(target, new.data)
    kept = Earlier(target.name, received.isoformat(), new.sha256)
    receipt = now.receipt if now.receipt and now.received else _of_what_stands(now)
    receipts.write(folder, Receipt(**(vars(receipt) | {"earlier": [*receipt.earlier, kept]})))


def _of_what_stands(now: Standing) -> Receipt:
    """A receipt for a file that came in some other way: its own time is all that is known."""
    when = datetime.fromtimestamp(now.path.stat().st_mtime, UTC)
    return Receipt(when.isoformat(), "by hand", now.path.name, now.sha256, earlier=now.kept)


def _beside(folder: Path, when: datetime, sha256: str) -> Path:
    (folder / EARLIER).mkdir(parents=True, exist_ok=True)
    stamp = when.astimezone(UTC).strftime("%Y-%m-%dT%H-%M-%SZ")
    return folder / EARLIER / f"{stamp}_{sha256[:8] or 'link'}.ipynb"


def _receipt(new: Candidate, received: datetime, source: str, kept: list[Earlier]) -> Receipt:
    handed = new.handed
    return Receipt(
        received.isoformat(), source, handed.item.path, new.sha256, handed.late, dict(handed.lms), new.notes, kept
    )
