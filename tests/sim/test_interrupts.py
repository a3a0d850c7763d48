"""Ctrl-C on sim, in real processes and at random moments: always KeyboardInterrupt and never an abort."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType

import pytest
import torch

from syncpoint.sim import blocks, interrupts

a_posix_system = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C to a whole console")

INTERRUPTS = 40  # with Python's own handler about one in seven ended the process
TRAIN = """
import torch, syncpoint as sp
torch.set_num_threads(1)
sp.sim.use(chip="T4")
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 8)).to("sim")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(4, 8, device="sim")
def train():
    while True:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
"""
#: Each round says what it does, does it until it is interrupted, and says so. (A job started in the background ignores
#: SIGINT and hands that down: take Python's own handler back.)
PROGRAM = f"""
import os, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)
{TRAIN}
threads = threading.active_count()
def sleep():
    time.sleep(60)
def forked():
    child = os.fork()
    if not child:
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            os._exit(7)
        os._exit(8)
    print(child, flush=True)
    print("child", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
for what in sys.argv[1:]:
    try:
        print(what, flush=True)
        {{"train": train, "sleep": sleep, "fork": forked}}[what]()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        time.sleep(0.5 if what == "sleep" else 0)  # one Ctrl-C, one interrupt: this sleep is not interrupted too
before = model[0].weight.clone()
model(x).sum().backward()
optimizer.step()
print("still trains", bool((before != model[0].weight).any()), "threads", threads, flush=True)
"""


def read(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def start(rounds: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *rounds], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@a_posix_system
def test_a_training_loop_is_interrupted_at_any_moment() -> None:
    moments = random.Random(20)
    with start(["train"] * INTERRUPTS) as process:
        for _ in range(INTERRUPTS):
            assert read(process) == "train", process.communicate()
            time.sleep(moments.uniform(0.0, 0.04))
            process.send_signal(signal.SIGINT)
            assert read(process) == "interrupted", process.communicate()
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert output.strip() == "still trains True threads 1"


@a_posix_system
def test_a_wait_in_c_is_interrupted_once_and_in_a_forked_child_too() -> None:
    with start(["sleep", "sleep", "fork"]) as process:
        for presses in (1, 2):  # two right after another are one
            assert read(process) == "sleep"
            time.sleep(0.2)
            for _ in range(presses):
                process.send_signal(signal.SIGINT)
            assert read(process) == "interrupted"
        assert read(process) == "fork"
        child = int(read(process))
        time.sleep(0.2)
        subprocess.run(["kill", "-INT", str(child)], check=True)
        assert read(process) == "child 7"
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")


#: In a process of its own, because the client leaves sockets open.
NOTEBOOK = f"""
import threading
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="python3")
def run(code):
    return client.execute_interactive(code, timeout=120, output_hook=lambda message: None)["content"]
try:
    print(run({TRAIN!r})["status"])
    for _ in range(6):
        timer = threading.Timer(0.3, manager.interrupt_kernel)
        timer.start()
        print(run("train()").get("ename"))
        timer.join()
    print(run("import signal, syncpoint.sim.interrupts as i; assert signal.getsignal(signal.SIGINT) is i._handler"))
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
"""


@a_posix_system
def test_a_notebook_is_interrupted_in_every_cell() -> None:
    pytest.importorskip("ipykernel", reason="needs ipykernel: pip install -e .[lab]")
    program = subprocess.run([sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, timeout=300)
    first, *interrupted, last = program.stdout.splitlines()
    assert first == "ok", program.stderr
    assert interrupted == ["KeyboardInterrupt"] * 6, program.stderr
    assert "'status': 'ok'" in last


@pytest.fixture
def handler_kept() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("handler_kept")
def test_only_pythons_own_handler_is_replaced() -> None:
    def theirs(number: int, frame: FrameType | None) -> None:
        pass

    for handler in (theirs, signal.SIG_IGN):
        signal.signal(signal.SIGINT, handler)
        interrupts._take_over()
        assert signal.getsignal(signal.SIGINT) is handler
    signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupts._take_over()
    assert signal.getsignal(signal.SIGINT) is interrupts._handler


@pytest.mark.usefixtures("handler_kept")
def test_another_thread_leaves_the_handler_alone() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupts._take_over)
    thread.start()
    thread.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("handler_kept")
def test_an_interrupt_in_a_dying_objects_callback_is_not_lost_nor_are_the_books(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    signal.signal(signal.SIGINT, interrupts._handler)
    monkeypatch.setattr(sys, "unraisablehook", interrupts._once_more(lambda _: None, blocks.free_what_is_gone))
    before = torch.get_device_module("sim").memory_allocated()

    def interrupted(watch: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(blocks, "_gone", interrupted)
        x = torch.ones(1_000_000, device="sim")
    assert torch.get_device_module("sim").memory_allocated() > before
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 the interrupt comes from no statement in particular
        del x
        time.sleep(30)
    assert torch.get_device_module("sim").memory_allocated() == before


@pytest.mark.usefixtures("handler_kept")
def test_the_handler_returns_and_raises_soon_after() -> None:
    signal.signal(signal.SIGINT, interrupts._handler)
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 the interrupt comes from no statement in particular
        signal.raise_signal(signal.SIGINT)
        time.sleep(30)
