"""The depth demo: its numbers are the loops' own, its words follow them, and the learner's machine is left alone."""

from __future__ import annotations

import doctest
import json
import math
from collections.abc import Iterator

import pytest
import torch
from html_check import check, stands_alone

import syncpoint as sp
from syncpoint import loops
from syncpoint.demos import apart, depth_runs
from syncpoint.demos import depth as depth_module
from syncpoint.demos.depth_runs import TOLERANCES, measure


@pytest.fixture(autouse=True)
def a_t4() -> Iterator[None]:
    sp.sim.use("T4")
    yield
    sp.sim.use("T4")


def ones(samples: int = 3, antennas: int = 16) -> torch.Tensor:
    angle = torch.linspace(0, 5, samples * antennas, dtype=torch.float64).view(samples, antennas)
    return torch.polar(torch.ones_like(angle), angle)


# Numbers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("q", [0.3, 0.5, 0.8])
def test_steps_follow_the_formula(q: float) -> None:
    for tolerance, steps, *_ in sp.depth(q).table():
        assert steps == math.floor(math.log(tolerance / (1 - q)) / math.log(q)) + 2


@pytest.mark.parametrize("every", [1, 4, 7])
def test_waits_are_those_of_the_loops(every: int) -> None:
    for tolerance, steps, often, seldom in sp.depth(every=every).table():
        assert (often, seldom) == (steps + 1, math.ceil(steps / every)), tolerance


@pytest.mark.parametrize(("tolerance", "layers"), [(1e-3, 8), (1e-3, 10), (1e-3, 24), (1e-1, 3), (1e-1, 4), (1e-6, 19)])
def test_error_and_converged_are_the_solvers(tolerance: float, layers: int) -> None:
    d = sp.depth()
    d.tolerance, d.value = tolerance, layers
    gain, steps, converged = loops.GainSolver(layers, 0.5, tolerance)(ones(), ones())
    assert d.converged is bool(converged.all())
    assert d.error == pytest.approx(float((gain - 1).abs().max()), rel=1e-6)
    assert d.steps == max(int(steps.max()), d.steps)
    assert d.waits == {"Python while": d.steps + 1, "a test every 4 steps": math.ceil(d.steps / 4), "layers": 0}


def test_a_small_step_is_no_small_error() -> None:
    """At q = 0.8 the error is four times the last step."""
    d = sp.depth(0.8)
    d.value = d.steps
    assert d.converged
    assert d.error == pytest.approx(4 * d.runs.sizes[d.steps], rel=1e-6)
    assert d.error > d.tolerance


def test_times_and_memory_grow_with_every_layer_alike() -> None:
    runs = measure(0.5, 4)
    times = [cost.elapsed_us for cost in runs.layers]
    assert [cost.waits for cost in runs.layers] == [0] * len(times)
    each = [b - a for a, b in zip(times[1:], times[2:], strict=False)]
    assert min(each) == pytest.approx(max(each))
    kept = [b - a for a, b in zip(runs.saved_bytes[1:], runs.saved_bytes[2:], strict=False)]
    assert len(set(kept)) == 1
    assert kept[0] > depth_runs.SAMPLES * depth_runs.ANTENNAS * 16  # a residual at least


def test_layers_take_the_time_of_a_trace_of_them() -> None:
    sp.sim.use("T4")
    a = ones(depth_runs.SAMPLES).to("sim")
    solver = loops.GainSolver(7)
    with sp.trace("sim") as t:
        state = solver.start(a)
        for layer in solver.loop.layers:
            state = layer(state, (a, a))
    assert measure(0.5, 4).layers[7].elapsed_us == pytest.approx(t.elapsed_us)


def test_memory_of_a_loop_that_the_host_tests_is_the_same_for_each_step() -> None:
    runs, kept = measure(0.5, 4), {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        kept[tensor.untyped_storage().data_ptr()] = tensor
        return tensor

    a, loop = ones(depth_runs.SAMPLES), loops.GainLoop(0.5, 1e-3)
    learned = a.clone().requires_grad_()
    start = loop.start(a)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        loops.python_while(loop.cond, loop.body, start, (a, learned))
    assert sum(t.untyped_storage().nbytes() for t in kept.values()) == runs.saved_bytes[runs.steps[1e-3]]


# Words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tolerance", "layers", "said"),
    [
        (1e-3, 8, "8 layers are 2 too few: converged is False, and the error is 0.00391. Waits: Python while 11,"),
        (1e-3, 10, "10 layers are exactly enough: converged is True, and the error is 0.000977. Waits:"),
        (1e-3, 11, "11 layers are enough: converged is True, and the error is 0.000977. The last one changes nothing"),
        (1e-3, 14, "The last 4 change nothing and cost"),
        (1e-1, 1, "the loop needs 4 steps. 1 layer is 3 too few"),
        (1e-6, 20, "Tolerance 0.000001: the loop needs 20 steps. 20 layers are exactly enough"),
    ],
)
def test_words_follow_the_sliders(tolerance: float, layers: int, said: str) -> None:
    d = sp.depth()
    d.tolerance, d.value = tolerance, layers
    assert said in d.text
    assert d.text.endswith("layers 0.")


