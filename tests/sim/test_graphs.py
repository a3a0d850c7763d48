"""Graphs: what capture refuses, what replay computes and costs."""

from __future__ import annotations

import pytest
import torch

import syncpoint as sp


def captured(function):
    g = torch.sim.Graph()
    with torch.sim.graph(g):
        out = function()
    return g, out


def test_replay_works_on_static_buffers():
    x = torch.zeros(4, device="sim")
    g, y = captured(lambda: x * 2 + 1)
    assert y.isnan().all().item()  # captured, not run
    for value in (1.0, 5.0):
        x.fill_(value)
        g.replay()
        assert y.cpu().tolist() == [2 * value + 1] * 4
    assert len(g) == 2


def test_capturing_changes_nothing_and_replaying_does():
    x = torch.ones(4, device="sim")
    g, _ = captured(lambda: x.add_(1).mul_(3))
    assert x.cpu().tolist() == [1] * 4
    g.replay()
    g.replay()
    assert x.cpu().tolist() == [((1 + 1) * 3 + 1) * 3] * 4


def test_a_training_step_in_a_graph():
    def steps(graphed):
        torch.manual_seed(0)
        model = torch.nn.Linear(4, 1).to("sim")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        data = torch.ones(2, 4, device="sim")

        def step():
            optimizer.zero_grad(set_to_none=False)
            loss = model(data).square().mean()
            loss.backward()
            optimizer.step()
            return loss

        step()
        if graphed:
            g, _ = captured(step)
            for _ in range(3):
                g.replay()
        else:
            for _ in range(3):
                step()
        return model.weight.detach().cpu()

    assert torch.equal(steps(True), steps(False))


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda x: x.sum().item(), "value read"),
        (lambda x: x.cpu(), "pageable"),
        (lambda x: x[x > 0], "data-dependent shape"),
        (lambda x: torch.ones(4).to("sim"), "pageable"),
        (lambda x: torch.sim.synchronize(), "explicit"),
        (str, "data-dependent shape"),
        (lambda x: torch.linalg.solve(torch.eye(4, device="sim"), x), "value read"),
    ],
)
def test_capture_refuses_waits_and_names_the_line(call, why):
    x = torch.ones(4, device="sim")
    g = torch.sim.Graph()

    def step():
        with torch.sim.graph(g):
            x.add_(1)
            call(x)

    with pytest.raises(RuntimeError, match=f"not permitted when stream is capturing: .*({why}).*test_graphs.py"):
        step()
    assert not torch.sim.is_current_stream_capturing()
    assert x.cpu().tolist() == [1] * 4
    with pytest.raises(RuntimeError, match="without a preceding successful capture"):
        g.replay()


def test_pinned_copies_can_be_captured():
    source, x = torch.ones(4).pin_memory(), torch.zeros(4, device="sim")
    g, _ = captured(lambda: x.copy_(source, non_blocking=True))
    source.fill_(7)
    g.replay()
    assert x.cpu().tolist() == [7] * 4


def test_pinned_copies_to_the_host_are_made_by_each_replay():
    x, kept = torch.ones(4, device="sim"), torch.zeros(4).pin_memory()

    def step():
        x.mul_(2)
        kept.copy_(x, non_blocking=True)
        return x.to("cpu", non_blocking=True)

    g, fresh = captured(step)
    assert kept.tolist() == [0] * 4
    for expected in (2, 4):
        g.replay()
        torch.sim.synchronize()
        assert kept.tolist() == fresh.tolist() == [expected] * 4


def test_results_that_get_their_size_while_captured():
    a, b = 2 * torch.eye(3, device="sim"), torch.ones(3, 1, device="sim")
    g, (solved, _) = captured(lambda: torch.linalg.solve_ex(a, b))
    b.fill_(6)
    g.replay()
    assert solved.cpu().flatten().tolist() == [3] * 3


def test_a_replay_is_one_launch_and_a_little_time_a_node():
    x = torch.zeros(1000, device="sim")

    def work():
        for _ in range(80):
            x.add_(1)

    with sp.trace() as eager:
        work()
    g, _ = captured(work)
    with sp.trace() as replayed:
        g.replay()
    assert (len(eager.launches), len(replayed.launches)) == (80, 1)
    assert replayed.host_us < eager.host_us / 20
    assert 80 <= replayed.device_us <= 160
    assert not replayed.waits


def test_misuse_is_named():
    g, _ = captured(lambda: torch.zeros(2, device="sim") + 1)
    with pytest.raises(RuntimeError, match="already been captured"):
        g.capture_begin()
    with pytest.raises(NotImplementedError, match="make_graphed_callables"):
        torch.sim.make_graphed_callables(lambda: None, ())
    outer = torch.sim.Graph()
    with torch.sim.graph(outer), pytest.raises(RuntimeError, match="another graph"):
        torch.sim.Graph().capture_begin()
