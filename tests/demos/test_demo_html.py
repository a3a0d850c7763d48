"""What every demo promises about its output: well formed, readable without a script, nothing from outside."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys
from typing import Any

import pytest
from html_check import check

import syncpoint as sp

QUESTION = 'Is `a < b` & "c"?'
DEMOS = {
    "race": lambda: sp.race(),
    "race of functions": lambda: sp.race(lambda: None, lambda: None, device="sim"),
    "quiz": lambda: sp.quiz(QUESTION, [("Yes </script>", True, "Right: `a`."), ("No", False, "<b>Look</b> again.")]),
}


@pytest.fixture(params=DEMOS)
def bundle(request: pytest.FixtureRequest) -> dict[str, str]:
    return DEMOS[request.param]()._repr_mimebundle_()


def test_output_is_well_formed(bundle: dict[str, str]) -> None:
    assert check(bundle["text/html"]).wrong == []


def test_output_asks_for_nothing_outside(bundle: dict[str, str]) -> None:
    html = bundle["text/html"]
    assert all(address.startswith("data:") for address in check(html).addresses)
    for word in ("http:", "https:", "//cdn", "@import", "url(", "fetch(", "XMLHttpRequest", "import(", "eval("):
        assert word not in html, word


def test_output_has_no_ids_and_no_inline_handlers(bundle: dict[str, str]) -> None:
    names = [name for name, _ in check(bundle["text/html"]).attributes]
    assert not [name for name in names if name == "id" or name.startswith("on")]


def test_output_can_be_read_without_script_and_without_html(bundle: dict[str, str]) -> None:
    checker = check(bundle["text/html"])
    assert "".join(checker.text).strip()
    assert bundle["text/plain"].strip()
    assert "<" not in bundle["text/plain"].replace("<b>", "").replace("a < b", "").replace("</script>", "")


def test_pictures_have_a_text_in_their_place() -> None:
    for make in (DEMOS["race"], DEMOS["race of functions"]):
        attributes = dict(check(make()._repr_mimebundle_()["text/html"]).attributes)
        assert len(attributes["alt"]) > 20
        assert attributes["src"].startswith("data:image/png;base64,")


def test_texts_of_a_question_are_escaped() -> None:
    html = DEMOS["quiz"]()._repr_mimebundle_()["text/html"]
    plain = "".join(check(html).text)
    assert 'Is a < b & "c"?' in plain
    assert "<b>Look</b> again." in plain
    assert html.count("</script>") == 1


def test_no_figure_stays_open() -> None:
    import matplotlib.pyplot as plt

    plt.close("all")
    sp.race()._repr_mimebundle_()
    assert plt.get_fignums() == []


def test_importing_the_demos_imports_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); import syncpoint.demos.race, syncpoint.demos.quiz,"
        " syncpoint.demos.predict;"
        "print({n.split('.')[0] for n in set(sys.modules) - before} & {'matplotlib', 'ipywidgets', 'IPython', 'numpy'})"
    )
    run = subprocess.run([sys.executable, "-c", f"import torch; {code}"], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_drawing_does_not_import_pyplot() -> None:
    """pyplot would choose a backend and print about it; a figure by itself needs none."""
    code = "import sys, syncpoint as sp; sp.race()._repr_mimebundle_(); print('matplotlib.pyplot' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


@pytest.mark.parametrize("name", ["page", "lanes", "stage", "tick_race", "race", "quiz", "predict"])
def test_examples_in_the_docstrings(name: str) -> None:
    module: Any = importlib.import_module(f"syncpoint.demos.{name}")
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0
    assert result.failed == 0
