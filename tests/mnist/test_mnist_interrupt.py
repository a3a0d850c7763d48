"""Ctrl-C: between two batches, and in a real process: exit code 130, one sentence, no half-written model."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType

import pytest

from syncpoint.mnist.interrupt import Patience

a_posix_system = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C to a whole console")

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
    command = [sys.executable, "-c", program, "--limit", "128", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(when):
                process.send_signal(signal.SIGINT)
                break
        _, errors = process.communicate(timeout=60)
    return process.returncode, errors


@a_posix_system
def test_while_training(tmp_path: Path) -> None:
    model = tmp_path / "model.pt"
    flags = ["--device", "sim", "--epochs", "100000", "--save-model", str(model)]
    code, errors = interrupted(PREPARE + RUN, flags, "epoch 1")
    assert code == 130
    assert errors.strip() == "Stopped by Ctrl-C. The model was not saved."
    assert list(tmp_path.iterdir()) == []


@a_posix_system
def test_while_saving_over_an_older_model(tmp_path: Path) -> None:
    model = tmp_path / "model.pt"
    model.write_bytes(b"an older model")
    flags = ["--device", "cpu", "--dry-run", "--save-model", str(model)]
    code, errors = interrupted(PREPARE + STUCK + RUN, flags, "half written")
    assert code == 130
    assert errors.strip() == f"Stopped by Ctrl-C. The model was not saved; {model} is the file of an earlier run."
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"model.pt": b"an older model"}


@pytest.fixture
def pythons_handler() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def loop(items: list[int], pressed_at: dict[int, int]) -> list[int]:
    """Run through the items, press Ctrl-C so many times at some of them; return those that were finished."""
    finished = []
    try:
        with Patience() as patience:
            for item in patience.between(items):
                for _ in range(pressed_at.get(item, 0)):
                    signal.raise_signal(signal.SIGINT)
                finished.append(item)
            finished.append(-1)  # the loop came to its end
    except KeyboardInterrupt:
        return finished
    return [*finished, -2]  # nothing was raised at all


@pytest.mark.usefixtures("pythons_handler")
@pytest.mark.parametrize(
    ("pressed_at", "finished"),
    [
        ({}, [1, 2, 3, -1, -2]),
        ({2: 1}, [1, 2]),  # the end of the batch is waited for
        ({3: 1}, [1, 2, 3]),  # the last batch too
        ({2: 2}, [1]),  # a second Ctrl-C does not wait
    ],
)
def test_ctrl_c_waits_for_the_end_of_the_batch(pressed_at: dict[int, int], finished: list[int]) -> None:
    assert loop([1, 2, 3], pressed_at) == finished
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("pythons_handler")
def test_ctrl_c_outside_a_loop_is_raised_on_leaving() -> None:
    patience = Patience()
    patience.__enter__()
    signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        patience.__exit__(None, None, None)


@pytest.mark.usefixtures("pythons_handler")
def test_somebody_elses_handler_is_left_alone() -> None:
    def theirs(number: int, frame: FrameType | None) -> None:
        pass

    signal.signal(signal.SIGINT, theirs)
    with Patience():
        assert signal.getsignal(signal.SIGINT) is theirs
    assert signal.getsignal(signal.SIGINT) is theirs


@pytest.mark.usefixtures("pythons_handler")
def test_another_thread_is_left_alone() -> None:
    def elsewhere() -> list[int]:
        with Patience() as patience:
            return list(patience.between([1, 2]))

    with ThreadPoolExecutor(max_workers=1) as pool:
        assert pool.submit(elsewhere).result() == [1, 2]
