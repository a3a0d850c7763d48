"""A CSV file of which every byte stays as it is, except in the cells that are set.

The csv module gives the values but loses how they were written: quotes, line ends, a byte order mark, blank lines. An
LMS wrote the file and will read it again, so all of that stays.

    >>> table = Table.parse('Name;Grade\\r\\n"Doe, J";\\r\\n'.encode())
    >>> table.rows[1]
    ['Doe, J', '']
    >>> table.set(1, 1, "2.5"); table.bytes()
    b'Name;Grade\\r\\n"Doe, J";2.5\\r\\n'
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from autograder.course import UsageError

_SIGNS = ",;\t"


@dataclass
class Table:
    """Raw fields by row, and what ends each row."""

    fields: list[list[str]]
    ends: list[str]
    delimiter: str
    mark: bytes = b""  # a byte order mark

    @classmethod
    def parse(cls, data: bytes) -> Table:
        """Read a file in UTF-8. UsageError if it is not."""
        mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        try:
            text = data[len(mark) :].decode("utf-8")
        except UnicodeDecodeError as error:
            raise UsageError(f"the file is not UTF-8: byte {error.start}. Export it again as UTF-8") from error
        delimiter = _delimiter(text)
        fields, ends = _split(text, delimiter)
        return cls(fields, ends, delimiter, mark)

    @cached_property
    def rows(self) -> list[list[str]]:
        """The values, as the csv module reads them."""
        return [[_value(raw) for raw in row] for row in self.fields]

    def set(self, row: int, column: int, value: str) -> None:
        """Fill in one cell. It keeps its quotes if it had some."""
        was = self.fields[row][column]
        needs = was.startswith('"') or any(sign in value for sign in (self.delimiter, '"', "\n", "\r"))
        self.fields[row][column] = f'"{value.replace(chr(34), chr(34) * 2)}"' if needs else value
        self.rows[row][column] = value

    def picked(self, rows: Iterable[int], columns: list[int]) -> Table:
        """Only these rows and columns."""
        chosen = list(rows)
        fields = [[self.fields[row][column] for column in columns] for row in chosen]
        return Table(fields, [self.ends[row] or "\n" for row in chosen], self.delimiter, self.mark)

    def bytes(self) -> bytes:
        """The file."""
        lines = [self.delimiter.join(row) + end for row, end in zip(self.fields, self.ends, strict=True)]
        return self.mark + "".join(lines).encode("utf-8")


def _delimiter(text: str) -> str:
    """The sign that the first line has most of, outside quotes."""
    first = re.split(r"[\r\n]", re.sub(r'"(?:[^"]|"")*"', "", text), maxsplit=1)[0]
    return max(_SIGNS, key=first.count)


def _split(text: str, delimiter: str) -> tuple[list[list[str]], list[str]]:
    sign = re.escape(delimiter)
    field = re.compile(rf'("(?:[^"]|"")*"(?=[{sign}\r\n]|\Z)|[^{sign}\r\n]*)({sign}|\r\n|\n|\r|\Z)')
    rows: list[list[str]] = []
    ends: list[str] = []
    row: list[str] = []
    place = 0
    while place < len(text) or row:
        found = field.match(text, place)
        assert found is not None  # the second alternative matches anything
        row.append(found.group(1))
        place = found.end()
        if found.group(2) != delimiter:
            rows.append(row)
            ends.append(found.group(2))
            row = []
    return rows, ends


def _value(raw: str) -> str:
    if len(raw) >= 2 and raw.startswith('"') and raw.endswith('"'):
        return raw[1:-1].replace('""', '"')
    return raw
