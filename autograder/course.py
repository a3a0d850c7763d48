"""A course folder: where its files are, and nbgrader's own configuration for it.

The root is the nearest folder upwards that holds ``nbgrader_config.py``, as for nbgrader itself. All paths come from
nbgrader's `CourseDirectory`, so a course that renames its folders or moves its database in that file is found here too.
Only the course's own file is read, not the user's Jupyter folders: a mark must not depend on who computes it.

    >>> course = Course.find(Path("."))                    # doctest: +SKIP
    >>> course.source("01_tensors_and_devices")            # doctest: +SKIP
    PosixPath('/work/course/source/01_tensors_and_devices')
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder.labs import Lab, read_lab

if TYPE_CHECKING:
    from nbgrader.coursedir import CourseDirectory

CONFIG = "nbgrader_config.py"

# nbgrader's own converters, with four of their steps replaced by ours (steps.py). By name, so that reading a course's
# configuration does not import nbgrader.
RELEASE_STEPS = [
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.LockCells",
    "autograder.steps.TaskStubs",
    "nbgrader.preprocessors.ClearOutput",
    "autograder.steps.Canonical",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",  # the gradebook keeps the hidden tests; what follows removes them
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "autograder.steps.Canonical",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
]
SANITISE_STEPS = [
    "autograder.steps.Repair",  # first: the others trust the shape of what they get
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]
STORE_STEPS = [
    "nbgrader.preprocessors.IgnorePattern",
    "nbgrader.preprocessors.LimitOutput",
    "autograder.steps.SaveScores",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
log = logging.getLogger("autograder.nbgrader")  # what nbgrader says; shown with --verbose


class UsageError(Exception):
    """The command cannot be done as it was given. The message names the remedy."""


@dataclass(frozen=True)
class Course:
    """One course root. `directory` may be asked for any lab and student."""

    root: Path

    @classmethod
    def find(cls, start: Path) -> Course:
        """The course that `start` lies in. UsageError if there is none."""
        start = start.resolve()
        for folder in (start, *start.parents):
            if (folder / CONFIG).is_file():
                return cls(folder)
        raise UsageError(f"no {CONFIG} in {start} or above it: run this inside a course, or give --course FOLDER")

    @cached_property
    def config(self) -> Config:
        """nbgrader's configuration of this course."""
        return PyFileConfigLoader(CONFIG, path=str(self.root)).load_config()

    def directory(self, lab: str = "", student: str = "*") -> CourseDirectory:
        """nbgrader's own view of this course, a lab and a student."""
        from nbgrader.coursedir import CourseDirectory

        return CourseDirectory(
            config=self.config, root=str(self.root), assignment_id=lab, student_id=student, notebook_id="*", log=log
        )

    @cached_property
    def _plain(self) -> CourseDirectory:
        return self.directory()

    @property
    def db_url(self) -> str:
        """The gradebook: SQLite in the course's root unless the configuration says otherwise."""
        return str(self._plain.db_url)

    def source(self, lab: str) -> Path:
        """The instructor's folder of a lab."""
        return Path(self._plain.format_path(self._plain.source_directory, ".", lab))

    def release(self, lab: str) -> Path:
        """The learners' folder of a lab."""
        return Path(self._plain.format_path(self._plain.release_directory, ".", lab))

    def submitted(self, student: str, lab: str) -> Path:
        """Where a student's submission lies."""
        return Path(self._plain.format_path(self._plain.submitted_directory, student, lab))

    def autograded(self, student: str, lab: str) -> Path:
        """Where the graded notebook and its `result.json` go."""
        return Path(self._plain.format_path(self._plain.autograded_directory, student, lab))

    def feedback(self, student: str, lab: str) -> Path:
        """Where a student's feedback goes."""
        return Path(self._plain.format_path(self._plain.feedback_directory, student, lab))

    def labs(self) -> list[str]:
        """The names of all labs in source/: every folder that holds a notebook of its own name."""
        folder = self.source("x").parent
        return sorted(p.parent.name for p in folder.glob("*/*.ipynb") if p.stem == p.parent.name)

    def lab(self, name: str) -> Lab:
        """A lab, read from its source notebook. UsageError if there is no such lab."""
        path = self.source(name) / f"{name}.ipynb"
        if not path.is_file():
            known = ", ".join(self.labs()) or "none"
            raise UsageError(f"no lab {name!r} in {path.parent.parent}; labs there: {known}")
        return read_lab(path)

    def students(self, lab: str) -> list[str]:
        """Who has a folder for this lab in submitted/."""
        pattern = self.submitted("*", lab)
        return sorted(p.parent.name for p in self.root.glob(str(pattern.relative_to(self.root))) if p.is_dir())


@contextmanager
def quiet() -> Iterator[None]:
    """Silence for warnings that are nobody's business here.

    SQLAlchemy 2.1 says "not in session ... autoflush" in every autograde of nbgrader 0.9.6 (harmless), and nbgrader's
    imports still touch a few deprecated names.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
