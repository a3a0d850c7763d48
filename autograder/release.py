"""source/ to release/: the learners' notebooks, without solutions and hidden tests.

The work is nbgrader's own (`GenerateAssignment` with the steps named in `course.py`); this module refuses what must not
leave the house (`leaks.py`), writes only what changed, and gives the same bytes on every machine. Nothing here touches
the gradebook; `grade.py` enters a lab there when it grades.

    build(course, "01_tensors_and_devices")     -> the files of release/01_tensors_and_devices, as bytes
    release(course, "01_tensors_and_devices")   -> writes them; names of the files that changed
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from nbformat import NotebookNode
from traitlets.config import Config

from autograder import leaks, notebooks
from autograder.course import RELEASE_STEPS, Course, log, quiet

if TYPE_CHECKING:
    from nbgrader.converters import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory


class Refused(Exception):
    """The source may not be released. `problems` names each cell and the remedy."""

    def __init__(self, lab: str, problems: list[leaks.Problem]) -> None:
        self.lab, self.problems = lab, problems
        super().__init__(f"{lab}: " + "; ".join(str(problem) for problem in problems))


def build(course: Course, lab: str) -> dict[str, bytes]:
    """All files of the release of a lab by their path in its folder. Raises Refused."""
    source = course.lab(lab).notebook
    problems = leaks.in_folder(course.source(lab)) or leaks.in_source(source)
    if problems:
        raise Refused(lab, problems)
    with tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        converter(course, lab, into=Path(folder), database=False).start()
        made = Path(folder) / lab
        notebook = made / f"{lab}.ipynb"
        text = notebook.read_text(encoding="utf-8")
        files = {f"{lab}.ipynb": notebooks.dumps(notebooks.parse(text.encode("utf-8"))).encode("utf-8")}
        files |= {p.relative_to(made).as_posix(): p.read_bytes() for p in leaks.extra_files(made)}
    problems = leaks.in_release(source, notebooks.parse(files[f"{lab}.ipynb"]))
    if problems:
        raise Refused(lab, problems)
    return files


def changes(course: Course, lab: str, files: dict[str, bytes]) -> list[str]:
    """What writing these files would change in release/: "new", "changed" or "gone", each with its path."""
    folder = course.release(lab)
    present = {p.relative_to(folder).as_posix(): p for p in leaks.all_files(folder)}
    found = [f"gone {name}" for name in present if name not in files]
    for name, data in files.items():
        if name not in present:
            found.append(f"new {name}")
        elif present[name].read_bytes() != data:
            found.append(f"changed {name}")
    return sorted(found)


def release(course: Course, lab: str, check: bool = False) -> list[str]:
    """Bring release/ up to date with source/; returns what changed. With `check`, only say what would."""
    files = build(course, lab)
    found = changes(course, lab, files)
    if not check:
        for change in found:
            what, _, name = change.partition(" ")
            path = course.release(lab) / name
            if what == "gone":
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(files[name])
    return found


def converter(course: Course, lab: str, into: Path, database: bool) -> GenerateAssignment:
    """nbgrader's own converter for a lab, writing into another folder; with `database`, into the gradebook too."""
    with quiet():
        from nbgrader.converters import GenerateAssignment

    config = _config(course.config)
    config.merge(Config({"SaveCells": {"enabled": database}, "GenerateAssignment": {"no_database": not database}}))
    directory = course.directory(lab)
    directory.release_directory = str(into)
    made: GenerateAssignment = GenerateAssignment(coursedir=directory, config=config, log=log, force=True)
    return made


def _config(course: Config) -> Config:
    """The course's configuration over ours."""
    config = Config({"GenerateAssignment": {"preprocessors": RELEASE_STEPS}})
    config.merge(course)
    return config


_masters: dict[Path, tuple[int, NotebookNode]] = {}  # by source notebook, with the file's time


def master(directory: CourseDirectory, lab: str, name: str) -> NotebookNode:
    """The lab as the gradebook knows it: stubs instead of solutions, all tests, hidden ones too. Do not change it."""
    path = Path(directory.format_path(directory.source_directory, ".", lab)) / f"{name}.ipynb"
    changed_ns = path.stat().st_mtime_ns
    if _masters.get(path, (None,))[0] != changed_ns:
        _masters[path] = changed_ns, _make_master(path, _config(directory.config))
    return _masters[path][1]


def _make_master(path: Path, config: Config) -> NotebookNode:
    with quiet():
        from nbconvert.exporters import NotebookExporter

    steps = config.GenerateAssignment.preprocessors
    config.merge(Config({"Exporter": {"default_preprocessors": []}}))
    exporter = NotebookExporter(config=config)
    for step in steps[: steps.index("nbgrader.preprocessors.SaveCells")]:
        exporter.register_preprocessor(step)
    text, _ = exporter.from_notebook_node(notebooks.read(path))
    return notebooks.parse(text.encode("utf-8"))


def copy_extra_files(course: Course, lab: str, into: Path) -> None:
    """The lab's images and data, as learners have them beside their notebook."""
    source = course.source(lab)
    for path in leaks.extra_files(source):
        target = into / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
