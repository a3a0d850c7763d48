"""Where the tensors of a module live, and why some stay behind."""

from __future__ import annotations

from collections import OrderedDict, deque, namedtuple
from dataclasses import dataclass
from functools import partial, wraps
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import nn

import syncpoint as sp
from syncpoint.placement import Placement, placement, same_device
from syncpoint.search import find


@pytest.fixture(autouse=True)
def sim() -> None:
    sp.sim.use("T4", devices=2)


class Plain(nn.Module):
    """Holds one thing of the test's choice beside a registered layer."""

    def __init__(self, **things: Any) -> None:
        super().__init__()
        self.fc = nn.Linear(2, 3)
        for name, thing in things.items():
            setattr(self, name, thing)


def kinds(module: Any) -> dict[str, str]:
    """Path to kind, of all that .to() does not move."""
    return {row.path: row.kind for row in placement(module).rows if not row.moves}


def test_registered_tensors_have_the_names_one_would_type() -> None:
    net = nn.Module()
    net.layers = nn.ModuleList([nn.Linear(2, 3), nn.BatchNorm1d(3)])
    net.named = nn.ModuleDict({"first": nn.Linear(1, 1, bias=False)})
    net.weights = nn.ParameterList([nn.Parameter(torch.ones(1))])
    net.register_buffer("mask", torch.ones(2, dtype=torch.bool), persistent=False)
    rows = {row.path: row for row in placement(net).rows}
    assert rows.keys() == {
        "layers[0].weight", "layers[0].bias", "layers[1].weight", "layers[1].bias", "layers[1].running_mean",
        "layers[1].running_var", "layers[1].num_batches_tracked", "named.first.weight", "weights[0]", "mask",
    }  # fmt: skip
    for path, row in rows.items():
        tensor = eval(f"net.{path}", {"net": net})
        assert (row.shape, row.dtype, row.bytes, row.moves) == (tuple(tensor.shape), tensor.dtype, tensor.nbytes, True)
    assert rows["layers[1].running_mean"].kind == "buffer"
    assert rows["mask"].kind == "buffer (not in state_dict)"
    assert rows["layers[0].weight"].kind == "parameter"
    assert placement(nn.Sequential(nn.Linear(1, 1))).rows[0].path == "[0].weight"


Pair = namedtuple("Pair", ["left", "right"])


@dataclass
class Settings:
    scale: torch.Tensor


class Slotted:
    __slots__ = ("empty", "scale")

    def __init__(self, scale: torch.Tensor) -> None:
        self.scale = scale


def captures(scale: torch.Tensor) -> Any:
    def function(x: torch.Tensor) -> torch.Tensor:
        return x * scale

    return function


def wrapped(function: Any) -> Any:
    @wraps(function)
    def outer(x: torch.Tensor) -> Any:
        return function(x)

    return outer


def t() -> torch.Tensor:
    return torch.ones(2)


HELD = [
    (t, {"thing": "plain attribute"}),
    (lambda: [t(), [t()]], {"thing[0]": "tensor in a list", "thing[1][0]": "tensor in a list"}),
    (lambda: (t(),), {"thing[0]": "tensor in a tuple"}),
    (lambda: Pair(t(), 3), {"thing.left": "tensor in a tuple"}),
    (lambda: deque([t()]), {"thing[0]": "tensor in a list"}),
    (lambda: {"a": t(), 3: {"b": t()}}, {"thing['a']": "tensor in a dict", "thing[3]['b']": "tensor in a dict"}),
    (lambda: {t(): 1}, {"thing.keys()[0]": "tensor in a dict"}),
    (lambda: OrderedDict(a=t()), {"thing['a']": "tensor in a dict"}),
    (lambda: {t()}, {"thing{0}": "tensor in a set"}),
    (lambda: Settings(t()), {"thing.scale": "tensor in a dataclass"}),
    (lambda: Slotted(t()), {"thing.scale": "tensor in an object"}),
    (lambda: SimpleNamespace(deep=[t()]), {"thing.deep[0]": "tensor in an object"}),
    (lambda: partial(torch.add, t(), other=t()), {
        "thing.args[0]": "tensor kept by a function", "thing.keywords['other']": "tensor kept by a function"}),
    (lambda: captures(t()), {"thing captures scale": "tensor kept by a function"}),
    (lambda: wrapped(captures(t())), {"thing captures function captures scale": "tensor kept by a function"}),
    (lambda: lambda x, scale=t(): x * scale, {"thing default scale": "tensor kept by a function"}),  # noqa: B008
    (lambda: lambda x, a, b=1, c=t(), *, d=t(): x, {  # noqa: B008
        "thing default c": "tensor kept by a function", "thing default d": "tensor kept by a function"}),
    (lambda: Settings(t()).__init__, {"thing.__self__.scale": "tensor kept by a function"}),
    (lambda: [nn.Parameter(t())], {"thing[0]": "parameter in a list"}),
    (lambda: [nn.Linear(2, 2, bias=False)], {"thing[0].weight": "parameter of a module in a list"}),
    (lambda: {"a": nn.BatchNorm1d(1, affine=False, track_running_stats=True)}, {
        "thing['a'].running_mean": "buffer of a module in a dict",
        "thing['a'].running_var": "buffer of a module in a dict",
        "thing['a'].num_batches_tracked": "buffer of a module in a dict"}),
    (lambda: [Plain(scale=t()).requires_grad_(False)], {
        "thing[0].fc.weight": "parameter of a module in a list", "thing[0].fc.bias": "parameter of a module in a list",
        "thing[0].scale": "tensor of a module in a list"}),
    (lambda: captures(nn.Linear(1, 1, bias=False)), {
        "thing captures scale.weight": "parameter of a module kept by a function"}),
]  # fmt: skip


