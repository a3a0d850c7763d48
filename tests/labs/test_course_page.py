"""course/README.md says of the labs what the labs say of themselves, and every link of the course leads somewhere."""

from __future__ import annotations

import ast
import builtins
import json
import re
from pathlib import Path

import pages
import pytest
from addresses import title

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "course" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
LABS = {path.stem[:2]: path for path in sorted((ROOT / "source").glob("*/*.ipynb"))}
CORE = [f"{number:02}" for number in range(10)]
ROWS = re.findall(r"^\| \[(\d\d) (.+?)\]\((.+?)\) \| ([\d.]+) \| (.+?) \|$", TEXT, re.MULTILINE)
HOURS = {number: float(hours) for number, _, _, hours, _ in ROWS}
IN_WORDS = {
    "half an hour": 0.5, "three quarters of an hour": 0.75, "one hour": 1, "an hour and a half": 1.5, "two hours": 2,
    "two and a half hours": 2.5, "three hours": 3,
}
PATHS = {
    float(hours): re.findall(r"^\| (\d\d) \| (.+?) \| ([\d.]+) \|$", rows, re.MULTILINE)
    for hours, rows in re.findall(r"^\*\*(\d+) hours: .*?\n\n(\|.*?)\n\n", TEXT, re.MULTILINE | re.DOTALL)
}
NEEDS = {
    number: set(needed.split(", "))
    for number, needed in re.findall(r"^\| (\d\d) \| ([\d, ]+) \| [^|]+ \|$", TEXT, re.MULTILINE)
}
WORDS = re.findall(r"^- \*\*(.+?)\*\* \(lab (\d\d)\): (.+)$", TEXT, re.MULTILINE)
READABLE = [PAGE, ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "release").glob("*/*.ipynb"))]
KNOWN = set((Path(__file__).parent / "addresses.txt").read_text(encoding="utf-8").split())


def cells(number: str) -> list[dict]:
    return json.loads(LABS[number].read_text(encoding="utf-8"))["cells"]


def flat(text: str) -> str:
    return " ".join(text.lower().split())


def test_every_lab_has_its_row() -> None:
    assert [number for number, *_ in ROWS] == list(LABS)
    for number, name, link, _, learned in ROWS:
        assert name == title(LABS[number])
        assert (PAGE.parent / link).resolve() == ROOT / "release" / LABS[number].stem / LABS[number].name
        assert learned


@pytest.mark.parametrize("number", LABS)
def test_a_lab_and_the_page_promise_the_same_hours(number: str) -> None:
    opening = flat("".join(cells(number)[0]["source"]))
    longest_first = "|".join(sorted(IN_WORDS, key=len, reverse=True))
    said = re.search(rf"(?:takes? about|, and about|\bin) ({longest_first})\b", opening)
    assert said, f"lab {number} does not say how long it takes"
    assert IN_WORDS[said[1]] == HOURS[number]


def test_hours_add_up() -> None:
    extensions = [number for number in LABS if number not in CORE]
    assert f"the core: {sum(HOURS[n] for n in CORE):g} hours" in TEXT
    assert f"extensions: {sum(HOURS[n] for n in extensions):g} hours" in TEXT


def test_there_are_three_paths_and_each_is_as_long_as_it_says() -> None:
    assert set(PATHS) == {2, 6, 14}
    for hours, steps in PATHS.items():
        assert sum(float(part) for _, _, part in steps) == hours
        for number, sections, part in steps:
            assert (float(part) == HOURS[number]) if sections == "all" else (float(part) < HOURS[number])


@pytest.mark.parametrize("number", [number for number in LABS if number > "01"])
def test_a_lab_and_the_page_name_the_same_labs_that_come_before(number: str) -> None:
    said = re.search(r"you need:?\*\* (.+?)(?:you need no gpu|how it works)", flat("".join(cells(number)[0]["source"])))
    assert said, f"lab {number} does not say what it needs"
    named = set(re.findall(r"\b\d\d\b", said[1]))
    for first, last in re.findall(r"\b(\d\d) to (\d\d)\b", said[1]):
        named |= {f"{lab:02}" for lab in range(int(first), int(last))}
    assert named == NEEDS[number]


def test_a_path_holds_what_its_labs_need() -> None:
    assert set(NEEDS) == set(LABS) - {"00"}
    for steps in PATHS.values():
        taken = {number for number, _, _ in steps}
        assert all(NEEDS.get(number, set()) <= taken for number in taken)


