"""Whose each file of a download is, by the names and the metadata that Canvas, Moodle and Gradescope give it.

| from | how it is recognised |
|---|---|
| Gradescope | ``submission_metadata.yml`` beside folders ``submission_<id>/`` |
| Moodle | a folder or file ``<Full Name>_<participant>_assignsubmission_file_...`` |
| Canvas | files ``<name>[_LATE]_<user id>_<attachment id>_<file>`` |
| plain | anything else: a folder named after the student, or the student's name in the file's name |

Formats and their sources: Canvas's content_zipper.rb, Moodle's mod/assign/classes/downloader.php, and, for
Gradescope's download, programs that read it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from autograder.intake.files import Item, Refused
from autograder.intake.roster import Clues

KINDS = ("canvas", "moodle", "gradescope", "plain")
_CANVAS = re.compile(r"^(?P<name>.*?)(?:_(?P<late>LATE))?_(?P<user>\d+)_(?P<attachment>\d+)_(?P<file>.+)$")
_CANVAS_ANONYMOUS = re.compile(r"^(?:(?P<late>LATE)_)?anon_(?P<user>[^_]+)_(?P<attachment>\d+)_(?P<file>.+)$")
_MOODLE = re.compile(r"^(?P<name>.+)_(?P<participant>\d+)_assignsubmission_(?P<plugin>file|onlinetext)_?(?P<file>.*)$")
_NUMBERED = re.compile(r"^(?P<stem>.*?)(?:\s*\((?P<copy>\d+)\)|-(?P<again>\d+))?$")
_COPY_OF = re.compile(r"^(?:copy of |kopie von |copie de |copia de )+", re.IGNORECASE)
_METADATA = "submission_metadata.yml"
_MOST_METADATA = 50_000_000  # bytes


@dataclass(frozen=True)
class Handed:
    """A file and what the download says about it. `name` is the file's name as the learner gave it."""

    item: Item
    clues: Clues
    name: str
    received: datetime | None
    late: bool | None = None  # as the LMS says; None: it does not
    lms: dict[str, str] = field(default_factory=dict)  # {"canvas": user id} or {"moodle": participant}

    @property
    def attempt(self) -> int:
        """The number that browsers and Canvas add to a name that is there already: 'p1 (1).ipynb', 'p1-2.ipynb'."""
        found = _NUMBERED.match(stem(self.name))
        return int((found and (found["copy"] or found["again"])) or 0)


def stem(name: str) -> str:
    """A notebook's name without ``.ipynb`` and what browsers hang on to it."""
    return re.sub(r"\.ipynb(\.(txt|json))?$", "", name, flags=re.IGNORECASE)


def is_notebook(name: str) -> bool:
    """Does the name say that this is a notebook? In any case, and with what browsers hang on to it."""
    return stem(name) != name


def plain_stem(name: str) -> str:
    """A notebook's name without numbers of copies and "Copy of".

    >>> plain_stem("Copy of 01_lab (2).ipynb")
    '01_lab'
    """
    found = _NUMBERED.match(_COPY_OF.sub("", stem(name)))
    return found["stem"] if found else name


def recognise(items: list[Item]) -> str:
    """Which LMS a download comes from."""
    if any(item.name == _METADATA for item in items):
        return "gradescope"
    if any(_MOODLE.match(part) for item in items for part in item.path.split("/")):
        return "moodle"
    flat = [part for item in items if (part := _canvas_part(item))]
    return "canvas" if flat and 2 * len(flat) >= len(items) else "plain"


def handed_in(
    items: list[Item], kind: str, lab: str, knows: Callable[[str], bool] = lambda name: False
) -> tuple[list[Handed], list[tuple[str, str]]]:
    """Every file with its clues, and (path, reason) for those that belong to nobody.

    `knows` tells whether a folder's name is a student's.
    """
    if kind == "gradescope":
        return _gradescope(items)
    if kind == "plain":
        wrapper = _wrapper(items, lab, knows)
        return [_plain(item, lab, wrapper) for item in items], []
    made, strange = [], []
    for item in items:
        handed = _canvas(item) if kind == "canvas" else _moodle(item)
        if handed:
            made.append(handed)
        else:
            strange.append((item.path, f"its name is not one that {kind.title()} gives"))
    return made, strange


def _canvas_part(item: Item) -> re.Match[str] | None:
    """The part of the path that Canvas named: the file, or the learner's archive around it."""
    for part in item.path.split("/"):
        if found := _CANVAS_ANONYMOUS.match(part) or _CANVAS.match(part):
            return found
    return None


