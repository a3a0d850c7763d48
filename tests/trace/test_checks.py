"""Checks pass in silence, fail with a message that teaches, and cannot be talked round."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy
import pytest
import torch
from made_traces import MadeTrace, copy, launch, loop, wait
from torch import nn

import syncpoint as sp

checks = sp.checks
NAN, INF = math.nan, math.inf


@pytest.fixture(autouse=True)
def sim() -> None:
    sp.sim.use("T4", devices=2)


def says(message: str) -> Any:
    return pytest.raises(AssertionError, match=re.escape(message))


class AlwaysEqual(torch.Tensor):
    """What a clever answer might return."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return True

    def __eq__(self, other: object) -> bool:  # type: ignore[override]
        return True

    device = torch.device("cpu")  # type: ignore[assignment]


class AlwaysFloat(float):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = float.__hash__


liar = torch.ones(2).as_subclass(AlwaysEqual)


# on_device -------------------------------------------------------------------------------------------------------


def test_on_device_looks_into_lists_tuples_dicts_and_modules() -> None:
    x = torch.ones(2, device="sim")
    for value in (x, [x, (x, {"a": x})], nn.Linear(1, 1).to("sim"), nn.Parameter(x)):
        checks.on_device(value, "sim")
        checks.on_device(value, torch.device("sim:0"))
    with says("[1][1]['a'] is on sim:1, expected sim:0"):
        checks.on_device([x, (x, {"a": x.to("sim:1")})], "sim:0")
    with says(".to() returns a new tensor and leaves the old one alone"):
        checks.on_device(torch.ones(1), "sim")
    model = nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1)).to("sim")
    model[1].running_mean = torch.zeros(1)
    with says("1.running_mean is on cpu, expected sim"):
        checks.on_device(model, "sim")
    with says("[0].weight is on cpu"):
        checks.on_device([nn.Linear(1, 1)], "sim")


def test_on_device_wants_something_to_look_at() -> None:
    for nothing in ([], {}, nn.ReLU(), [[], ()]):
        with says("found no tensor in this"):
            checks.on_device(nothing, "cpu")
    with says("the value is a NoneType, expected a torch.Tensor. Did the function forget to return its result?"):
        checks.on_device(None, "cpu")
    with says("[1] is a float, expected a torch.Tensor. A number read with .item() lives on the host."):
        checks.on_device([torch.ones(1), 3.0], "cpu")
    with says("AlwaysEqual, a subclass of torch.Tensor"):
        checks.on_device(liar, "cpu")


# dtype and shape ---------------------------------------------------------------------------------------------------


def test_dtype() -> None:
    checks.dtype(torch.ones(1, dtype=torch.float16, device="sim"), torch.float16)
    with says("expected dtype torch.float32, got torch.float64."):
        checks.dtype(torch.ones(1, dtype=torch.float64), torch.float32)
    with says("the value is a ndarray"):
        checks.dtype(numpy.ones(1), torch.float64)


def test_shape() -> None:
    checks.shape(torch.ones(2, 3), (2, 3))
    checks.shape(torch.ones(2, 3), [2, 3])
    checks.shape(torch.ones(()), torch.Size([]))
    with says("expected shape (2, 3), got (3, 2)."):
        checks.shape(torch.ones(3, 2), (2, 3))
    with says("expected shape (1,), got ()."):
        checks.shape(torch.tensor(1.0), (1,))


# equal and close ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "x",
    [
        torch.arange(6).reshape(2, 3), torch.tensor(3.5), torch.ones(0, 2), torch.tensor([True, False]),
        torch.tensor([NAN, INF, -INF, 0.0]), torch.tensor([1 + 2j, complex(NAN, 0)]),
        torch.ones(2, dtype=torch.bfloat16),
    ],
)  # fmt: skip
def test_equal_to_itself_wherever_it_is(x: torch.Tensor) -> None:
    for check in (checks.equal, checks.close):
        check(x, x.clone())
        check(x.to("sim"), x)
        check(x, x.to("sim:1"))
    checks.equal(x.mT if x.dim() > 1 else x, x.mT if x.dim() > 1 else x)


