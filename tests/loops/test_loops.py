"""Four ways to run one loop: the same values, and each the number of waits that it promises."""

from __future__ import annotations

import doctest
import math
from collections.abc import Callable, Iterator
from functools import partial

import pytest
import torch
from torch import Tensor

import syncpoint as sp
from syncpoint import loops

State = tuple[Tensor, ...]
SIM = "sim"


def go_on(left: Tensor, x: Tensor) -> Tensor:
    return left.sum() > 0


def halve_and_double(left: Tensor, x: Tensor) -> State:
    return left - 1, x * 2


def unrolled(layers: int, cond: loops.Cond, body: loops.Body, state: State, given: State = ()) -> State:
    return loops.Unrolled(cond, body, layers)(state, given)[0]


#: Each way, and its waits for n steps.
WAYS: dict[str, tuple[Callable[..., State], Callable[[int], int]]] = {
    "python_while": (loops.python_while, lambda n: n + 1),
    "while_loop": (loops.while_loop, lambda n: n + 2 if n else 1),
    "check_every 1": (partial(loops.check_every, 1), lambda n: max(1, n)),
    "check_every 4": (partial(loops.check_every, 4), lambda n: max(1, math.ceil(n / 4))),
    "check_every 50": (partial(loops.check_every, 50), lambda n: 1),
    "unrolled": (partial(unrolled, 25), lambda n: 0),
}
#: counter, steps, counter at the end. The sum decides, so [3, 1] is done after two steps.
COUNTERS = [([5], 5, [0]), ([1], 1, [0]), ([0], 0, [0]), ([3, 1], 2, [1, -1]), ([-2], 0, [-2]), ([8], 8, [0])]


@pytest.fixture(autouse=True)
def a_t4() -> Iterator[None]:
    sp.sim.use("T4")
    yield
    sp.sim.use("T4")


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> tuple[Callable[..., State], Callable[[int], int]]:
    return WAYS[request.param]


def phases(*shape: int, seed: int = 0) -> Tensor:
    """Unit arrows."""
    angle = torch.rand(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) * 6.28
    return torch.polar(torch.ones_like(angle), angle)


def formula(q: float, gain: float, tol: float) -> int:
    """Steps of the gain loop: the first n with (1 - q) q^(n-1) |g| < tol."""
    return max(1, math.floor(math.log(tol / ((1 - q) * gain)) / math.log(q)) + 2)


# Values, steps, waits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("counter", "steps", "end"), COUNTERS)
@pytest.mark.parametrize("device", ["cpu", SIM])
def test_values_and_waits_of_a_counter(way, counter, steps, end, device):
    run, waits = way
    state = torch.tensor(counter).to(device), torch.ones(2, 3, dtype=torch.float64).to(device)
    with sp.trace(device) as t:
        left, x = run(go_on, halve_and_double, state)
    sp.checks.equal(left, torch.tensor(end))
    sp.checks.equal(x, torch.full((2, 3), 2.0**steps, dtype=torch.float64))
    sp.checks.on_device(left, device)
    if device == SIM:
        sp.checks.waits(t, exactly=waits(steps))
        sp.checks.copies(t, exactly=0)


@pytest.mark.parametrize(
    ("q", "gain", "tol", "steps"),
    [
        (0.5, 1, 1e-3, 10), (0.5, 1, 1e-6, 20), (0.25, 3, 1e-3, 7), (0.25, 3, 1e-6, 12), (0.9, 1, 1e-3, 45),
        (0.9, 1, 1e-6, 111), (0.5, 0.1, 10.0, 1),
    ],
)  # fmt: skip
def test_gain_loop_takes_the_steps_of_the_formula(q, gain, tol, steps):
    assert formula(q, gain, tol) == steps
    a = phases(16).to(SIM)
    loop = loops.GainLoop(q, tol)
    y = gain * 1j * a
    with sp.trace(SIM) as t:
        found, size, taken = loops.python_while(loop.cond, loop.body, loop.start(y), (y, a))
    sp.checks.waits(t, exactly=steps + 1)
    assert taken.item() == steps
    sp.checks.close(found, torch.tensor(gain * 1j * (1 - q**steps), dtype=torch.complex128), rtol=1e-9)
    sp.checks.close(size, torch.tensor((1 - q) * q ** (steps - 1) * gain), rtol=1e-6)


