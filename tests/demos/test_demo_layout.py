"""The layout demo: every address is where the number is, words follow the choices, and the page stands alone."""

from __future__ import annotations

import ctypes
import doctest
import itertools
import json

import pytest
import torch
from html_check import check, stands_alone

import syncpoint as sp
from syncpoint.demos import layout as layout_module
from syncpoint.demos import layout_picture
from syncpoint.demos.layout import STRUCTURES, VIEWS, Layout


@pytest.fixture(scope="module")
def demo() -> Layout:
    return sp.layout()


@pytest.fixture(scope="module")
def html(demo: Layout) -> str:
    demo.structure, demo.view, demo.value = "list", "whole", (1, 2)
    return demo._repr_mimebundle_()["text/html"]


def expected(view: str) -> torch.Tensor:
    x = torch.tensor([[10.0 * i + j for j in range(4)] for i in range(3)])
    return {"whole": x, "transpose": x.T, "slice": x[1:], "step": x[:, ::2]}[view]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("structure", STRUCTURES)
def test_the_number_is_at_its_address(demo: Layout, structure: str, view: str) -> None:
    demo.value, demo.structure, demo.view = (0, 0), structure, view
    assert demo.shape == tuple(expected(view).shape)
    for index in itertools.product(*map(range, demo.shape)):
        demo.value = index
        if structure == "list":
            found = ctypes.cast(demo.address, ctypes.py_object).value
        else:
            found = (ctypes.c_double if structure == "ndarray" else ctypes.c_float).from_address(demo.address).value
        assert found == float(expected(view)[index])
        assert f"is {found}." in demo.text
        assert f"{demo.address:#x}" in demo.text


@pytest.mark.parametrize("view", VIEWS)
def test_a_lists_path_goes_from_pointer_to_pointer_to_object(demo: Layout, view: str) -> None:
    shown = demo._shown["list", view]
    outer, *inner, objects = shown.strips
    for (i, j), path in shown.paths.items():
        assert path[:2] == [(0, i), (1 + i, j)]
        slot = inner[i].addresses[j]
        assert ctypes.c_void_p.from_address(slot).value == objects.addresses[path[2][1]]
    assert len(outer.addresses) == shown.shape[0]


def test_only_what_a_view_reaches_is_used(demo: Layout) -> None:
    assert demo._shown["tensor", "slice"].strips[0].used == [False] * 4 + [True] * 8
    assert demo._shown["ndarray", "step"].strips[0].used == [True, False] * 6
    assert sum(demo._shown["list", "step"].strips[-1].used) == 6


def test_views_of_a_list_are_new_pointers(demo: Layout) -> None:
    said = {view: demo._shown["list", view].said[0, 0] for view in VIEWS}
    assert "new" not in said["whole"]
    assert "1 new list of pointers" in said["slice"]
    assert "5 new lists of pointers" in said["transpose"]
    assert "4 new lists of pointers" in said["step"]


def test_the_lists_numbers_lie_apart(demo: Layout) -> None:
    objects = demo._shown["list", "whole"].strips[-1]
    assert any(objects.gaps())
    assert not any(demo._shown["tensor", "whole"].strips[0].gaps())


def test_words(demo: Layout) -> None:
    demo.structure, demo.view, demo.value = "tensor", "transpose", (2, 1)
    assert "`x.T`, shape (4, 3), strides (1, 4), not contiguous. Element [2, 1] is 12.0." in demo.text
    assert "2 × 1 + 1 × 4 = 6 elements behind the first one, and 6 × 4 = 24 bytes" in demo.text
    assert "No number was copied" in demo.text
    assert repr(demo).splitlines()[-1] == demo.text


@pytest.mark.parametrize("value", [(3, 0), (0, 4), (-1, 0), (1,), 1, None, (True, 0), "12", (0.0, 1)])
def test_impossible_elements(value: object) -> None:
    d = sp.layout()
    with pytest.raises(ValueError, match=r"choose \(row, column\), rows 0 to 2, columns 0 to 3"):
        d.value = value  # type: ignore[assignment]
    assert d.value == (1, 2)


def test_impossible_choices() -> None:
    d = sp.layout()
    with pytest.raises(ValueError, match="choose one of list, ndarray, tensor"):
        d.structure = "tuple"
    with pytest.raises(ValueError, match="choose one of whole, transpose, slice, step"):
        d.view = "reverse"


def test_a_smaller_view_keeps_the_element_inside() -> None:
    d = sp.layout()
    d.value = (2, 3)
    d.view = "step"
    assert (d.shape, d.value) == ((3, 2), (2, 1))


# The page ----------------------------------------------------------------------------------------------------------


def test_page_is_well_formed_and_asks_for_nothing_outside(html: str) -> None:
    stands_alone(html)


def test_words_and_picture_remain_without_a_script(html: str) -> None:
    page = check(html)
    text = "".join(page.text)
    said_of_lists = "24 B for its object and 8 B for a pointer"
    for said in ("List: x.", "Ndarray: x", "Tensor: x.T", said_of_lists, "6 × 8 = 48 bytes"):
        assert said in text
    assert dict(page.attributes)["alt"].startswith("To scale")


def test_data_for_the_script(html: str, demo: Layout) -> None:
    data = json.loads(dict(check(html).attributes)["data-layout"])
    assert (data["structure"], data["view"], data["value"]) == ("list", "whole", [1, 2])
    assert len(data["shown"]) == len(STRUCTURES) * len(VIEWS)
    one = data["shown"]["tensor step"]
    assert one["values"] == [["0", "2"], ["10", "12"], ["20", "22"]]
    assert one["paths"][1][1] == [[0, 6]]
    assert "<code>x[:, ::2]</code>" in one["said"][0][0]


def test_no_figure_stays_open(demo: Layout) -> None:
    import matplotlib.pyplot as plt

    plt.close("all")
    demo._repr_mimebundle_()
    assert demo.picture()._repr_png_().startswith(b"\x89PNG")
    assert plt.get_fignums() == []


def test_an_open_trace_sees_nothing_and_defaults_change_nothing() -> None:
    sp.sim.use("T4")
    torch.set_default_device("sim")
    try:
        with sp.trace("sim") as t:
            d = sp.layout()
    finally:
        torch.set_default_device(None)
    assert (t.host_ops, t.launches, t.copies, t.waits) == ([], [], [], [])
    assert d.structure == "list"


def test_examples_in_the_docstring() -> None:
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for module in (layout_module, layout_picture):
        result = doctest.testmod(module, optionflags=options)
        assert result.attempted > 0, module
        assert result.failed == 0, module
