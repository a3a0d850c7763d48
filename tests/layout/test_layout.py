"""Addresses against ctypes, offsets against PyTorch and NumPy, sharing against what a write really changes."""

from __future__ import annotations

import ctypes
import dataclasses
import itertools
import subprocess
import sys

import numpy as np
import pytest
import torch

import syncpoint as sp
from syncpoint.layout import (
    POINTER_BYTES,
    Memory,
    Timing,
    appends,
    describe,
    inserts,
    pointer_slots,
    reads,
    scattered,
    shares_memory,
    table,
)


def grid() -> torch.Tensor:
    return torch.arange(24.0).view(4, 6)


@pytest.fixture(autouse=True)
def a_t4() -> None:
    sp.sim.use("T4")


VIEWS = {
    "whole": lambda x: x,
    "transpose": lambda x: x.T,
    "rows": lambda x: x[1:3],
    "columns": lambda x: x[:, 2:5],
    "step": lambda x: x[::2, 1::3],
    "column": lambda x: x[:, 4],
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", ["tensor", "ndarray"])
def test_an_element_lies_where_its_address_says(view: str, kind: str) -> None:
    x = VIEWS[view](grid() if kind == "tensor" else grid().double().numpy())
    m = describe(x)
    number = ctypes.c_float if kind == "tensor" else ctypes.c_double
    for index in itertools.product(*map(range, x.shape)):
        assert number.from_address(m.address(*index)).value == float(x[index])


@pytest.mark.parametrize("view", VIEWS)
def test_contiguous_as_torch_and_numpy_say(view: str) -> None:
    x = VIEWS[view](grid())
    assert describe(x).contiguous is x.is_contiguous()
    assert describe(x.numpy()).contiguous is bool(x.numpy().flags.c_contiguous)


@pytest.mark.parametrize("shape", [(0,), (1,), (3, 0, 2), (1, 5), (5, 1), ()])
def test_contiguous_at_the_edges(shape: tuple[int, ...]) -> None:
    x = torch.zeros(shape)
    assert describe(x).contiguous is x.is_contiguous()
    assert describe(torch.zeros(6, 1)[::2]).contiguous is torch.zeros(6, 1)[::2].is_contiguous()


def test_negative_strides() -> None:
    array = np.arange(5.0)
    m = describe(array[::-1])
    assert m.strides == (-1,)
    assert ctypes.c_double.from_address(m.address(1)).value == 3.0


def test_bytes_of_an_element() -> None:
    values = [0.5, 1.5, 2.5]
    assert describe(values).bytes_each == sys.getsizeof(0.5) + POINTER_BYTES
    assert describe(np.array(values)).bytes_each == 8
    assert describe(torch.tensor(values)).bytes_each == 4
    assert describe([]).shape == (0,)


def test_a_lists_slots_hold_the_addresses_of_its_objects() -> None:
    values = [float(i) for i in range(10)]
    slots = pointer_slots(values)
    assert slots is not None
    assert [ctypes.c_void_p.from_address(slot).value for slot in slots] == [id(v) for v in values]
    assert pointer_slots([]) == []


def test_a_list_has_no_strides() -> None:
    with pytest.raises(TypeError, match="no strides"):
        describe([1.0]).offset(0)


@pytest.mark.parametrize("index", [(), (0,), (4, 0), (0, 6), (-1, 0), (0, 0, 0)])
def test_an_index_outside(index: tuple[int, ...]) -> None:
    with pytest.raises(IndexError, match="not in shape"):
        describe(grid()).offset(*index)


def test_other_things_have_no_layout_here() -> None:
    with pytest.raises(TypeError, match="not a dict"):
        describe({})  # type: ignore[arg-type]


@pytest.mark.parametrize(("a", "b"), list(itertools.product(VIEWS, VIEWS)))
def test_sharing_is_what_a_write_shows(a: str, b: str) -> None:
    base = torch.zeros(4, 6)
    first, second = VIEWS[a](base), VIEWS[b](base)
    first.fill_(1)
    changed = bool(second.any())
    assert shares_memory(first, second) is changed
    assert shares_memory(first, second.numpy()) is changed
    assert shares_memory(first.clone(), second) is False


def test_interleaved_views_share_nothing() -> None:
    x = torch.arange(10)
    assert not shares_memory(x[::2], x[1::2])
    assert shares_memory(x[::2], x[::4])


def test_sharing_between_lists_and_devices() -> None:
    values = [1.0]
    assert shares_memory(values, values)
    assert not shares_memory(values, list(values))
    assert not shares_memory(values, np.array(values))
    there = torch.zeros(3, device="sim")
    assert shares_memory(there, there[1:])
    assert not shares_memory(there, torch.zeros(3))
    assert not shares_memory(torch.zeros(0), torch.zeros(0))


def test_the_same_number_on_two_devices_is_not_the_same_address(monkeypatch: pytest.MonkeyPatch) -> None:
    module, x = sys.modules["syncpoint.layout"], torch.zeros(3)
    here = describe(x)
    places = iter([here, dataclasses.replace(here, device="cuda:0")])
    monkeypatch.setattr(module, "describe", lambda _: next(places))
    assert not shares_memory(x, x)


def test_describing_makes_no_one_wait() -> None:
    there = torch.zeros(3, 4, device="sim")
    with sp.trace("sim") as t:
        m = describe(there.T)
    assert (m.device, m.strides) == ("sim:0", (1, 4))
    assert not t.waits
    assert not t.launches


@pytest.mark.parametrize("measure", [inserts, appends])
def test_inserts_and_appends_are_measured_for_each_size(measure: object) -> None:
    found = measure((10, 20))  # type: ignore[operator]
    assert [t.elements for t in found] == [10] * 3 + [20] * 3
    assert all(t.us > 0 for t in found)


def test_reads_and_scattered() -> None:
    assert len(reads(100)) == 5
    assert len({t.what for t in scattered(100)}) == 6


def test_table() -> None:
    text = table([Timing("a", 10, 1.0), Timing("a", 2000, 1234.5), Timing("b", 10, 0.25)])
    assert text.splitlines() == [
        "| wall time, us | 10 elements | 2,000 elements |", "| --- | ---: | ---: |", "| a | 1.00 | 1,234.50 |",
        "| b | 0.25 |  |",
    ]  # fmt: skip


def test_words() -> None:
    assert "strides (1, 6), not contiguous" in str(describe(grid().T))
    assert "8 B of pointer" in str(describe([1.0]))
    assert isinstance(describe(grid()), Memory)


@pytest.mark.parametrize(
    "first", ["import syncpoint.layout", "from syncpoint.layout import describe", "import syncpoint.demos.layout", ""]
)
def test_sp_layout_is_the_demo_whatever_was_imported_first(first: str) -> None:
    shown = "assert sp.layout().text"
    code = f"{first}\nimport syncpoint as sp\n{shown}\nfrom syncpoint.layout import describe\n{shown}"
    subprocess.run([sys.executable, "-c", code], check=True)