def test_it_starts_with_too_few_layers() -> None:
    d = sp.depth()
    assert (d.tolerance, d.value, d.steps, d.converged) == (1e-3, 8, 10, False)
    assert sp.depth(0.9).value == 43


@pytest.mark.parametrize("layers", [0, 25, -1, 1.5, "3", None, True])
def test_impossible_number_of_layers(layers: object) -> None:
    d = sp.depth()
    with pytest.raises(ValueError, match="choose a number of layers from 1 to 24"):
        d.value = layers  # type: ignore[assignment]
    assert d.value == 8


def test_impossible_tolerance() -> None:
    d = sp.depth()
    with pytest.raises(ValueError, match=r"choose one of 0.1, 0.01, 0.001, 0.0001, 0.00001, 0.000001"):
        d.tolerance = 0.5


@pytest.mark.parametrize(
    ("options", "said"),
    [({"q": 1.0}, "q is 1.0"), ({"q": 0.0}, "q is 0.0"), ({"every": 0}, "every is 0"), ({"every": 2.5}, "every is 2")],
)
def test_impossible_options(options: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        sp.depth(**options)  # type: ignore[arg-type]


# The page ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def html() -> str:
    return sp.depth()._repr_mimebundle_()["text/html"]


def test_page_is_well_formed_and_asks_for_nothing_outside(html: str) -> None:
    stands_alone(html)


def test_words_and_picture_remain_without_a_script(html: str) -> None:
    page = check(html)
    text = "".join(page.text)
    for said in ("9 layers are 1 too few", "10 layers are exactly enough", "14 layers are enough", "virtual"):
        assert said in text
    attributes = dict(page.attributes)
    assert attributes["src"].startswith("data:image/png;base64,")
    assert "logarithmic" in attributes["alt"]


def test_data_for_the_script(html: str) -> None:
    data = json.loads(dict(check(html).attributes)["data-depth"])
    assert (data["value"], data["most"], len(data["tolerances"])) == (8, 24, len(TOLERANCES))
    assert len(data["errors"]) == len(data["sizes"]) == 25
    chosen = data["tolerances"][data["tolerance"]]
    assert (chosen["name"], chosen["steps"]) == ("0.001", 10)
    assert [row[:3] for row in chosen["loops"]] == [
        ["Python while", "0.000977", "11"], ["a test every 4 steps", "0.000977", "3"],
    ]  # fmt: skip
    assert chosen["layers"][8][:2] == ["0.00391", "0"]
    assert chosen["said"][8] == sp.depth().text


def test_sliders_start_where_code_has_left_them() -> None:
    d = sp.depth()
    d.tolerance, d.value = 1e-5, 21
    data = json.loads(dict(check(d._repr_mimebundle_()["text/html"]).attributes)["data-depth"])
    assert (data["value"], data["tolerance"]) == (21, 4)


def test_plain_text_is_a_table_and_the_sentence() -> None:
    lines = repr(sp.depth()).splitlines()
    assert [line.split() for line in lines[4:5]] == [["0.001", "10", "11", "3", "0"]]
    assert lines[-1] == sp.depth().text


def test_no_figure_stays_open() -> None:
    import matplotlib.pyplot as plt

    plt.close("all")
    sp.depth()._repr_mimebundle_()
    assert plt.get_fignums() == []


# Apart from the learner --------------------------------------------------------------------------------------------


@pytest.fixture
def fresh() -> None:
    measure.cache_clear()


def test_learners_machine_and_trace_are_left_alone(fresh: None) -> None:
    sp.sim.use("A100", devices=2)
    sim = torch.get_device_module("sim")
    sim.set_device(1)
    before = (sim.get_device_name(), sim.device_count(), sim.current_device(), sim.clock_us())
    with sp.trace("sim") as t:
        assert sp.depth().steps == 10
    assert (sim.get_device_name(), sim.device_count(), sim.current_device(), sim.clock_us()) == before
    assert (t.host_us, t.host_ops, t.launches, t.copies, t.waits) == (0, [], [], [], [])


def test_learners_defaults_change_nothing(fresh: None) -> None:
    before = measure(0.5, 4)
    measure.cache_clear()
    torch.set_default_dtype(torch.float16)
    torch.set_default_device("sim")
    try:
        with torch.no_grad():
            assert measure(0.5, 4) == before
    finally:
        torch.set_default_device(None)
        torch.set_default_dtype(torch.float32)


def test_an_error_apart_comes_back_and_the_machine_too() -> None:
    sp.sim.use("A100")

    def fails() -> None:
        raise ZeroDivisionError("here")

    with pytest.raises(ZeroDivisionError, match="here"):
        apart.apart(fails, "T4")
    assert torch.get_device_module("sim").get_device_name() == "sim (A100)"


def test_examples_in_the_docstrings() -> None:
    for module in (depth_module, depth_runs, apart):
        result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
        assert result.attempted > 0, module
        assert result.failed == 0, module
