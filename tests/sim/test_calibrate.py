"""The calibration of a real machine: what can be tried without one. Its measuring code runs on sim."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "calibrate.py"


@pytest.fixture(scope="module")
def calibrate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("calibrate", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(torch.cuda.is_available(), reason="CUDA is here")
def test_without_cuda_it_says_so_in_one_sentence_and_exits_with_2() -> None:
    run = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "calibrate.py measures a real NVIDIA GPU, and PyTorch finds none here.\n"


def test_a_time_between_events_is_virtual_on_sim(calibrate: ModuleType) -> None:
    x = torch.ones(32_000_000 // 8, device="sim")
    once, again = (calibrate.event_us(lambda: x + 1, "sim") for _ in range(2))
    assert once == pytest.approx(again)
    assert once == pytest.approx(2 * x.nbytes / 240e3, rel=0.1)  # a T4 moves 240 GB/s


def test_every_copy_runs_on_sim(calibrate: ModuleType) -> None:
    us = {name: calibrate.event_us(call, "sim") for name, call in calibrate.copies("sim")}
    assert len(us) == 12
    assert us["H2D 67,108,864 B pinned"] < us["H2D 67,108,864 B pageable"]


def test_the_mnist_step_runs_on_sim(calibrate: ModuleType) -> None:
    assert calibrate.event_us(calibrate.mnist_step("sim"), "sim") > 0


class FakeCuda:
    """Counts of a machine that does not exist: enough to run the report."""

    def __init__(self, module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
        monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "Tesla T4")
        rows = [{"name": "item", "statement": "s.item()", "table": 1, "machine": 1},
                {"name": "other", "statement": "x.nonzero()", "table": 2, "machine": 3},
                {"name": "broken", "statement": "x.no()", "table": 0, "error": "AttributeError: no"}]  # fmt: skip
        monkeypatch.setattr(module, "waits", lambda: rows)
        monkeypatch.setattr(module, "times", lambda device: {"add": 10.0 if device == "cuda" else 12.0})


def test_the_report_is_printed_and_saved(
    calibrate: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    FakeCuda(calibrate, monkeypatch)
    assert calibrate.main(["--out", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert (report["gpu"], report["chip"]) == ("Tesla T4", "T4")
    assert path.name == f"calibration-Tesla-T4-{report['date']}.json"
    assert report["times"] == [{"what": "add", "measured us": 10.0, "modelled us": 12.0, "ratio": 1.2}]
    printed = capsys.readouterr().out
    assert "1 of 2 statements as in the table" in printed
    assert "x.nonzero(): 3 here, 2 in the table" in printed
    assert "x.no(): could not be run: AttributeError: no" in printed


def test_an_unknown_gpu_asks_for_a_chip(
    calibrate: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    FakeCuda(calibrate, monkeypatch)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "NVIDIA Something 9000")
    with pytest.raises(SystemExit):
        calibrate.main([])
    assert "--chip" in capsys.readouterr().err


def test_warnings_are_counted_row_by_row(calibrate: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows run on sim, whose debug mode warns as often as PyTorch's, in other words."""
    monkeypatch.setattr(calibrate, "MESSAGE", "the host waits for sim")
    sim = torch.get_device_module("sim")
    monkeypatch.setattr(torch.cuda, "synchronize", sim.synchronize)
    monkeypatch.setattr(torch.cuda, "set_sync_debug_mode", sim.set_sync_debug_mode)
    prepared = calibrate.prepared
    monkeypatch.setattr(calibrate, "prepared", lambda row, device: prepared(row, "sim"))
    for statement, count in (("s.item()", 1), ("x + x", 0), ("(s.item(), s.item())", 2)):
        assert calibrate.warnings_of({"setup": "", "statement": statement}) == count
