"""Which cell of a submission is which cell of the lab.

Editors lose names (``grade_id``), copy cells and move them. Each cell of the lab looks for its own in this order, and
what is found is not looked at again:

1. by name. Of several cells with one name the last that was worked on counts, if none was, the last; the others are
   its copies. A name does not count on a cell whose text is plainly another cell's.
2. by cell id, which JupyterLab keeps when metadata is lost;
3. by text, white space aside;
4. by task: a comment ``# Task 3.2`` in an answer, or the function that the lab's cell defines;
5. by likeness of the text, among the cells between two neighbours that were found;
6. by place: an answer or essay takes the only cell between its two neighbours that could be it.

What it does not: change anything.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from nbformat import NotebookNode

from autograder import labs
from autograder.notebooks import grade_id
from autograder.repair import alike

ALIKE = 0.6  # likeness from which on two texts are taken for one
LOOKED_AT = 30  # cells between two neighbours; more are not compared one by one


@dataclass
class Matches:
    """Places in the submission by places in the lab. `how`: "name", "id", "text", "task", "likeness" or "place"."""

    cells: dict[int, int] = field(default_factory=dict)
    how: dict[int, str] = field(default_factory=dict)
    copies: dict[int, list[int]] = field(default_factory=dict)  # other cells of the same name


def match(submission: list[NotebookNode], lab: list[NotebookNode]) -> Matches:
    """Find the lab's cells in a submission."""
    return _Search(submission, lab).all()


