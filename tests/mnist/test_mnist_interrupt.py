"""Ctrl-C, in a real process: exit code 130, one plain sentence, and no half-written model."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C to a whole console")

#: A job started in the background ignores SIGINT and hands that down: take Python's own handler back.
PREPARE = "import runpy, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
RUN = "runpy.run_module('syncpoint.mnist', run_name='__main__')\n"
#: torch.save that gets stuck half way: the moment at which a plain save leaves a broken file.
STUCK = """
import time, torch
def stuck(state, file):
    file.write(b"half a model")
    file.flush()
    print("half written", flush=True)
    time.sleep(60)
torch.save = stuck
"""


def interrupted(program: str, flags: list[str], when: str) -> tuple[int, str]:
    """Run the command, send SIGINT once a line of its output begins so; exit code and stderr."""
    command = [sys.executable, "-c", program, "--device", "cpu", "--limit", "128", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(when):
                process.send_signal(signal.SIGINT)
                break
        _, errors = process.communicate(timeout=60)
    return process.returncode, errors


def test_while_training(tmp_path: Path) -> None:
    model = tmp_path / "model.pt"
    code, errors = interrupted(PREPARE + RUN, ["--epochs", "100000", "--save-model", str(model)], "epoch 2")
    assert code == 130
    assert errors.strip() == "Stopped by Ctrl-C. The model was not saved."
    assert list(tmp_path.iterdir()) == []


def test_while_saving_over_an_older_model(tmp_path: Path) -> None:
    model = tmp_path / "model.pt"
    model.write_bytes(b"an older model")
    code, errors = interrupted(PREPARE + STUCK + RUN, ["--dry-run", "--save-model", str(model)], "half written")
    assert code == 130
    assert errors.strip() == f"Stopped by Ctrl-C. The model was not saved; {model} is the file of an earlier run."
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"model.pt": b"an older model"}
