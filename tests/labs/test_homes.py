"""Every mistake and every idea that the course is about has a place in a lab, and the place is there.

``homes.toml`` is the table. A place that was renamed or taken out fails here, with the lab's name.
"""

from __future__ import annotations

import json
import re
import tomllib
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = tomllib.loads((Path(__file__).parent / "homes.toml").read_text(encoding="utf-8"))
MISTAKES = {f"{row['number']}: {row['title']}": row["homes"] for row in TABLE["mistakes"]}
IDEAS = {f"{text}: {idea}": homes for text, ideas in TABLE["ideas"].items() for idea, homes in ideas.items()}
ALL = {**MISTAKES, **IDEAS}
HOW_MANY_MISTAKES = 33


@lru_cache
def cells(folder: str, number: str) -> list[dict]:
    """The cells of lab ``number`` in source/ or release/."""
    found = list((ROOT / folder).glob(f"{number}_*/*.ipynb"))
    assert len(found) == 1, f"{folder}/ holds {len(found)} labs with the number {number}"
    return json.loads(found[0].read_text(encoding="utf-8"))["cells"]


def text(cell: dict) -> str:
    return "".join(cell["source"])


def missing(place: str, folder: str) -> str:
    """Why this place is not in the lab; empty if it is."""
    number, where = place.split(" ", 1)
    if re.fullmatch(r"t\d\d_\w+", where):
        names = {cell["metadata"].get("nbgrader", {}).get("grade_id", "") for cell in cells(folder, number)}
        graded = any(name.startswith(f"{where}_test") for name in names)
        return "" if f"{where}_answer" in names and graded else f"lab {number} has no graded task {where}"
    if where.startswith("#"):
        markdown = [text(cell).splitlines() for cell in cells(folder, number) if cell["cell_type"] == "markdown"]
        found = sum(lines.count(where) for lines in markdown)
        return "" if found == 1 else f"lab {number} has the heading {where!r} {found} times"
    passage = " ".join(where.split()).lower()
    found = sum(passage in " ".join(text(cell).split()).lower() for cell in cells(folder, number))
    return "" if found == 1 else f"{found} cells of lab {number} hold the passage {where!r}"


@pytest.mark.parametrize("what", ALL)
def test_it_has_a_home(what: str) -> None:
    assert ALL[what], f"{what}: no lab teaches it"
    for folder in ("source", "release"):  # a learner must find it, too
        problems = [problem for place in ALL[what] if (problem := missing(place, folder))]
        assert not problems, f"{folder}: {problems}. Put the new place into tests/labs/homes.toml"


def test_no_mistake_is_left_out() -> None:
    assert [row["number"] for row in TABLE["mistakes"]] == list(range(1, HOW_MANY_MISTAKES + 1))
    assert len(MISTAKES) == HOW_MANY_MISTAKES


def test_every_lab_is_somebody_s_home() -> None:
    at_home = {place[:2] for homes in ALL.values() for place in homes}
    assert at_home == {path.name[:2] for path in (ROOT / "source").iterdir() if path.is_dir()}


def test_most_mistakes_are_graded() -> None:
    """Reading about a mistake is not the same as repairing it."""
    only_told = {row["number"] for row in TABLE["mistakes"] if not any(" t" in home[:4] for home in row["homes"])}
    assert only_told == {1, 25, 30}, "a dropped .to, device tensors in workers, late errors: shown, guessed and asked"


@pytest.mark.parametrize(
    "place", ["07 t07_9", "07 ## 4. The way back", "07 words that stand nowhere", "07 the host", "04 t04_2_rules"]
)
def test_a_place_that_is_not_there_is_noticed(place: str) -> None:
    assert missing(place, "source")