def _canvas(item: Item) -> Handed | None:
    found = _canvas_part(item)
    if not found:
        return None
    name = found.groupdict().get("name") or ""
    clues = Clues(name or found["user"], numbers=(found["user"],), names=(name,) if name else (found["user"],))
    own = found["file"] if item.path.endswith(found.group(0)) else item.name
    lms = {"canvas": found["user"]}
    return Handed(item, clues, own, item.received, late=bool(found["late"]), lms=lms)


def _moodle(item: Item) -> Handed | None:
    for part in item.path.split("/"):
        if found := _MOODLE.match(part):
            name = found["name"].replace("_", " ").strip()
            number = found["participant"]
            blind = name.casefold() == "participant"
            # The number is the assignment's own count of participants: no roster has it.
            names = () if blind else (name,)
            clues = Clues(f"{name} {number}" if blind else name, (f"{name}{number}",) if blind else (), names=names)
            own = found["file"] if part == item.name and found["file"] else item.name
            return Handed(item, clues, own, item.received, lms={"moodle": number})
    return None


def _gradescope(items: list[Item]) -> tuple[list[Handed], list[tuple[str, str]]]:
    """Group work is handed in by each of its members."""
    made: list[Handed] = []
    strange: list[tuple[str, str]] = []
    about: dict[str, Any] = {}
    for item in (item for item in items if item.name == _METADATA):
        above = "/".join(item.folders)
        try:
            about |= {f"{above}/{key}".lstrip("/"): value for key, value in _yaml(item).items()}
        except ValueError as error:
            strange.append((item.path, str(error)))
    for item in (item for item in items if item.name != _METADATA):
        parts = item.path.split("/")
        entry = next((about[key] for n in range(len(parts), 0, -1) if (key := "/".join(parts[:n])) in about), None)
        people = _submitters(entry)
        received = _time(entry.get(":created_at")) if isinstance(entry, dict) else None
        made += [Handed(item, clues, item.name, received or item.received) for clues in people]
        if not people:
            strange.append((item.path, f"{_METADATA} does not say whose it is"))
    return made, strange


def _yaml(item: Item) -> dict[str, Any]:
    import yaml

    try:
        data = yaml.safe_load(item.read()[:_MOST_METADATA])
    except (yaml.YAMLError, Refused, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise ValueError(f"it cannot be read: {str(error).splitlines()[0]}") from error
    if not isinstance(data, dict):
        raise ValueError("it cannot be read: no submissions are listed in it")
    return {str(key): value for key, value in data.items()}


def _submitters(entry: Any) -> list[Clues]:
    people = entry.get(":submitters") if isinstance(entry, dict) else None
    made = []
    for person in people if isinstance(people, list) else []:
        if isinstance(person, dict):
            name, sid, email = (str(person.get(key) or "").strip() for key in (":name", ":sid", ":email"))
            ids = tuple(text for text in (sid,) if text)
            made.append(
                Clues(
                    name or email or sid,
                    ids=ids,
                    numbers=ids,
                    emails=(email,) if email else (),
                    names=(name,) if name else (),
                )  # fmt: skip
            )
    return [clues for clues in made if clues.label]


def _time(value: Any) -> datetime | None:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", value.strip()).replace(" Z", "Z"))
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _wrapper(items: list[Item], lab: str, knows: Callable[[str], bool]) -> int:
    """How many outer folders all files share that are not a student's: ``downloads/ada/...``, ``downloads/bob/...``."""
    depth = 0
    while items and all(len(item.folders) > depth + 1 for item in items):
        here = {item.folders[depth] for item in items}
        below = {item.folders[depth + 1].casefold() for item in items if is_notebook(item.name)}
        archive = any(part.lower().endswith(".zip") for part in here | below)
        if len(here) > 1 or len(below) < 2 or lab.casefold() in below or archive or any(map(knows, here)):
            break
        depth += 1
    return depth


def _plain(item: Item, lab: str, wrapper: int) -> Handed:
    """The student's folder, else what is left of the file's name without the lab's."""
    folders = [f for f in item.folders[wrapper:] if f.casefold() not in (lab.casefold(), "submitted")]
    if folders:
        whose, parts = re.sub(r"\.zip$", "", folders[0], flags=re.IGNORECASE), []
    else:
        rest = re.sub(re.escape(lab), " ", plain_stem(item.name), flags=re.IGNORECASE)
        whose = re.sub(r"^[\s_.-]+|[\s_.-]+$", "", _COPY_OF.sub("", rest))
        parts = [part for part in re.split(r"\s+-\s+|_+|\s+", whose) if part != whose]
    ids = (whose,) if re.search(r"\w", whose) else ()
    return Handed(item, Clues(whose or item.path, ids=ids, parts=tuple(parts)), item.name, item.received)