def test_a_small_step_is_no_small_error():
    """The error is q / (1 - q) times the last step."""
    a, loop = phases(16), loops.GainLoop(0.9, 1e-3)
    gain, size, _ = loops.python_while(loop.cond, loop.body, loop.start(a), (a, a))
    sp.checks.close((gain - 1).abs(), 9 * size, rtol=1e-6)
    assert size < 1e-3 < 8e-3 < (gain - 1).abs()


GAINS, STEPS = [0.1, 0.5, 1, 2, 4, 8], [7, 9, 10, 11, 12, 13]


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
def test_each_sample_stops_by_itself(way, dtype):
    run, waits = way
    gains = torch.tensor(GAINS, dtype=dtype).to(SIM)
    a = phases(len(GAINS), 16).to(dtype).to(SIM)
    y, loop = gains[:, None] * a, loops.GainLoop(0.5, 1e-3)
    with sp.trace(SIM) as t:
        gain, _, steps = run(loop.cond, loop.body, loop.start(y), (y, a))
    sp.checks.equal(steps, torch.tensor(STEPS))
    sp.checks.close(gain, torch.tensor([g * (1 - 0.5**n) for g, n in zip(GAINS, STEPS, strict=True)]), rtol=1e-5)
    sp.checks.waits(t, exactly=waits(max(STEPS)))


# Layers ------------------------------------------------------------------------------------------------------------


def solve(layers: int, device: str = SIM) -> tuple[Tensor, Tensor, Tensor]:
    a = phases(len(GAINS), 16).to(device)
    y = torch.tensor(GAINS, dtype=torch.complex128).to(device)[:, None] * a
    with sp.trace(device) as t:
        found = loops.GainSolver(layers, 0.5, 1e-3)(y, a)
    if device == SIM:
        sp.checks.waits(t, exactly=0)
        sp.checks.copies(t, exactly=0)
    return found


@pytest.mark.parametrize("device", ["cpu", SIM])
def test_one_layer_too_few_is_found_on_the_device(device):
    gain, steps, converged = solve(13, device)
    assert converged.tolist() == [True] * 6
    sp.checks.on_device(converged, device)
    assert solve(12, device)[2].tolist() == [True] * 5 + [False]
    assert solve(6, device)[2].tolist() == [False] * 6
    for more, same in zip(solve(18, device), (gain, steps, converged), strict=True):
        sp.checks.equal(more, same.cpu())


@pytest.mark.parametrize(
    ("layers", "left", "x", "converged"), [(4, 1, 16.0, False), (5, 0, 32.0, True), (0, 5, 1.0, False)]
)
def test_too_few_layers_give_a_wrong_value_and_say_so(layers, left, x, converged):
    state, said = loops.Unrolled(go_on, halve_and_double, layers)((torch.tensor([5]), torch.ones(1)))
    assert [v.item() for v in state] == [left, x]
    assert said.item() is converged


def test_a_layer_of_the_counter_is_six_kernels():
    state = torch.tensor([5]).to(SIM), torch.ones(3).to(SIM)
    with sp.trace(SIM) as t:
        loops.Layer(go_on, halve_and_double)(state)
    sp.checks.launches(t, exactly=6)


def test_layers_are_modules_and_share_what_the_body_has():
    scale = torch.nn.Linear(1, 1)
    loop = loops.Unrolled(lambda x: x.abs() < 9, lambda x: (scale(x),), 3)
    assert [type(layer) for layer in loop.layers] == [loops.Layer] * 3
    scale_in_it = loops.Unrolled(lambda x: x.abs() < 9, scale, 3)
    assert len(list(scale_in_it.parameters())) == 2


