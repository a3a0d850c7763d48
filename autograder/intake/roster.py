"""Who is in the class, and whose a download is.

The roster is ``students.csv`` in the course's folder (or ``--roster FILE``), with nbgrader's columns ``id, first_name,
last_name, email, lms_user_id`` and, if there are any, ``login`` and ``name``. It is closed: who is not in it is an
error. Without that file the students in the gradebook help to recognise people, and new ones are welcome.

Somebody is recognised by id, by the LMS's number, by login, by e-mail, and last by name, in any order of its parts and
without regard to case, accents and punctuation. A clue that fits two students is an error, never a guess.
"""

from __future__ import annotations

import csv
import difflib
import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import Course, UsageError

NAME = "students.csv"
_COLUMNS = {
    "id": ("id", "student_id", "student", "username"),
    "first": ("first_name", "firstname", "first name"),
    "last": ("last_name", "lastname", "last name", "surname"),
    "name": ("name", "full_name", "full name"),
    "email": ("email", "e-mail", "email address", "mail"),
    "login": ("login", "sis_login_id", "sis login id", "login_id"),
    "lms_id": ("lms_user_id", "canvas_id", "sid", "sis_user_id", "id number", "idnumber"),
}
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}


@dataclass(frozen=True)
class Student:
    """One line of the roster."""

    id: str
    first: str = ""
    last: str = ""
    email: str = ""
    login: str = ""
    lms_id: str = ""
    name: str = ""

    @property
    def full_name(self) -> str:
        """As people write it."""
        return self.name or f"{self.first} {self.last}".strip()


@dataclass(frozen=True)
class Clues:
    """What a download says about whose it is. `label` is how to call it in messages."""

    label: str
    ids: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()  # of the LMS
    emails: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()  # of a file's name: one of them may be an id


class Unknown(Exception):
    """Nobody, or more than one, fits. The message names them."""


