"""What went wrong most often in a class: by the bank's reasons, by what the checks said, by where the host waited.

The bank of answers (`answers.py`) holds typical wrong answers with the reason why each loses points. An answer that
lost points and reads much like one of them probably has the same reason. That is a guess, and is told as one.

    bank = Bank.of(course, "05_loops_and_stop_tests")
    bank.reason("t05_1_answer", source)      # "reads one number back per step", or "" where nothing is alike
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from autograder import answers
from autograder.course import Course
from autograder.results import CellResult, Result

ALIKE = 0.7  # share of common word pairs from which on two answers are taken for one mistake
_NUMBERS = re.compile(r"(?<![A-Za-z_0-9])-?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?")
_PLACES = re.compile(r"cell \S+, line \d+: .*|Look at line .*")
_MOST = 80  # characters of a mistake
Pairs = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Bank:
    """The wrong answers to a lab, with their reasons."""

    known: dict[str, list[tuple[Pairs, str]]]  # by answer cell

    @classmethod
    def of(cls, course: Course, lab: str) -> Bank:
        """The bank of a lab; empty where the course has none."""
        folder = course.root / "tests" / "answers" / lab
        return cls(_read(folder) if folder.is_dir() else {})

    def reason(self, cell: str, source: str) -> str:
        """The reason of the wrong answer that this one is most alike, or ""."""
        mine = pairs(source)
        found = [(len(mine & theirs) / max(1, len(mine | theirs)), why) for theirs, why in self.known.get(cell, [])]
        best = max(found, default=(0.0, ""))
        return best[1] if best[0] >= ALIKE else ""


def _read(folder: Path) -> dict[str, list[tuple[Pairs, str]]]:
    known = defaultdict(list)
    for answer in answers.read_bank(folder):
        if not answer.right:
            known[answer.cell].append((pairs(answer.source), answer.reason))
    return dict(known)


@lru_cache(maxsize=4096)
def pairs(source: str) -> Pairs:
    """Neighbouring words of a piece of code, without comments, strings of documentation and layout."""
    words = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.OP):
                words.append(token.string)
            elif token.type == tokenize.STRING and not token.string.startswith(('"""', "'''")):
                words.append(token.string)
    except (tokenize.TokenError, SyntaxError):  # an answer that is no Python
        words = source.split()
    return frozenset(zip(words, words[1:], strict=False))


@dataclass(frozen=True)
class Mistake:
    """A mistake that several students made."""

    task: str
    what: str
    students: tuple[str, ...]


def commonest(results: Iterable[Result], most: int = 15) -> list[Mistake]:
    """The mistakes of a class, the most frequent first; those of one student only are left out."""
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    for result in results:
        for cell in result.cells:
            for what in _of_cell(cell):
                seen[(cell.task, what)].add(result.student)
    found = [Mistake(task, what, tuple(sorted(who))) for (task, what), who in seen.items() if len(who) > 1]
    return sorted(found, key=lambda m: (-len(m.students), m.task, m.what))[:most]


def _of_cell(cell: CellResult) -> set[str]:
    found = set()
    if cell.reason:
        found.add(f"probably: {cell.reason}")
    if cell.kind == "test" and cell.points is not None and cell.points < cell.max_points and cell.message:
        found.add(plain(cell.message))
        for trace in cell.traces:
            found |= {f"the host waits: {w['kind']} ({w['op']})" for w in trace["waits"] if w.get("place")}
    return found


def plain(message: str) -> str:
    """The first line of a message without numbers and places, so that like mistakes read alike."""
    line = _PLACES.sub("", message.strip().split("\n")[0])
    line = _NUMBERS.sub("N", line).strip(" :;,")
    return line if len(line) <= _MOST else line[:_MOST].rstrip() + " ..."