def test_nan_is_never_solved_and_never_endless():
    y = phases(2, 16) * torch.tensor([[1.0], [math.nan]])
    loop = loops.GainLoop(0.5, 1e-3)
    _, _, steps = loops.python_while(loop.cond, loop.body, loop.start(y), (y, phases(2, 16)))
    assert steps.tolist() == [10, 1]
    assert loops.GainSolver(10)(y, phases(2, 16))[2].tolist() == [True, False]


# Gradients, shapes, devices ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["cpu", SIM])
def test_gradients_flow_through_every_way(way, device):
    x = torch.ones(3, device=device, requires_grad=True)
    way[0](go_on, halve_and_double, (torch.tensor([5], device=device), x))[1].sum().backward()
    sp.checks.equal(x.grad, torch.full((3,), 32.0))


def test_gradients_reach_the_phases_through_the_solver():
    y, angle = phases(4, 16).to(SIM), torch.zeros(4, 16, dtype=torch.float64, device=SIM, requires_grad=True)
    a = torch.polar(torch.ones_like(angle), angle)
    gain, _, _ = loops.GainSolver(12)(y, a)
    (y - gain[:, None] * a).abs().square().sum().backward()
    assert angle.grad.abs().min() > 0


@pytest.mark.parametrize("shape", [(0, 16), (1, 16), (2, 3, 16), (16,), (4, 1)])
def test_any_batch_shape(way, shape):
    a, loop = phases(*shape).to(SIM), loops.GainLoop()
    gain, _, steps = way[0](loop.cond, loop.body, loop.start(a), (a, a))
    sp.checks.shape(gain, shape[:-1])
    sp.checks.equal(steps, torch.full(shape[:-1], 10))


def test_a_second_device():
    sp.sim.use("T4", devices=2)
    a = phases(3, 16).to("sim:1")
    gain, steps, converged = loops.GainSolver(10)(a, a)
    sp.checks.on_device((gain, steps, converged), "sim:1")
    assert converged.all()


def test_memory_for_training_grows_with_the_layers():
    def saved(layers: int) -> int:
        a, found = phases(16), 0

        def pack(x: Tensor) -> Tensor:
            nonlocal found
            found += x.nbytes
            return x

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
            loops.GainSolver(layers)(a.clone().requires_grad_(), a)
        return found

    five, ten, fifteen = map(saved, (5, 10, 15))
    assert ten - five == fifteen - ten > 0


# Mistakes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cond", [lambda left, x: left.sum(), lambda left, x: True, lambda left, x: None])
def test_a_test_that_is_no_bool_tensor(cond):
    for run in (loops.python_while, partial(loops.check_every, 2), partial(unrolled, 2)):
        with pytest.raises(TypeError, match="expected a bool tensor: compare tensors"):
            run(cond, halve_and_double, (torch.tensor([2]), torch.ones(1)))


def test_a_body_that_forgets_a_tensor():
    with pytest.raises(TypeError, match="gave 1 tensors for a state of 2"):
        loops.check_every(2, go_on, lambda left, x: (left - 1,), (torch.tensor([2]), torch.ones(1)))


def test_impossible_numbers():
    with pytest.raises(ValueError, match="k is 0"):
        loops.check_every(0, go_on, halve_and_double, (torch.tensor([2]), torch.ones(1)))
    with pytest.raises(ValueError, match="layers is -1"):
        loops.Unrolled(go_on, halve_and_double, -1)


def test_examples_in_the_docstrings():
    result = doctest.testmod(loops)
    assert result.attempted > 3
    assert result.failed == 0


@pytest.mark.parametrize("device", ["cpu", SIM])
def test_a_trace_does_not_spoil_the_next_while_loop(device):
    """In torch 2.11 the compiler remembers frames that it could not compile because something was watching."""
    for traced in (False, True, False):
        state = torch.tensor([3], device=device), torch.ones(2, device=device, requires_grad=True)
        if traced:
            with sp.trace(device):
                _, x = loops.while_loop(go_on, halve_and_double, state)
        else:
            _, x = loops.while_loop(go_on, halve_and_double, state)
        sp.checks.equal(x, torch.full((2,), 8.0))
