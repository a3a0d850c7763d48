"""The table of labs in README.md, made from the notebooks in release/ and the address in pyproject.toml.

    python tests/lab_table.py           prints the table
    python tests/lab_table.py --fix     writes it into README.md

A lab's row holds its number (from the folder's name), the first heading of its notebook, and a badge that opens
the released notebook in Google Colab. It does not model where a fork lives: ``Repository`` under
``[project.urls]`` says that.
"""

from __future__ import annotations

import json
import sys
import tomllib
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


if __name__ == "__main__":
    if sys.argv[1:] == ["--fix"]:
        README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
    else:
        print(table())