@dataclass
class Roster:
    """A class. `closed`: there is nobody else."""

    students: list[Student]
    closed: bool = False
    where: str = ""
    _keys: dict[str, dict[str, set[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._keys = {kind: defaultdict(set) for kind in ("id", "number", "login", "email", "name", "bare")}
        for student in self.students:
            for kind, keys in _keys_of(student).items():
                for key in keys - {""}:
                    self._keys[kind][key].add(student.id)

    def knows(self, name: str) -> bool:
        """Is this somebody's id, login, e-mail or name?"""
        return any(key in self._keys[kind] for kind, keys in _asked(Clues(name, ids=(name,))) for key in keys)

    def find(self, clues: Clues) -> str:
        """The id of the student that the clues point to. Raises Unknown."""
        for kind, wanted in _asked(clues):
            found = set().union(*(self._keys[kind].get(key, set()) for key in wanted if key))
            if len(found) > 1:
                raise Unknown(f"{clues.label!r} may be {' or '.join(sorted(found))}: {self._remedy()}")
            if found:
                return found.pop()
        if self.closed:
            raise Unknown(f"nobody in {self.where} is {clues.label!r}{self._near(clues)}: {self._remedy()}")
        if made := safe_id(next(iter([*clues.ids, *clues.emails, *clues.names]), "")):
            return made
        raise Unknown(f"nothing tells whose {clues.label!r} is: {self._remedy()}")

    def _near(self, clues: Clues) -> str:
        names = {name: s.id for s in self.students for name in (s.id.casefold(), slug(s.full_name)) if name}
        asked = [text.casefold() for text in clues.ids] + [slug(text) for text in clues.names]
        near = {names[hit] for text in asked for hit in difflib.get_close_matches(text, names, 2, 0.8)}
        return f" (did you mean {' or '.join(sorted(near))}?)" if near else ""

    def _remedy(self) -> str:
        return "put the file into a folder named after the student's id"


def _asked(clues: Clues) -> list[tuple[str, set[str]]]:
    """Kinds of keys with what to look up in each, the surest first."""
    ids = {text.casefold() for text in clues.ids}
    return [
        ("id", ids),
        ("number", {*clues.numbers}),
        ("login", ids),
        ("email", {*ids, *(text.casefold() for text in clues.emails)}),
        ("name", {slug(text) for text in (*clues.names, *clues.ids)}),
        ("bare", {bare(text) for text in (*clues.names, *clues.ids)}),
        ("id", {text.casefold() for text in clues.parts}),
        ("login", {text.casefold() for text in clues.parts}),
    ]


def _keys_of(student: Student) -> dict[str, set[str]]:
    email = student.email.casefold()
    names = {student.name, f"{student.first} {student.last}", f"{student.last} {student.first}"}
    return {
        "id": {student.id.casefold()},
        "number": {student.lms_id},
        "login": {student.login.casefold()},
        "email": {email, email.partition("@")[0]},
        "name": {slug(name) for name in names},
        "bare": {bare(name) for name in names},
    }


def slug(name: str) -> str:
    """A name as Canvas writes it into file names: small letters and digits only.

    >>> slug("Doe, Jane")
    'doejane'
    """
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", name).casefold())


def bare(name: str) -> str:
    """Without accents, too.

    >>> bare("Müller, Zoë")
    'mullerzoe'
    """
    return slug("".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)))


def safe_id(text: str) -> str:
    """A student id that every system can have as a folder's name; "" if nothing of the text can stay.

    >>> safe_id("Ada Lovelace"), safe_id("../../etc"), safe_id("con")
    ('Ada_Lovelace', 'etc', 'con_')
    """
    plain = re.sub(r"[^\w.@+-]+", "_", unicodedata.normalize("NFC", text.strip())).strip("._ ")[:80].strip("._ ")
    first, dot, rest = plain.partition(".")
    return f"{first}_{dot}{rest}" if first.casefold() in _RESERVED else plain


def read(course: Course, path: Path | None = None) -> Roster:
    """The course's roster. UsageError names what is wrong with the file."""
    path = path or course.root / NAME
    known = _in_gradebook(course)
    if not path.is_file():
        if path != course.root / NAME:
            raise UsageError(f"no such roster: {path}")
        return Roster(known, where="the gradebook")
    listed = _from_csv(path)
    ids = {student.id for student in listed}
    return Roster([*listed, *(s for s in known if s.id in ids and s.lms_id)], closed=True, where=path.name)


def _from_csv(path: Path) -> list[Student]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: byte {error.start}. Save it as CSV UTF-8") from error
    first = text.split("\n", 1)[0]
    rows = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=first.count))
    columns = _columns(rows.fieldnames or [])
    if "id" not in columns:
        raise UsageError(f"{path} has no column id; its columns: {', '.join(rows.fieldnames or []) or 'none'}")
    made = []
    for number, row in enumerate(rows, 2):
        student = Student(**{key: (row[column] or "").strip() for key, column in columns.items()})
        if student.id and student.id != safe_id(student.id):
            raise UsageError(f"{path}, line {number}: {student.id!r} cannot be a folder's name; use an id without it")
        made += [student] if student.id else []
    return made


def _columns(names: Iterable[str]) -> dict[str, str]:
    """Our names of the columns, to those in the file."""
    by_name = {name.strip().casefold(): name for name in names if name}
    return {key: by_name[alias] for key, aliases in _COLUMNS.items() for alias in reversed(aliases) if alias in by_name}


def _in_gradebook(course: Course) -> list[Student]:
    """The students that nbgrader knows. A gradebook that is not there yet is not made."""
    where = course.db_url.removeprefix("sqlite:///")
    if where != course.db_url and not Path(where).is_file():
        return []
    from autograder import gradebook
    from autograder.course import quiet

    with quiet(), gradebook.book(course) as book:
        return [
            Student(s.id, s.first_name or "", s.last_name or "", s.email or "", lms_id=s.lms_user_id or "")
            for s in book.students
        ]