def test_equal_names_the_first_difference() -> None:
    want = torch.zeros(2, 3)
    got = want.clone()
    got[0, 2] = got[1, 1] = 5.0
    with says("2 of 6 values differ. The first is at index (0, 2): expected 0.0, got 5.0."):
        checks.equal(got.to("sim"), want)
    with says("1 of 1 value differs. The first is: expected 1, got 2."):
        checks.equal(torch.tensor(2), torch.tensor(1))
    with says("expected 1.0, got nan"):
        checks.equal(torch.tensor([NAN]), torch.tensor([1.0]))
    with says("expected nan, got 1.0"):
        checks.equal(torch.tensor([1.0]), torch.tensor([NAN]))
    with says("expected False, got True"):
        checks.equal(torch.tensor([True]), torch.tensor([False]))


def test_equal_compares_dtype_and_shape_too() -> None:
    with says("expected dtype torch.float32, got torch.float64."):
        checks.equal(torch.ones(2, dtype=torch.float64), torch.ones(2))
    with says("expected shape (2,), got (1, 2)."):
        checks.equal(torch.ones(1, 2), torch.ones(2))
    with says("expected shape (2,), got ()."):
        checks.equal(torch.tensor(1.0), torch.ones(2))


def test_only_true_tensors_are_compared() -> None:
    for check in (checks.equal, checks.close):
        with says("subclass of torch.Tensor; expected a plain tensor"):
            check(liar, torch.ones(2))
        for wrong in ([1.0, 1.0], numpy.ones(2), 1.0, None, True):
            with says("expected a torch.Tensor"):
                check(wrong, torch.ones(2))
        with says("meta device, where tensors have no values"):
            check(torch.ones(2, device="meta"), torch.ones(2))
        with pytest.raises(TypeError, match=r"there is checks\.number"):
            check(torch.ones(2), 1.0)
    checks.equal(nn.Parameter(torch.ones(2)), torch.ones(2))
    checks.equal(torch.ones(2), nn.Parameter(torch.ones(2)))


def test_close_has_a_relative_and_an_absolute_tolerance() -> None:
    want = torch.tensor([1.0, 100.0, 0.0], dtype=torch.float64)
    checks.close(want * (1 + 0.9e-5), want)
    checks.close(want.float(), want)
    checks.close((want + 0.01).to("sim"), want, atol=0.011)
    with says("1 of 3 values differs (rtol 1e-05, atol 1e-08). The first is at index (1,): expected 100.0, got 100.1"):
        checks.close(want + torch.tensor([0, 0.1, 0], dtype=torch.float64), want)
    with says("1 of 3 values differs"):
        checks.close(want + torch.tensor([0, 0, 2e-8], dtype=torch.float64), want)
    with says("expected nan, got 0.0"):
        checks.close(torch.zeros(1), torch.tensor([NAN]))
    with says("expected 1.0, got inf"):
        checks.close(torch.tensor([INF]), torch.tensor([1.0]))
    with says("expected inf, got -inf"):
        checks.close(torch.tensor([-INF]), torch.tensor([INF]))
    with says("truth values and numbers are not compared"):
        checks.close(torch.tensor([True]), torch.tensor([1.0]))
    checks.close(torch.tensor([1, 2]), torch.tensor([1.0, 2.0]))
    checks.close(torch.tensor([1.0 + 0j]), torch.tensor([1.0]))
    with says("differs"):
        checks.close(torch.tensor([1.0]), torch.tensor([1.1]), rtol=0, atol=0)


# number ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (3, 3), (3.0, 3), (0.1 + 0.2, 0.3), (INF, INF), (0.0, 0), (1 << 20_000, 1 << 20_000), (2**60 + 1, 2**60),
        (numpy.float64(2.5), 2.5), (numpy.int64(4), 4), (numpy.float32(0.5), 0.5),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_numbers_that_agree(actual: Any, expected: float) -> None:
    checks.number(actual, expected)


