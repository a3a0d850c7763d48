"""Which of a student's files is the submission.

A student hands in twice, two labs at once, a report beside the notebook, or ``p1 (1).ipynb``. Of the notebooks that
have cells of this lab the one received last counts; of those received at the same time the one with the higher number
in its name. One that cannot be read counts only if there is no other. A notebook with cells of another lab only is not
a submission of this lab.
"""

from __future__ import annotations

import copy
import hashlib
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime

from nbformat import NotebookNode

from autograder import notebooks
from autograder.course import Course
from autograder.intake.downloads import Handed, is_notebook
from autograder.intake.files import Refused
from autograder.repair import alike

MOST_OUTPUT = 20_000_000  # bytes of a notebook from which on its outputs are left out
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass
class Candidate:
    """A notebook that was read, or could not be. `fits`: how many of its cells are this lab's."""

    handed: Handed
    data: bytes
    notebook: NotebookNode | None
    reason: str = ""  # why it cannot be read
    fits: int = 0
    other_lab: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def sha256(self) -> str:
        """Of the bytes that are kept."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def rank(self) -> tuple[bool, bool, datetime, int, str]:
        """The highest counts."""
        handed = self.handed
        return self.notebook is not None, self.fits > 0, handed.received or _NEVER, handed.attempt, handed.item.path


class Labs:
    """Knows the cells of all labs of a course; each lab is read when it is first asked for."""

    def __init__(self, course: Course, lab: str) -> None:
        self.course, self.lab = course, lab
        self._known: dict[str, tuple[set[str], set[tuple[str, ...]]]] = {}

    def fits(self, notebook: NotebookNode, lab: str) -> int:
        """How many cells of a notebook have a name, an id or a text of this lab."""
        if lab not in self._known:
            cells = self.course.lab(lab).notebook.cells
            names = {name for cell in cells if (name := notebooks.grade_id(cell))}
            self._known[lab] = names, {words for cell in cells if len(words := alike.words(cell.source)) > 3}
        names, texts = self._known[lab]
        return sum(
            notebooks.grade_id(cell) in names or cell.get("id") in names or alike.words(cell.source) in texts
            for cell in notebook.cells
        )

    def other(self, notebook: NotebookNode) -> str:
        """The other lab that a notebook belongs to, if it has cells of one."""
        fits = {lab: self.fits(notebook, lab) for lab in self.course.labs() if lab != self.lab}
        best = max(fits, key=lambda lab: fits[lab], default="")
        return best if fits.get(best) else ""


def candidate(handed: Handed, labs: Labs) -> Candidate:
    """Read a notebook. Raises Refused if there is nothing that could be kept."""
    if handed.item.refused:
        raise Refused(handed.item.refused)
    try:
        data = handed.item.read()
    except OSError as error:
        raise Refused(f"it cannot be read: {error}") from error
    try:
        notebook, told = notebooks.parse_with_notes(data)
    except (notebooks.UnreadableNotebook, MemoryError) as error:
        return Candidate(handed, data, None, str(error) or "it does not fit into memory", notes=_name(handed, labs.lab))
    made = Candidate(handed, data, notebook, fits=labs.fits(notebook, labs.lab), notes=_name(handed, labs.lab) + told)
    if not made.fits:
        made.other_lab = labs.other(notebook)
    if len(data) > MOST_OUTPUT:
        _leave_out_outputs(made)
    return made


def _name(handed: Handed, lab: str) -> list[str]:
    """The LMS's own number at the end of a name is no news."""
    by_lms = handed.lms and re.fullmatch(rf"{re.escape(lab)}-\d+\.ipynb", handed.name)
    return [] if handed.name == f"{lab}.ipynb" or by_lms else [f"the notebook was called {handed.name!r}"]


def _leave_out_outputs(made: Candidate) -> None:
    assert made.notebook is not None
    small = copy.copy(made.notebook)
    small.cells = [_without_outputs(cell) for cell in made.notebook.cells]
    text = notebooks.dumps(small)
    saved = len(made.data) - len(text.encode("utf-8"))
    made.data, made.notebook = text.encode("utf-8"), small
    made.notes.append(f"{saved / 1e6:.0f} MB of outputs were left out: they are made anew when it is graded")


def _without_outputs(cell: NotebookNode) -> NotebookNode:
    made: NotebookNode = copy.copy(cell)
    if made.cell_type == "code":
        made.outputs, made.execution_count = [], None
    made.pop("attachments", None)
    return made


def candidates(files: list[Handed], labs: Labs) -> tuple[list[Candidate], list[tuple[str, str]], list[str]]:
    """A student's notebooks, best last; (path, reason) of those that are refused; paths of all other files."""
    made, refused, others = [], [], []
    for handed in files:
        if not is_notebook(handed.name):
            if handed.item.refused:
                refused.append((handed.item.path, handed.item.refused))
            else:
                others.append(handed.item.path)
            continue
        try:
            found = candidate(handed, labs)
        except Refused as error:
            refused.append((handed.item.path, str(error)))
            continue
        if found.other_lab:
            refused.append((handed.item.path, f"it is a notebook of {found.other_lab}: take it in for that lab"))
        else:
            made.append(found)
    return sorted(made, key=lambda each: each.rank), refused, others
