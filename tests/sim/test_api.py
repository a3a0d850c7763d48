"""PyTorch's tools on sim: mixed precision, checkpointing, compilation, profiling, loaders of state."""

from __future__ import annotations

import pytest
import torch
from torch.utils.checkpoint import checkpoint

import syncpoint as sp


def waits_of(call) -> int:
    with sp.trace(device="sim") as t:
        call()
    return len(t.waits)


@pytest.mark.parametrize(("fused", "waits"), [(False, 1), (True, 0)])
def test_grad_scaler_waits_unless_the_optimizer_is_fused(fused, waits):
    w = torch.ones(4, device="sim", requires_grad=True)
    scaler, optimizer = torch.amp.GradScaler("sim"), torch.optim.Adam([w], lr=0.1, fused=fused)
    for _ in range(2):
        optimizer.zero_grad()
        with torch.autocast("sim"):
            loss = (w * 2).sum()
        scaler.scale(loss).backward()
        counted = waits_of(lambda: scaler.step(optimizer))
        scaler.update()
    assert counted == waits
    assert torch.all(w < 1).item()


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpointing_keeps_random_state(reentrant):
    torch.manual_seed(0)
    layer = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.5)).to("sim")
    x = torch.ones(2, 8, device="sim", requires_grad=True)
    torch.manual_seed(1)
    out = checkpoint(layer, x, use_reentrant=reentrant)
    out.sum().backward()
    first = x.grad.clone()
    x.grad = None
    torch.manual_seed(1)
    layer(x).sum().backward()
    assert torch.equal(first, x.grad)


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.filterwarnings("ignore")  # the compiler warns of things of its own
def test_compilation_without_a_compiler(backend):
    @torch.compile(backend=backend)
    def function(x):
        return (x * 2 + 1).relu()

    assert function(torch.arange(-2.0, 2.0, device="sim")).cpu().tolist() == [0, 0, 1, 3]


def test_the_profiler_sees_the_host():
    x = torch.ones(4, device="sim")
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], acc_events=True) as profile:
        x + x
    assert "aten::add" in {event.key for event in profile.key_averages()}


def test_foreach_and_fused_are_single_launches():
    parameters = [torch.ones(4, device="sim", requires_grad=True) for _ in range(3)]
    for parameter in parameters:
        parameter.grad = torch.ones_like(parameter)
    optimizer = torch.optim.SGD(parameters, lr=0.1, fused=True)
    with sp.trace(device="sim") as t:
        optimizer.step()
    assert [launch.op for launch in t.launches] == ["aten._fused_sgd_"]
    default = torch.optim.SGD(parameters, lr=0.1)
    with sp.trace(device="sim") as t:
        default.step()
    assert [launch.op for launch in t.launches] == ["aten._foreach_add_.List"]


def test_optimizers_made_before_the_move():
    model = torch.nn.Linear(2, 2)
    adagrad = torch.optim.Adagrad(model.parameters())
    model.to("sim")
    model(torch.ones(1, 2, device="sim")).sum().backward()
    with pytest.raises(RuntimeError, match="same device"):
        adagrad.step()
    adam = torch.optim.Adam(model.parameters(), foreach=False)
    adam.step()
    state = adam.state[model.weight]
    assert (state["exp_avg"].device.type, state["step"].device.type) == ("sim", "cpu")


def test_data_parallel_over_one_device_and_functional_calls():
    model = torch.nn.Linear(2, 2).to("sim")
    state = {name: p.detach() * 0 for name, p in model.named_parameters()}
    out = torch.func.functional_call(model, state, (torch.ones(1, 2, device="sim"),))
    assert out.abs().sum().item() == 0


def test_anomaly_detection_reads_once_a_node():
    w = torch.ones(3, device="sim", requires_grad=True)
    loss = (w * 2).sum()
    with torch.autograd.set_detect_anomaly(True, check_nan=True), sp.trace(device="sim") as t:
        loss.backward()
    assert len(t.waits) == 2


@pytest.mark.filterwarnings("ignore")
def test_generators():
    generator = torch.Generator().manual_seed(3)
    first = torch.randn(3, device="sim", generator=generator).cpu()
    assert torch.equal(first, torch.randn(3, generator=torch.Generator().manual_seed(3)))