class _Search:
    def __init__(self, submission: list[NotebookNode], lab: list[NotebookNode]) -> None:
        self.mine, self.lab = submission, lab
        self.found = Matches()
        self.taken: set[int] = set()
        self.public = [alike.public(cell) for cell in lab]
        self.lab_words = [alike.words(text) for text in self.public]
        self.my_words = [alike.words(cell.source) for cell in submission]
        self.named = {str(grade_id(cell)): place for place, cell in enumerate(lab) if grade_id(cell)}
        self.by_id = {str(lab[place].get("id")): place for place in self.named.values()}
        self.plain_text = self._unmistakable_texts()
        self.by_task = self._answers_by_task()
        self.says = [self._says(cell) for cell in range(len(submission))]

    def all(self) -> Matches:
        self._by_name()
        self._find_by_id()
        self._by_text()
        self._find_by_task()
        self._by_likeness()
        self._by_place()
        return self.found

    def _take(self, place: int, cell: int, how: str) -> None:
        self.found.cells[place], self.found.how[place] = cell, how
        self.taken.add(cell)

    def _free(self, kinds: tuple[str, ...] = ("answer", "test", "essay", "locked", "")) -> Iterator[int]:
        for place, cell in enumerate(self.lab):
            if place not in self.found.cells and labs.kind(cell) in kinds:
                yield place

    # ---------------------------------------------------------------- what a cell says by itself

    def _unmistakable_texts(self) -> dict[tuple[str, ...], int]:
        """Texts of tests and locked cells that stand in the lab once."""
        counts = Counter(self.lab_words)
        return {
            words: place
            for place, words in enumerate(self.lab_words)
            if counts[words] == 1 and words and labs.kind(self.lab[place]) in ("test", "locked")
        }

    def _answers_by_task(self) -> dict[str, int]:
        """Answers by the number of their task, where a task has only one."""
        places = defaultdict(list)
        for place, cell in enumerate(self.lab):
            if labs.kind(cell) in ("answer", "essay") and (number := alike.task(cell)):
                places[number].append(place)
        return {number: found[0] for number, found in places.items() if len(found) == 1}

    def _says(self, cell: int) -> int | None:
        """The cell of the lab that this plainly is: a test word for word, an answer that names its task, an old id."""
        exact = self.plain_text.get(self.my_words[cell])
        if exact is not None:
            return exact
        number = alike.task(self.mine[cell])
        if number in self.by_task:
            return self.by_task[number]
        return self.by_id.get(str(self.mine[cell].get("id")))

    # ---------------------------------------------------------------- the six ways

    def _by_name(self) -> None:
        groups = defaultdict(list)
        for cell, node in enumerate(self.mine):
            if (place := self.named.get(str(grade_id(node)))) is not None:
                groups[place].append(cell)
        carried = {place for place, cells in groups.items() if any(self.says[c] in (place, None) for c in cells)}
        for place, cells in groups.items():
            own = [c for c in cells if (said := self.says[c]) in (place, None) or said in carried]
            if not own:
                continue
            worked_on = [cell for cell in own if self.my_words[cell] != self.lab_words[place]]
            chosen = (worked_on or own)[-1] if labs.kind(self.lab[place]) in ("answer", "essay") else own[-1]
            self._take(place, chosen, "name")
            if copies := [cell for cell in own if cell != chosen]:
                self.found.copies[place] = copies
                self.taken.update(copies)

    def _find_by_id(self) -> None:
        ids: dict[str, int] = {}
        for cell, node in enumerate(self.mine):
            for key in (node.metadata.get("id"), node.get("id")):
                if isinstance(key, str) and cell not in self.taken:
                    ids.setdefault(key, cell)
        for place in self._free():
            mine = ids.get(str(self.lab[place].get("id")))
            if mine is not None and mine not in self.taken and self.says[mine] in (place, None):
                self._take(place, mine, "id")

    def _by_text(self) -> None:
        places = defaultdict(list)
        for cell, words in enumerate(self.my_words):
            if words and cell not in self.taken:
                places[words].append(cell)
        for place in self._free():
            if cells := places.get(self.lab_words[place]):
                self._take(place, cells.pop(0), "text")

    def _find_by_task(self) -> None:
        for place in list(self._free(("answer", "essay"))):
            names = alike.defined(self.lab[place].source)
            for cell in reversed(range(len(self.mine))):  # the last one, as with names
                if cell in self.taken or not self.mine[cell].source.strip():
                    continue
                if self.says[cell] == place or (names and names <= alike.defined(self.mine[cell].source)):
                    self._take(place, cell, "task")
                    break

    def _by_likeness(self) -> None:
        for place in list(self._free()):
            if not grade_id(self.lab[place]) and self.lab[place].cell_type != "code":
                continue
            text = self.public[place]
            near = self._between(place)[:LOOKED_AT]
            rated = [(alike.likeness(text, self.mine[cell].source), -cell) for cell in near]
            best, cell = max(rated, default=(0.0, 0))
            if best >= ALIKE:
                self._take(place, -cell, "likeness")

    def _by_place(self) -> None:
        for place in list(self._free(("answer", "essay"))):
            kind, type_ = labs.kind(self.lab[place]), self.lab[place].cell_type
            near = [cell for cell in self._between(place) if self.mine[cell].cell_type == type_]
            if kind == "essay" and near:
                self._take(place, max(near, key=lambda cell: len(self.mine[cell].source)), "place")
            elif len(near) == 1 and not self._other_answers_between(place):
                self._take(place, near[0], "place")

    def _neighbours(self, place: int) -> tuple[int, int]:
        """The places in the lab of the nearest cells above and below that were found; -1 or the end if none was."""
        above = max((p for p in self.found.cells if p < place), default=-1)
        below = min((p for p in self.found.cells if p > place), default=len(self.lab))
        return above, below

    def _between(self, place: int) -> list[int]:
        """The cells, not yet taken and not empty, where this cell of the lab should stand."""
        above, below = self._neighbours(place)
        first = self.found.cells[above] + 1 if above >= 0 else 0
        last = self.found.cells[below] if below < len(self.lab) else len(self.mine)
        return [cell for cell in range(first, last) if cell not in self.taken and self.my_words[cell]]

    def _other_answers_between(self, place: int) -> bool:
        above, below = self._neighbours(place)
        return any(labs.kind(self.lab[p]) == "answer" and p != place for p in range(above + 1, below))
