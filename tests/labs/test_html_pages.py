"""`make html`: pages that read offline, with the figures of the labs and without their solutions."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import nbformat
import pages
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).parents[2]
LABS = sorted(path.stem for path in (ROOT / "release").glob("*/*.ipynb"))
ANSWER = {"nbgrader": {"grade_id": "t_answer", "solution": True, "grade": False}}
TEST = {"nbgrader": {"grade_id": "t_test", "solution": False, "grade": True, "points": 1}}
PICTURE = """
import matplotlib.pyplot as plt
from IPython.display import Markdown, display
figure, axes = plt.subplots(figsize=(1, 1))
plt.close(figure)
display(figure)
display(Markdown("*A small picture, with $n + 1$.*"))
"""
SOURCE = [
    new_markdown_cell("# A lab\n\n[![Open](https://colab.research.google.com/badge.svg)](https://colab.research.google.com)"),
    new_code_cell(PICTURE, metadata={"jupyter": {"source_hidden": True}}),
    new_markdown_cell("## What `.to` moves\n\n$$T = \\frac{n}{2} < 3$$"),
    new_code_cell("def answer():\n    return 6 * 7\nprint('printed by', 'the answer')", metadata=ANSWER),
    new_code_cell("assert answer() == 42\nprint('the test has', 'passed')", metadata=TEST),
    new_code_cell("print('then it is', answer() // 2)"),
    new_code_cell("print('waited in:', 'return', '6 *', '7')"),
    new_code_cell("import ipywidgets\nipywidgets.IntSlider(5)"),
]


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    """course/html_pages.py, which is a program and no package."""
    pytest.importorskip("latex2mathml", reason="latex2mathml is not installed: pip install -e '.[lab]'")
    about = importlib.util.spec_from_file_location("html_pages", ROOT / "course" / "html_pages.py")
    assert about
    assert about.loader
    module = importlib.util.module_from_spec(about)
    about.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def page(builder: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A whole page of a small lab, run for real."""
    source, release = new_notebook(cells=SOURCE), nbformat.from_dict(new_notebook(cells=SOURCE).copy())
    release = nbformat.reads(nbformat.writes(release), 4)
    release.cells[3].source = 'def answer():\n    raise NotImplementedError("task 1: ...")'
    done = builder.run(source, tmp_path_factory.mktemp("lab"))
    return builder.page(builder.merged(release, done), "A lab", builder.bar("b", ["a", "b", "c"]))


def test_it_shows_figures_and_no_solution(page: str) -> None:
    assert re.search(r'<img[^>]*alt="A small picture, with \$n \+ 1\$\."', page)
    assert "then it is 21" in page
    assert "NotImplementedError" in page
    for secret in ("6 * 7", "6</span> <span class=\"o\">*", "printed by the answer", "the test has passed"):
        assert secret not in page
    assert page.count("a line of a solution would show") == 1, "a report named the line"
    assert page.count("<details class=\"code\">") == 1, "one cell is folded"
    assert "IntSlider(value" not in page, "a widget without a kernel is nothing to look at"


def loads(page: str) -> list[str]:
    """What a page would fetch: scripts, style sheets, pictures, fonts."""
    fetched = re.findall(r"<(?:script|img|link|iframe|source)\b[^>]*?\b(?:src|href)=[\"'](?!data:)([^\"']+)", page)
    return fetched + re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//[^)\"']+", page)


def test_it_loads_nothing(page: str) -> None:
    assert not loads(page)
    assert loads('<script src="https://x.org/y.js"></script> <img alt="" src="z.png"> url(//fonts.org/a)')[:2] == [
        "https://x.org/y.js", "z.png",
    ]  # fmt: skip
    assert "mathjax" not in page.lower().replace("jp-mathjax", "")


def test_formulas_are_mathml(page: str) -> None:
    assert page.count("<math ") == 2
    assert "<mfrac>" in page


def test_headings_and_neighbours_can_be_reached(page: str) -> None:
    assert 'id="what-to-moves"' in page
    assert re.findall(r'<a href="(\w+\.html)">', page)[:3] == ["a.html", "index.html", "c.html"]


def test_a_release_that_does_not_fit_is_refused(builder: ModuleType) -> None:
    short = new_notebook(cells=SOURCE[1:])
    with pytest.raises(ValueError, match="autograder release"):
        builder.merged(short, new_notebook(cells=SOURCE))


@pytest.mark.parametrize("name", LABS)
def test_every_formula_of_a_lab_becomes_mathml(builder: ModuleType, name: str) -> None:
    """And no lab has a relative link, which would lead nowhere from build/html/."""
    text = pages.text_of(ROOT / "release" / name / f"{name}.ipynb")
    rendered = builder.Exporter().markdown2html(text)
    outside = re.sub(r"<(math|pre|code)\b.*?</\1>", "", rendered, flags=re.DOTALL)
    assert not re.findall(r"\$[^$<>]*\$|\\(?:frac|cdot|text|begin)", outside)
    assert rendered.count("<math ") == len(re.findall(r"\$\$.+?\$\$|\$[^$]+?\$", pages.prose(text), re.DOTALL))
    assert not [link for link in pages.links(text) if not link.startswith(("http:", "https:", "#"))]


@pytest.mark.parametrize("name", LABS)
def test_release_and_source_fit_cell_by_cell(builder: ModuleType, name: str) -> None:
    source, release = (nbformat.read(ROOT / kind / name / f"{name}.ipynb", 4) for kind in ("source", "release"))
    merged = builder.merged(release, source)
    for shown, own in zip(merged.cells, source.cells, strict=True):
        assert builder.learned(shown) == builder.learned(own)


def test_the_index_leads_to_every_lab(builder: ModuleType) -> None:
    index = builder.index()
    assert not loads(index)
    targets = re.findall(r'href="([^"#]*)(#[^"]*)?"', index)
    beside = {file for file, _ in targets if file.endswith(".html") and "/" not in file}
    assert beside == {f"{lab}.html" for lab in LABS}
    assert all(f'id="{anchor[1:]}"' in index for file, anchor in targets if anchor and not file)
    elsewhere = [file for file, _ in targets if file and not file.endswith(".html")]
    assert all(file.startswith(("https://", "http://yann.lecun.com")) for file in elsewhere)
