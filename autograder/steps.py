"""The four steps of nbgrader's converters that the course replaces. `course.py` says where each one stands.

- `TaskStubs`: a stripped solution raises NotImplementedError with the name of its task.
- `Canonical`: the notebook in canonical form, so that a release is the same bytes on every machine.
- `Repair`: a submission is made well-formed before nbgrader reads its metadata.
- `SaveScores`: points by `scores.py` instead of nbgrader's `determine_grade`.

They are ordinary nbgrader preprocessors: `nbgrader_config.py` hands them to `nbgrader ...` commands too.
"""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor, SaveAutoGrades

from autograder import labs, notebooks, repair, scores

Resources = dict[str, Any]
Step = tuple[NotebookNode, Resources]


class TaskStubs(ClearSolutions):
    """nbgrader's ClearSolutions with a stub that names the task: ``raise NotImplementedError("task 3.2: ...")``."""

    def preprocess_cell(self, cell: NotebookNode, resources: Resources, cell_index: int) -> Step:
        """Choose the stub for this cell, then let nbgrader put it in."""
        task = labs.own_task(cell)
        name = f"task {task.number}" if task else str(notebooks.grade_id(cell))
        self.code_stub = {"python": f'raise NotImplementedError("{name}: your code goes here")'}
        return super().preprocess_cell(cell, resources, cell_index)  # type: ignore[no-any-return]


class Canonical(NbGraderPreprocessor):
    """The canonical form of `notebooks.py`, as a step."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Step:
        """See `notebooks.canonical`."""
        return notebooks.canonical(nb), resources


class Repair(NbGraderPreprocessor):
    """`repair.repair` as a step. The notes are left in ``resources["autograder"]["notes"]``."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Step:
        """Compare with the lab's master notebook and mend what differs."""
        from autograder.release import master

        about = resources["nbgrader"]
        coursedir = self.parent.parent.coursedir  # step -> exporter -> converter
        nb, notes = repair.repair(nb, master(coursedir, about["assignment"], about["notebook"]))
        for note in notes:
            self.log.warning("%s: %s", about["student"], note)
        resources.setdefault("autograder", {})["notes"] = notes
        return nb, resources


class SaveScores(SaveAutoGrades):
    """nbgrader's SaveAutoGrades with our rule for points. Manual scores stay, and are marked for another look."""

    def _add_score(self, cell: NotebookNode, resources: Resources) -> None:
        grade = self.gradebook.find_grade(
            cell.metadata["nbgrader"]["grade_id"], self.notebook_id, self.assignment_id, self.student_id
        )
        score = scores.score(cell)
        grade.auto_score = score.points
        grade.needs_manual_grade = grade.manual_score is not None or score.points is None or bool(score.fault)
        self.gradebook.db.commit()
