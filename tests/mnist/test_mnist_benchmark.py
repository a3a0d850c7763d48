"""benchmarks/mnist.py runs, and what it says is what happened."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "mnist.py"


def test_the_benchmark_on_a_few_images() -> None:
    command = [sys.executable, str(SCRIPT), "--json", "--images", "130", "--test-images", "20", "--rounds", "1"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    results = json.loads(run.stdout)
    script, fast, looping = (results["programs"][name] for name in ("script", "fast", "script, looping optimizer"))
    assert results["batches"] == 3
    assert script["waits"] == looping["waits"] == 3 * 2 + 1 + 4
    assert fast["waits"] == 1
    assert looping["device operators"] - script["device operators"] == 3 * (88 - 11)
    for chip in ("T4", "H100"):
        assert fast[f"virtual ms, {chip}"] < script[f"virtual ms, {chip}"] < looping[f"virtual ms, {chip}"]
    assert fast["accuracy, sim"] == script["accuracy, sim"]
    assert fast["accuracy, cpu"] == pytest.approx(script["accuracy, cpu"])
    assert results["largest difference of a logged loss"] <= 1e-5
    assert results["script / fast"]["waits"] == script["waits"]
    assert all(figures["CPU seconds"] > 0 for figures in results["programs"].values())
