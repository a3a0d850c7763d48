"""Skip connections over stages."""

from __future__ import annotations

import pytest
import torch
from parts import machines
from torch import nn

import syncpoint as sp
from syncpoint import pipeline as P


@P.skippable(stash=["1to3"])
class Down(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 1)

    def forward(self, x):
        y = self.conv(x)
        return y, {"1to3": x.tanh() + y}


class Middle(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 1)

    def forward(self, x):
        return self.conv(x).sigmoid()


@P.skippable(pop=["1to3"])
class Up(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 1)

    def forward(self, x, **skips):
        return self.conv(x) + skips["1to3"]


def reference(layers, x, m):
    """Without a pipeline: gradients of the micro-batches in the pipeline's order."""
    results = []
    for piece in x.tensor_split(m):
        y, skips = layers[0](piece)
        results.append(layers[2](layers[1](y), **skips))
    for y in reversed(results):
        y.backward(torch.ones_like(y))
    return torch.cat(results).detach(), [p.grad.clone() for p in layers.parameters()]


@pytest.mark.parametrize("balance", [[3], [1, 2], [2, 1], [1, 1, 1]])
@pytest.mark.parametrize("checkpoint", ["always", "except_last", "never"])
def test_one_to_three(balance, checkpoint):
    torch.manual_seed(0)
    layers = nn.Sequential(Down(), Middle(), Up())
    x = torch.randn(6, 3, 4, 4)
    wanted, grads = reference(layers, x, 3)
    layers.zero_grad()
    devices = machines(len(balance), copy_us=9)
    pipe = P.GPipe(layers, balance, devices, 3, checkpoint)
    with sp.trace(device="sim") as t:
        y = pipe(x.to(devices[0]))
        y.sum().backward()
    assert [str(race) for race in t.races] == []
    assert torch.equal(y.detach().cpu(), wanted)
    assert all(torch.equal(p.grad.cpu(), g) for p, g in zip(pipe.parameters(), grads, strict=True))


def test_a_skip_is_copied_once_and_straight():
    devices = machines(3)
    pipe = P.GPipe(nn.Sequential(Down(), Middle(), Up()), [1, 1, 1], devices, 2)
    with sp.trace(device="sim") as t, torch.no_grad():
        pipe(torch.ones(2, 3, 4, 4, device=devices[0]))
    assert [copy.device for copy in t.copies].count("sim:2") == 2 * 2  # the result and the skip, for each micro-batch
    assert [copy.device for copy in t.copies].count("sim:1") == 2


@P.skippable(stash=["a"])
class Stash(nn.Module):
    def forward(self, x):
        return x, {"a": x}


@P.skippable(pop=["a"])
class Pop(nn.Module):
    def forward(self, x, a):
        return x + a


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ([Stash(), nn.Identity()], "'a': stashed, and popped by no later layer"),
        ([Pop(), Stash()], "Pop in stage 0 pops 'a', which no layer before it stashes"),
        ([Stash(), Stash(), Pop()], "'a' is stashed twice, in stages 0 and 1"),
        ([Stash(), Pop(), Pop()], "'a' is popped twice, in stages 1 and 2"),
    ],
)
def test_a_stash_has_one_pop_after_it(layers, message):
    with pytest.raises(ValueError, match=message):
        P.GPipe(nn.Sequential(*layers), [1] * len(layers), ["cpu"] * len(layers))


def test_1f1b_refuses_them():
    with pytest.raises(ValueError, match="skip connections over stages are for GPipe"):
        P.TrainStep([nn.Sequential(Stash()), nn.Sequential(Pop())], ["cpu"] * 2, nn.functional.mse_loss, 1)


def test_a_layer_does_what_it_declares():
    @P.skippable(stash=["a"])
    class Forgets(nn.Module):
        def forward(self, x):
            return x

    with pytest.raises(TypeError, match=r"Forgets stashes \('a',\): its forward must return \(result, {'a': ...}\)"):
        P.GPipe(nn.Sequential(Forgets(), Pop()), [1, 1], ["cpu"] * 2)(torch.ones(2))
    with pytest.raises(ValueError, match="each name may stand here once"):
        P.skippable(stash=["a"], pop=["a"])
