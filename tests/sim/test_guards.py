"""Regions in which the host must not wait."""

from __future__ import annotations

import threading

import pytest
import torch

import syncpoint as sp
from syncpoint.sim.guards import WaitNotAllowed, WaitWarning


def test_an_error_names_line_kind_and_remedy():
    x = torch.ones(3, device="sim")
    with sp.guard("error"), pytest.raises(WaitNotAllowed) as caught:
        x.sum().item()
    text = str(caught.value)
    assert "the host waits for sim:0 (value read: aten._local_scalar_dense, 4 bytes)" in text
    assert "x.sum().item()" in text
    assert "read it once, after the loop" in text
    assert x.sum().item() == 3


def test_warnings_and_logs_go_on(capsys):
    x = torch.ones(3, device="sim")
    with sp.guard("warn"), pytest.warns(WaitWarning, match="the host waits for sim:0"):
        assert x.sum().item() == 3
    with sp.guard("log"):
        assert x.sum().item() == 3
    assert "the host waits for sim:0 (value read" in capsys.readouterr().err


def test_parts_kinds_and_directions_can_be_allowed():
    x = torch.ones(3, device="sim")
    with sp.guard("error"):
        with sp.allow("once an epoch"):
            x.sum().item()
        with pytest.raises(WaitNotAllowed):
            x.sum().item()
    with sp.guard("error", allow={"explicit"}):
        torch.sim.synchronize()
        with pytest.raises(WaitNotAllowed, match="copy"):
            torch.ones(3).to("sim")
    with sp.guard("error", allow={"H2D"}):
        torch.ones(3).to("sim")
        with pytest.raises(WaitNotAllowed, match="copy"):
            x.cpu()


def test_a_guard_holds_for_its_thread():
    x, read = torch.ones(3, device="sim"), []
    with sp.guard("error"):
        thread = threading.Thread(target=lambda: read.append(x.sum().item()))
        thread.start()
        thread.join()
    assert read == [3]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sp.guard("never").__enter__(), "level must be one of"),
        (lambda: sp.guard("error", allow={"reading"}).__enter__(), "'reading' is no kind of wait"),
        (lambda: sp.allow("").__enter__(), "wants the reason in words"),
    ],
)
def test_wrong_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_sync_debug_mode_is_cudas():
    x = torch.ones(3, device="sim")
    try:
        torch.sim.set_sync_debug_mode("error")
        assert torch.sim.get_sync_debug_mode() == 2
        with pytest.raises(WaitNotAllowed):
            x.sum().item()
        with pytest.raises(WaitNotAllowed):
            torch.sim.current_stream().synchronize()
        torch.sim.synchronize()  # not seen by CUDA's mode either
        torch.sim.Event().synchronize()
        torch.sim.set_sync_debug_mode(1)
        with pytest.warns(WaitWarning):
            x.cpu()
    finally:
        torch.sim.set_sync_debug_mode("default")
    with pytest.raises(ValueError, match="expected one of `default`, `warn`, `error`, got 'loud'"):
        torch.sim.set_sync_debug_mode("loud")