@pytest.mark.parametrize(("make", "expected"), HELD)
def test_what_to_does_not_reach_is_found(make: Any, expected: dict[str, str]) -> None:
    net = Plain(thing=make())
    assert kinds(net) == expected
    net.to("sim")
    table = placement(net, "sim")
    assert {row.path for row in table.misplaced} == set(expected)
    assert all(row.device.type == "cpu" and row.why and row.remedy for row in table.misplaced)
    assert all(row.path in str(table) for row in table.misplaced)


def test_remedies_fit_the_way_the_tensor_is_held() -> None:
    cases: list[tuple[Any, str]] = [
        (t(), "self.register_buffer('thing', ...)"),
        ([nn.Linear(1, 1)], "nn.ModuleList"),
        ({"a": nn.Linear(1, 1)}, "nn.ModuleDict"),
        ([nn.Parameter(t())], "nn.ParameterList"),
        ({"a": nn.Parameter(t())}, "nn.ParameterDict"),
        ([t()], "register each tensor under a name of its own"),
        (captures(t()), "pass the tensor as an argument"),
    ]
    for thing, remedy in cases:
        (row, *_) = placement(Plain(thing=thing).to("sim"), "sim").misplaced
        assert remedy in row.remedy


def test_class_attributes_belong_to_no_module() -> None:
    class Net(nn.Module):
        scale = torch.ones(2)
        table = (torch.ones(1),)

    class Child(Net):
        other = torch.ones(3)

    assert kinds(Child()) == {
        "other": "class attribute", "scale": "class attribute", "table[0]": "class attribute",
    }  # fmt: skip


def test_shared_tensors_count_once_and_cycles_end() -> None:
    net = Plain()
    net.tied = nn.Linear(2, 3)
    net.tied.weight = net.fc.weight
    net.alias = net.fc.weight.data
    net.again = [net.fc, net]
    net.again.append(net.again)
    net.again.append(nn.Sequential(net.fc))
    net.me = net.forward
    table = placement(net)
    assert [row.path for row in table.rows] == ["fc.weight", "fc.bias", "tied.bias", "alias"]
    assert table.rows[0].also == ("tied.weight",)
    assert table.total_bytes == 4 * (6 + 3 + 3)  # alias is a view of fc.weight's memory


def test_overlapping_views_are_counted_once() -> None:
    base = torch.zeros(100)
    assert placement([base, base[:50]]).total_bytes == 400
    assert placement([base[:60], base[40:]]).total_bytes == 400
    assert placement([base[:10], base[90:]]).total_bytes == 80
    assert placement([base[::2]]).total_bytes == 200
    assert placement([base[0].expand(1000)]).total_bytes == 4
    assert placement([torch.zeros(0), torch.zeros(0, 3)]).total_bytes == 0
    assert placement([torch.zeros(4, device="meta"), torch.zeros(4, device="meta")]).total_bytes == 32
    sparse = torch.sparse_coo_tensor(torch.zeros(2, 3, dtype=torch.long), torch.ones(3), (9, 9), check_invariants=False)
    assert placement([sparse]).total_bytes == 2 * 3 * 8 + 3 * 4


def test_a_deeply_nested_list_is_no_problem() -> None:
    nested: list[Any] = [torch.ones(1)]
    for _ in range(5_000):
        nested = [nested]
    assert len(find(Plain(thing=nested))) == 3


