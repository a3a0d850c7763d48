"""Who may know whom, and how long a file may grow."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COURSE = ROOT / "course" / "syncpoint"
#: One concept a file. A longer file needs a reason; write it here, beside its length.
LONGEST = 320
LONGER_FOR_A_REASON: dict[str, int] = {}


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, anywhere in it, by its full name."""
    package = path.relative_to(COURSE.parent if COURSE in path.parents else ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*start, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{name.name}" for name in node.names)


def python_files(*parts: str) -> list[Path]:
    """All Python files in these parts of the course, by file or folder name."""
    found = [path for part in parts for path in (COURSE / part).rglob("*.py")]
    return sorted(found + [COURSE / f"{part}.py" for part in parts if (COURSE / f"{part}.py").exists()])


def knows(path: Path, module: str) -> bool:
    return any(name == module or name.startswith(module + ".") for name in imports(path))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", python_files("sim"), ids=name_of)
def test_sim_knows_nothing_of_ours_but_itself(path: Path) -> None:
    ours = {name for name in imports(path) if name.split(".")[0] in {"syncpoint", "autograder"}}
    assert {name for name in ours if name != "syncpoint" and not name.startswith("syncpoint.sim")} == set()


@pytest.mark.parametrize("name", ["clock", "chips", "races"])
def test_virtual_time_is_plain_python(name: str) -> None:
    """Testable with integers: these files do not even import torch."""
    for path in python_files(f"sim/{name}"):
        assert not knows(path, "torch"), f"{name_of(path)} imports torch"


@pytest.mark.parametrize("path", python_files("loops", "layout", "mnist", "pipeline"), ids=name_of)
def test_ordinary_pytorch_does_not_know_the_simulator(path: Path) -> None:
    assert not knows(path, "syncpoint.sim")


@pytest.mark.parametrize("path", sorted(COURSE.rglob("*.py")), ids=name_of)
def test_the_course_does_not_know_the_autograder(path: Path) -> None:
    assert not knows(path, "autograder")
    assert not knows(path, "nbgrader")


def test_no_notebook_imports_the_autograder() -> None:
    for notebook in [*ROOT.glob("source/*/*.ipynb"), *ROOT.glob("release/*/*.ipynb")]:
        text = notebook.read_text(encoding="utf-8")
        assert not re.search(r"(import|from) (autograder|nbgrader)\b", text), name_of(notebook)


@pytest.mark.parametrize("path", sorted([*COURSE.rglob("*.py"), *(ROOT / "autograder").rglob("*.py")]), ids=name_of)
def test_a_file_holds_one_concept(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGER_FOR_A_REASON.get(name_of(path), LONGEST), f"{lines} lines: split it"


@pytest.mark.parametrize("path", sorted([*COURSE.rglob("*.py"), *(ROOT / "autograder").rglob("*.py")]), ids=name_of)
def test_every_file_says_what_it_is_for(path: Path) -> None:
    """A module's docstring is its contract. An empty ``__init__`` promises nothing and may stay silent."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not tree.body or ast.get_docstring(tree), f"{name_of(path)} has no docstring"
