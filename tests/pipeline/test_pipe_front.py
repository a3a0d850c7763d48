"""GPipe as a module: what it accepts, and what it says to the rest."""

from __future__ import annotations

import copy
import io

import pytest
import torch
from parts import machines, network
from torch import nn

from syncpoint import pipeline as P

CPU = ["cpu"] * 2


def two() -> nn.Sequential:
    return nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))


@pytest.mark.parametrize(
    ("balance", "message"),
    [
        ([2, 1], r"balance \[2, 1\] adds up to 3 layers, but the model has 2. balance_by_time"),
        ([1], "adds up to 1 layers, but the model has 2"),
        ([2, 0], "each stage has 1 layer or more"),
        ([], "each stage has 1 layer or more"),
        ([3, -1], "each stage has 1 layer or more"),
    ],
)
def test_an_unbalanced_list(balance, message):
    with pytest.raises(ValueError, match=message):
        P.GPipe(two(), balance, CPU)


def test_other_models_devices_chunks_and_modes():
    with pytest.raises(TypeError, match=r"the model is a Linear; a pipeline cuts an nn.Sequential"):
        P.GPipe(nn.Linear(1, 1), [1], CPU)
    with pytest.raises(ValueError, match="2 stages need 2 devices, devices= names 1"):
        P.GPipe(two(), [1, 1], ["cpu"])
    with pytest.raises(ValueError, match="chunks is 0"):
        P.GPipe(two(), [1, 1], CPU, chunks=0)
    with pytest.raises(ValueError, match="checkpoint is 'sometimes'; known: 'always', 'except_last', 'never'"):
        P.GPipe(two(), [1, 1], CPU, checkpoint="sometimes")
    with pytest.raises(ValueError, match="there are 1 stages and 2 devices"):
        P.Pipeline([nn.Identity()], [torch.device("cpu")] * 2)


def test_default_devices_are_the_accelerators_and_never_too_few():
    machines(2)
    assert [str(device) for device in P.GPipe(two(), [1, 1]).devices] == ["sim:0", "sim:1"]
    with pytest.raises(ValueError, match="3 stages need 3 devices, there are 2 of type sim. Use fewer stages, or give"):
        P.GPipe(nn.Sequential(*two(), nn.ReLU()), [1, 1, 1])


def test_a_shared_parameter_has_one_device():
    model = two()
    model[1].weight = model[0].weight
    machines(2)
    with pytest.raises(ValueError, match="parameter 1.weight of stage 1 is 0.weight of stage 0"):
        P.GPipe(model, [1, 1], ["sim:0", "sim:1"])
    assert P.GPipe(model, [1, 1], ["sim:0", "sim:0"])(torch.ones(1, 2, device="sim:0")).shape == (1, 2)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "the input is a NoneType; a pipeline carries a tensor or a tuple of tensors"),
        ([torch.ones(1)], "the input is a list"),
        ((torch.ones(1), 3), "the input is a tuple that holds int"),
        ((), "the input is an empty tuple"),
    ],
)
def test_inputs_that_are_no_tensors(given, message):
    with pytest.raises(TypeError, match=message):
        P.GPipe(two(), [1, 1], CPU)(given)


def test_inputs_that_can_not_be_cut():
    pipe = P.GPipe(two(), [1, 1], CPU)
    with pytest.raises(ValueError, match="input 0 has no dimensions"):
        pipe(torch.ones(()))
    with pytest.raises(ValueError, match=r"the inputs have \[2, 3\] samples"):
        pipe((torch.ones(2, 2), torch.ones(3, 2)))


class Wrong(nn.Module):
    def forward(self, x):
        return {"x": x}


def test_a_result_that_is_no_tensor_names_the_stage():
    with pytest.raises(TypeError, match="the result of stage 1 is a dict"):
        P.GPipe(nn.Sequential(nn.Identity(), Wrong()), [1, 1], CPU)(torch.ones(2, 2))


def test_an_input_on_the_wrong_device():
    machines(2)
    with pytest.raises(ValueError, match=r"input 0 is on cpu, the first stage on sim:0: move it with x.to\('sim:0'\)"):
        P.GPipe(two(), [1, 1])(torch.ones(2, 2))


def test_a_pipeline_is_not_moved_but_may_change_its_dtype():
    machines(2)
    pipe = P.GPipe(two(), [1, 1])
    for move in (lambda: pipe.to("cpu"), pipe.cuda, pipe.cpu, lambda: pipe.to(torch.device("sim:0"), torch.float64)):
        with pytest.raises(TypeError, match=r"the stages have their devices already \(sim:0, sim:1\)"):
            move()
    x = torch.ones(2, 2, device="sim:0", dtype=torch.float64)
    assert pipe.to(torch.float64)(x).dtype == torch.float64
    assert pipe.float()(x.float()).dtype == torch.float32


def test_parameters_moved_behind_its_back_are_found():
    machines(2)
    pipe = P.GPipe(two(), [1, 1])
    pipe.stages[1].to("sim:0")
    with pytest.raises(RuntimeError, match=r"1.weight of stage 1 is on sim:0, but the stage was put on sim:1"):
        pipe(torch.ones(2, 2, device="sim:0"))


def test_it_is_a_module_like_others():
    pipe = P.GPipe(network(), [3, 4], CPU)
    assert len(pipe) == 7
    assert [type(layer).__name__ for layer in pipe][:2] == ["Linear", "Tanh"]
    buffer = io.BytesIO()
    torch.save(pipe.state_dict(), buffer)
    buffer.seek(0)
    other = P.GPipe(network(seed=9), [3, 4], CPU)
    other.load_state_dict(torch.load(buffer))
    x = torch.ones(2, 6)
    assert torch.equal(pipe(x), other(x))
    twin = copy.deepcopy(pipe)
    assert torch.equal(twin(x), pipe(x))
    assert list(twin.parameters())[0] is not list(pipe.parameters())[0]


def test_a_copy_of_a_pipeline_that_has_run_runs():
    machines(2)
    pipe = P.GPipe(two(), [1, 1], chunks=2)
    x = torch.ones(4, 2, device="sim:0")
    pipe(x)
    twin = copy.deepcopy(pipe)
    with torch.no_grad():
        twin.stages[0][0].weight.zero_()
    assert not torch.equal(twin(x), pipe(x))


def test_an_exchanged_stage_is_used():
    pipe = P.GPipe(two(), [1, 1], CPU)
    pipe.stages[1] = nn.Sequential(nn.Identity())
    x = torch.ones(2, 2)
    assert torch.equal(pipe(x), pipe.stages[0](x))


def test_the_layers_keep_their_names():
    from collections import OrderedDict

    model = nn.Sequential(OrderedDict(first=nn.Linear(2, 2), second=nn.Linear(2, 2)))
    pipe = P.GPipe(model, [1, 1], CPU)
    assert [name for name, _ in pipe.named_parameters()][0] == "stages.0.first.weight"
    assert [stage.training for stage in pipe.eval().stages] == [False, False]