@pytest.mark.parametrize(
    ("actual", "expected", "message"),
    [
        (4, 3, "expected the number to be 3, got 4."),
        (3 * (1 + 2e-9), 3, "expected the number to be 3"),
        (1e-12, 0, "expected the number to be 0"),
        (-INF, INF, "expected the number to be inf, got -inf"),
        (INF, 3, "got inf"),
        (1 << 20_000, 3, "expected the number to be 3, got an int of 20,001 bits."),
        (NAN, 3, "the number is NaN"),
        (NAN, NAN, "the number is NaN"),
        (True, 1, "the number is the truth value True, expected a number"),
        (numpy.bool_(True), 1, "expected an int or a float"),
        (torch.tensor(3.0), 3, "the number is a tensor on cpu, expected a Python number: read it once, with .item()"),
        ("3", 3, "the number is a str, expected an int or a float"),
        (None, 3, "Did the function forget to return its result?"),
        (AlwaysFloat(1), 3, "the number is a AlwaysFloat, expected an int or a float"),
        (3 + 0j, 3, "the number is a complex"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_numbers_that_do_not(actual: Any, expected: float, message: str) -> None:
    with says(message):
        checks.number(actual, expected)


def test_a_number_can_have_a_name_and_a_tolerance() -> None:
    checks.number(1.05, 1.0, rel=0.1)
    with says("expected the number of waits to be 2, got 3."):
        checks.number(3, 2, what="the number of waits")


# raises ------------------------------------------------------------------------------------------------------------


def fail(error: BaseException) -> None:
    raise error


def test_raises() -> None:
    error = checks.raises(ValueError, fail, ValueError("too small"), match="small")
    assert str(error) == "too small"
    checks.raises((KeyError, ValueError), fail, KeyError("x"))
    with says("expected ValueError, but nothing was raised; len returned a int."):
        checks.raises(ValueError, len, [])
    with says("expected ValueError, got TypeError: no"):
        checks.raises(ValueError, fail, TypeError("no"))
    with says("expected a message that matches 'large', got: too small"):
        checks.raises(ValueError, fail, ValueError("too small"), match="large")


def test_an_exercise_that_is_not_written_does_not_pass_as_an_error() -> None:
    with says("expected RuntimeError, got NotImplementedError: task 3.2"):
        checks.raises(RuntimeError, fail, NotImplementedError("task 3.2"))
    with says("got NotImplementedError"):
        checks.raises(Exception, fail, NotImplementedError("task 3.2"))
    checks.raises(NotImplementedError, fail, NotImplementedError("task 3.2"))
    with pytest.raises(KeyboardInterrupt):
        checks.raises(ValueError, fail, KeyboardInterrupt())


# storage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["cpu", "sim", "sim:1", "meta"])
def test_storage_on_every_device(device: str) -> None:
    x = torch.zeros(4, 6, device=device)
    for view in (x, x[1:], x.T, x.view(-1)[3:5], x.detach(), x[:0]):
        checks.same_storage(x, view)
        with says("expected a tensor with memory of its own"):
            checks.not_same_storage(x, view)
    for other in (x.clone(), x + 0, torch.zeros(4, 6, device=device), x.T.contiguous()):
        checks.not_same_storage(x, other)
        with says("something has copied"):
            checks.same_storage(x, other)


def test_storage_across_devices_and_libraries() -> None:
    array = numpy.zeros(4)
    checks.same_storage(torch.from_numpy(array), torch.from_numpy(array[2:]))
    checks.not_same_storage(torch.from_numpy(array), torch.tensor(array))
    x = torch.zeros(3)
    checks.not_same_storage(x, x.to("sim"))
    checks.not_same_storage(torch.zeros(0), torch.zeros(0))
    empty = torch.zeros(0)
    checks.same_storage(empty, empty.view(0, 3))
    with says("the first value is a ndarray"):
        checks.same_storage(array, x)
    with says("the second value is a AlwaysEqual"):
        checks.not_same_storage(x, liar)


# placed ------------------------------------------------------------------------------------------------------------


def test_placed() -> None:
    net = nn.Linear(2, 2)
    net.scale = torch.ones(2)
    with says("3 tensors not on sim"):
        checks.placed(net, "sim")
    net.to("sim")
    with says("1 tensor not on sim:\n  scale is on cpu, not on sim. Why: a plain attribute is neither a parameter"):
        checks.placed(net, "sim")
    net.scale = net.scale.to("sim")
    checks.placed(net, "sim:0")


# traces ------------------------------------------------------------------------------------------------------------


def test_waits_name_the_line_and_the_remedy() -> None:
    trace: Any = loop(7)
    checks.waits(trace, exactly=7)
    checks.waits(trace, at_most=7)
    checks.waits(trace, exactly=0, kind="copy")
    with pytest.raises(AssertionError) as caught:
        checks.waits(trace, at_most=1)
    assert str(caught.value) == (
        "expected at most 1 wait, got 7:\n"
        "  train.py, line 4: while (x.norm() > 1).item():\n"
        "      .item() waited 7 times (value read)\n"
        "      Remedy: keep the value on the device (detach() it if it carries a graph) and read it once, at the end."
    )
    with says('expected exactly 0 waits of kind "value read", got 7:'):
        checks.waits(trace, exactly=0, kind="value read")


def test_too_few_waits() -> None:
    with says("expected exactly 8 waits, got 7. Is the data on the device, and did the code run inside the trace?"):
        checks.waits(loop(7), exactly=8)  # type: ignore[arg-type]
    with says("expected exactly 1 wait, got none."):
        checks.waits(MadeTrace(), exactly=1)  # type: ignore[arg-type]


def test_many_lines_are_cut_and_a_remedy_is_told_once() -> None:
    trace: Any = MadeTrace()
    trace.waits = [wait(line=line, us=line) for line in range(1, 9)]
    with pytest.raises(AssertionError) as caught:
        checks.waits(trace, at_most=0)
    text = str(caught.value)
    assert "train.py, line 8:" in text
    assert "train.py, line 3:" not in text
    assert "... and 3 more lines" in text
    assert text.count("Remedy") == 1


def test_copies() -> None:
    trace: Any = MadeTrace()
    trace.copies = [copy(), copy(), copy(kind="D2H", line=9, source="y = y.cpu()")]
    checks.copies(trace, exactly=3)
    checks.copies(trace, exactly=1, kind="D2H")
    checks.copies(trace, exactly=0, kind="P2P")
    with pytest.raises(AssertionError) as caught:
        checks.copies(trace, at_most=1)
    assert str(caught.value) == (
        "expected at most 1 copy, got 3:\n"
        "  train.py, line 2: x = x.to(device)\n"
        "      2 copies H2D\n"
        "      Remedy: move the data once, before the loop, or make it on the device with device=...\n"
        "  train.py, line 9: y = y.cpu()\n"
        "      1 copy D2H\n"
        "      Remedy: keep results on the device and copy them once, at the end."
    )


def test_launches() -> None:
    trace: Any = MadeTrace()
    trace.launches = [launch(), launch(op="aten.add.Tensor"), launch(line=9)]
    checks.launches(trace, exactly=3)
    checks.launches(trace, at_most=3)
    with says("expected at most 2 launches, got 3:\n  train.py, line 5: x = x * 0.5\n      2 operators: mul, add"):
        checks.launches(trace, at_most=2)


def test_a_check_that_is_called_wrongly_is_no_failed_check() -> None:
    trace: Any = loop(1)
    for check in (checks.waits, checks.copies, checks.launches):
        with pytest.raises(TypeError, match="either exactly= or at_most="):
            check(trace)
        with pytest.raises(TypeError, match="either exactly= or at_most="):
            check(trace, exactly=1, at_most=1)
    with pytest.raises(ValueError, match="unknown kind 'item': expected one of 'value read'"):
        checks.waits(trace, exactly=1, kind="item")
    with pytest.raises(ValueError, match="unknown kind 'h2d': expected one of 'H2D', 'D2H', 'P2P'"):
        checks.copies(trace, exactly=1, kind="h2d")


def test_a_real_trace() -> None:
    with sp.trace("sim") as trace:
        x = torch.ones(64).to("sim")
        y = (x * 2).sum()
        y.item()
        x.view(8, 8)
    checks.waits(trace, exactly=2)
    checks.waits(trace, exactly=1, kind="copy")
    checks.copies(trace, exactly=1, kind="H2D")
    checks.launches(trace, exactly=2)
    with pytest.raises(AssertionError, match=r"test_checks\.py, line \d+: y\.item\(\)\n      \.item\(\) waited once"):
        checks.waits(trace, exactly=0)


def test_the_face_has_exactly_the_promised_checks() -> None:
    assert sorted(checks.__all__) == [
        "close", "copies", "dtype", "equal", "launches", "not_same_storage", "number", "on_device", "placed", "raises",
        "same_storage", "shape", "waits",
    ]  # fmt: skip
    assert all(callable(getattr(checks, name)) for name in checks.__all__)