def test_so_many_tasks_and_a_stretch_in_each_lab() -> None:
    for number in LABS:
        names = {cell["metadata"].get("nbgrader", {}).get("grade_id", "") for cell in cells(number)}
        tasks = {found[1] for name in names if (found := re.fullmatch(r"t\d\d_(\w+)_answer", name))}
        plain = [task for task in tasks if task.isdigit()]
        assert len(plain) == 2 if number == "00" else 4 <= len(plain) <= 7, f"lab {number}: {sorted(plain)}"
        assert len(tasks) - len(plain) == (12 if number == "04" else 0)
        titles = re.findall(r"^## (.*)$", "\n".join("".join(c["source"]) for c in cells(number)), re.MULTILINE)
        assert any(re.match(r"(\d+\. )?Stretch: ", heading) for heading in titles), f"lab {number} has no stretch"


def section_of_each_cell(number: str) -> list[str]:
    """For each cell: "opening" above section 1, then the number of its section, then "end"."""
    found, now = [], "opening"
    for cell in cells(number):
        if cell["cell_type"] == "markdown":
            for heading in re.findall(r"^## (.*)$", "".join(cell["source"]), re.MULTILINE):
                numbered = re.match(r"(\d+)\. ", heading)
                now = numbered[1] if numbered else ("end" if now != "opening" else now)
        found.append(now)
    return found


def names(code: str) -> tuple[set[str], set[str]]:
    """What a piece of code defines (anywhere in it), and what it uses."""
    defined, used = set(), set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else defined).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.alias):
            defined.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            defined.add(node.name)
    return defined, used


PARTS = [(hours, *step) for hours, steps in PATHS.items() for step in steps if step[1] != "all"]


@pytest.mark.parametrize(("hours", "number", "sections", "part"), PARTS)
def test_a_path_runs_without_what_it_leaves_out(hours: float, number: str, sections: str, part: str) -> None:
    """No cell of the chosen sections uses a name that only a cell in between would define."""
    chosen = re.sub(r"\(.*?\)", "", sections).replace(" ", "").split(",")
    where = section_of_each_cell(number)
    assert chosen[0] == "opening"
    assert set(chosen) <= set(where)
    defined, used = set(dir(builtins)), set()
    for cell, section in zip(cells(number), where, strict=True):
        if cell["cell_type"] == "code" and section in chosen:
            here, needed = names("".join(cell["source"]))
            defined |= here
            used |= needed - defined
    assert not used, f"lab {number}, sections {sections}: {sorted(used)} would be missing"


def test_words_stand_in_order_and_once() -> None:
    terms = [term for term, _, _ in WORDS]
    assert len(terms) > 100
    assert terms == sorted(set(terms), key=str.lower)


@pytest.mark.parametrize(("term", "number", "meaning"), WORDS, ids=[term for term, _, _ in WORDS])
def test_a_word_is_met_where_the_page_says(term: str, number: str, meaning: str) -> None:
    met = flat("\n".join("".join(cell["source"]) for cell in cells(number) if cell["cell_type"] == "markdown"))
    assert re.search(rf"(?<!\w){re.escape(term.lower())}(e?s|ed)?(?!\w)", met.replace("*", "")), f"not in lab {number}"
    assert meaning.endswith(".")
    assert ". " not in meaning, "one sentence"


@pytest.mark.parametrize("page", READABLE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    assert not pages.broken(page)
    strange = [link for link in pages.external(page) if not pages.EXTERNAL.fullmatch(link)]
    assert not strange, f"no complete address: {strange}"
    new = pages.external(page) - KNOWN
    assert not new, f"look at them, and put them into tests/labs/addresses.txt: {sorted(new)}"


def test_no_address_is_listed_that_nobody_links_to() -> None:
    assert KNOWN == set().union(*map(pages.external, READABLE))


def test_the_readme_leads_to_the_course_page() -> None:
    assert "course/README.md" in pages.links((ROOT / "README.md").read_text(encoding="utf-8"))


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A page\n\n## What `.to` moves\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text("[a](other.md#what-to-moves) [b](other.md#nothing) [c](gone.md) [d](#here)\n\n`[e](f)`\n# Here\n",
                    encoding="utf-8")
    assert pages.broken(page) == ["other.md#nothing", "gone.md"]