def test_without_a_device_the_parameters_decide() -> None:
    net = Plain(a=t(), b=t(), c=t()).to("sim:1")
    table = placement(net)
    assert table.device == torch.device("sim:1")
    assert [row.path for row in table.misplaced] == ["a", "b", "c"]
    assert placement(nn.ReLU()).rows == ()
    assert str(placement(nn.ReLU())) == "No tensor found."
    assert not placement(net, "sim:1").rows[0].misplaced
    assert placement(net, "sim:0").rows[0].misplaced


def test_a_module_that_was_never_moved() -> None:
    table = placement(nn.Linear(2, 3), "sim")
    assert len(table.misplaced) == 2
    assert "weight, bias are on cpu, not on sim. Why: .to() moves a parameter" in " ".join(str(table).split())
    assert table.misplaced[0].remedy == 'call .to("sim") on the module.'


def test_a_lazy_parameter_has_no_shape_yet() -> None:
    lazy = nn.LazyLinear(2)
    rows = placement(lazy).rows
    assert [row.shape for row in rows] == [None, None]
    assert "not known yet" in str(placement(lazy))


def test_an_optimizer_made_before_the_move() -> None:
    net = nn.Linear(2, 2)
    early = torch.optim.Adagrad(net.parameters())  # makes its state in __init__
    net.to("sim")
    table = placement(early)
    assert {row.path: row.kind for row in table.misplaced} == {
        "state[0].sum": "optimizer state", "state[1].sum": "optimizer state",
    }  # fmt: skip
    assert "make the optimizer after the move" in table.misplaced[0].remedy
    late = torch.optim.Adam(net.parameters())
    net(torch.ones(1, 2, device="sim")).sum().backward()
    late.step()
    assert placement(late).misplaced == []
    assert placement(late, "sim:0").misplaced == []
    assert {row.path: str(row.device) for row in placement(late).rows}["state[0].step"] == "cpu"
    assert [row.kind for row in placement(Plain(opt=late)).rows][-1] == "optimizer state"


def test_it_never_makes_the_host_wait() -> None:
    net = Plain(scale=t(), keyed={t().to("sim"): t()}).to("sim")
    with sp.trace("sim") as trace:
        table = placement(net, "sim")
        str(table)
        assert repr(table) == str(table)
        repr(table.rows)
        table._repr_html_()
    assert (trace.waits, trace.copies, trace.launches) == ([], [], [])


def test_html_is_escaped_and_says_what_is_misplaced() -> None:
    net = Plain(table={"<script>alert(1)</script>": t()}).to("sim")
    page = placement(net, "sim")._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "<strong>not on sim</strong>" in page
    assert page.count("<tr>") == 1 + 3


def test_a_large_table_is_cut_but_keeps_what_is_misplaced() -> None:
    net = nn.Sequential(*[nn.Linear(1, 1) for _ in range(100)]).to("sim")
    net.scale = t()
    table = placement(net, "sim")
    text = str(table)
    assert len(table.rows) == 201
    assert "! scale " in text
    assert "... and 141 more, all on sim" in text
    assert len(text.splitlines()) < 75
    assert "and 141 more" in table._repr_html_()


def test_objects_that_misbehave_are_left_alone() -> None:
    class Touchy:
        def __init__(self) -> None:
            self.scale = t()

        def __eq__(self, other: object) -> bool:
            raise RuntimeError("not comparable")

        __hash__ = None  # type: ignore[assignment]

        @property
        def costly(self) -> None:
            raise RuntimeError("called")

    def unset() -> Any:
        def function() -> Any:
            return later

        if not function:
            later = 1
        return function

    net = Plain(touchy=Touchy(), unset=unset(), module=torch, kind=Touchy, generator=(n for n in [1]))
    assert kinds(net) == {"touchy.scale": "tensor in an object"}


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("sim", "sim:0", True), ("sim:0", "sim:1", False), ("cpu", "cpu:0", True), ("cpu", "sim", False),
        ("sim:1", "sim:1", True), ("cuda:1", "cuda:1", True), ("meta", "meta", True),
    ],
)  # fmt: skip
def test_same_device(a: str, b: str, same: bool) -> None:
    assert same_device(a, b) is same
    assert same_device(torch.device(b), torch.device(a)) is same


def test_a_device_without_a_number_is_the_current_one() -> None:
    with torch.get_device_module("sim").device(1):
        assert same_device("sim", "sim:1")
        assert not same_device("sim", "sim:0")


def test_a_tensor_alone_and_the_face() -> None:
    table = sp.placement(torch.ones(2), "sim")
    assert isinstance(table, Placement)
    assert table.rows[0].path == "(itself)"
    assert "x = x.to(device)" in table.misplaced[0].remedy
