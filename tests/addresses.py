"""Where the repository's address stands: the table of labs in README.md, and the cells that install the course.

    python tests/addresses.py           prints the table
    python tests/addresses.py --fix     writes the table into README.md and the address into source/

``Repository`` under ``[project.urls]`` in pyproject.toml is the one place to change it. A lab's row holds its number
(from the folder's name), the first heading of its notebook, and a badge that opens the released notebook in Google
Colab. Only github.com is known here, since Colab's short links are.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BEGIN = "<!-- labs: made by `make release`, from the notebooks in release/ and the address in pyproject.toml -->"
END = "<!-- end of labs -->"
COLAB = "https://colab.research.google.com"


def repository() -> str:
    """``owner/name`` of the repository that the badges point to."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return pyproject["project"]["urls"]["Repository"].removeprefix("https://github.com/").strip("/")


def title(notebook: Path) -> str:
    """The first heading of a notebook."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        for line in "".join(cell["source"]).splitlines():
            if cell["cell_type"] == "markdown" and line.startswith("# "):
                return line.removeprefix("# ").strip()
    raise ValueError(f"{notebook}: no cell has a heading '# ...'; give the notebook a title")


def badge(path: str) -> str:
    """A Colab badge for a notebook, by its path in the repository."""
    return f"[![Open in Colab]({COLAB}/assets/colab-badge.svg)]({COLAB}/github/{repository()}/blob/main/{path})"


def table() -> str:
    """The whole table, one row a released notebook."""
    rows = ["| | Lab | In Colab |", "| --- | --- | --- |"]
    for notebook in sorted((ROOT / "release").glob("*/*.ipynb")):
        path = notebook.relative_to(ROOT).as_posix()
        rows.append(f"| {notebook.stem[:2]} | [{title(notebook)}]({path}) | {badge(path)} |")
    return "\n".join(rows)


def with_table(readme: str) -> str:
    """The README's text with the table of today between its two marks."""
    before, rest = readme.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def with_address(notebook: str) -> str:
    """A notebook's text with the repository's address in every ``pip install git+https://...``."""
    return re.sub(r"git\+https://github\.com/[\w.-]+/[\w-]+", f"git+https://github.com/{repository()}", notebook)


def rewrite(path: Path, change: Callable[[str], str]) -> None:
    """Write a file anew where the change makes a difference."""
    before = path.read_text(encoding="utf-8")
    if (after := change(before)) != before:
        path.write_text(after, encoding="utf-8", newline="\n")
        print("rewrote", path.relative_to(ROOT))


if __name__ == "__main__":
    if sys.argv[1:] == ["--fix"]:
        rewrite(README, with_table)
        for notebook in sorted(ROOT.glob("source/*/*.ipynb")):
            rewrite(notebook, with_address)
    else:
        print(table())
