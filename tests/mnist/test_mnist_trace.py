"""Where the two loops wait, counted on the simulated accelerator, and that its values are the CPU's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
import torch

import syncpoint as sp
from syncpoint.mnist import EvalResult, Mnist, Net, Split, TrainResult, evaluate, loader, train_epoch
from syncpoint.mnist import train as loops
from syncpoint.mnist.__main__ import main
from syncpoint.sim.log import Wait


@pytest.fixture
def sim(monkeypatch: pytest.MonkeyPatch) -> torch.device:
    monkeypatch.setenv("SYNCPOINT_DEVICE", "sim")
    return sp.device(quiet=True)


def one_epoch(
    device: torch.device, train: Split, test: Split, batch: int, test_batch: int, log_interval: int
) -> tuple[sp.Trace, sp.Trace, TrainResult, EvalResult, Net]:
    """An epoch of training and a test, traced apart."""
    torch.manual_seed(1)
    model = Net().to(device)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    train_batches, test_batches = loader(train, batch, shuffle=True), loader(test, test_batch, shuffle=False)
    with sp.trace(device) as training:
        trained = train_epoch(model, device, train_batches, optimizer, log_interval=log_interval)
    with sp.trace(device) as testing:
        tested = evaluate(model, device, test_batches)
    return training, testing, trained, tested, model


def kinds(waits: Iterable[Wait]) -> dict[str, int]:
    return dict(Counter(wait.kind for wait in waits))


def predicted(images: int, test_images: int, batch: int, test_batch: int, log_interval: int) -> tuple[int, int, int]:
    """Copies and value reads of an epoch of training, and waits of a test, by counting batches."""
    batches, test_batches = -(-images // batch), -(-test_images // test_batch)
    return 2 * batches, -(-batches // log_interval), (2 + 2) * test_batches


def test_the_full_set_has_1876_copies_94_reads_and_40_waits_in_testing() -> None:
    assert predicted(60_000, 10_000, 64, 1000, 10) == (1876, 94, 40)


@pytest.mark.parametrize(
    ("images", "test_images", "batch", "test_batch", "log_interval"),
    [(100, 50, 16, 20, 3), (64, 64, 64, 64, 10), (33, 7, 32, 3, 1)],
)
def test_the_counts_follow_from_the_number_of_batches(
    sim: torch.device, bundled: Mnist, images: int, test_images: int, batch: int, test_batch: int, log_interval: int
) -> None:
    training, testing, _, _, _ = one_epoch(
        sim, bundled.train.first(images), bundled.test.first(test_images), batch, test_batch, log_interval
    )
    copies, reads, test_waits = predicted(images, test_images, batch, test_batch, log_interval)
    assert kinds(training.waits) == {"copy": copies, "value read": reads}
    assert kinds(testing.waits) == {"copy": test_waits // 2, "value read": test_waits // 2}
    for trace, number in ((training, copies), (testing, test_waits // 2)):
        assert len(trace.copies) == number
        assert all(copy.kind == "H2D" and copy.blocking and not copy.pinned for copy in trace.copies)


def test_each_wait_names_its_line(sim: torch.device, bundled: Mnist) -> None:
    training, testing, _, _, _ = one_epoch(sim, bundled.train.first(40), bundled.test.first(20), 20, 10, 1)
    source = Path(loops.__file__)
    lines = source.read_text(encoding="utf-8").splitlines()
    for wait in [*training.waits, *testing.waits]:
        assert Path(wait.file) == source
        assert wait.source == lines[wait.line - 1].strip()
        assert (".to(device)" if wait.kind == "copy" else ".item()") in wait.source
    assert sorted(Counter(wait.line for wait in training.waits).values()) == [2, 2, 2]
    assert sorted(Counter(wait.line for wait in testing.waits).values()) == [2, 2, 2, 2]
    assert len({wait.line for wait in training.waits} | {wait.line for wait in testing.waits}) == 7


def test_a_batch_of_64_copies_200704_bytes_and_512(sim: torch.device, bundled: Mnist) -> None:
    training, _, _, _, _ = one_epoch(sim, bundled.train.first(64), bundled.test.first(8), 64, 8, 1)
    assert [copy.bytes for copy in training.copies] == [64 * 28 * 28 * 4, 64 * 8] == [200_704, 512]


def test_sim_trains_to_the_cpus_very_bits(sim: torch.device, bundled: Mnist) -> None:
    train, test = bundled.train.first(96), bundled.test.first(32)
    _, _, trained, tested, model = one_epoch(sim, train, test, 32, 32, 1)
    _, _, cpu_trained, cpu_tested, cpu_model = one_epoch(torch.device("cpu"), train, test, 32, 32, 1)
    assert trained == cpu_trained
    assert tested == cpu_tested
    for ours, theirs in zip(model.parameters(), cpu_model.parameters(), strict=True):
        assert torch.equal(ours.cpu(), theirs)


@pytest.mark.parametrize("device", ["sim", "cpu", "sim:1"])
def test_the_command_tells_where_it_waited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, device: str
) -> None:
    monkeypatch.delenv("SYNCPOINT_DEVICE", raising=False)
    file = tmp_path / "m.pt"
    flags = ["--device", device, "--limit", "64", "--epochs", "2", "--trace", "--save-model", str(file)]
    assert main(flags) == 0
    out = capsys.readouterr().out
    assert out.count("--- epoch 1, training ---") == out.count("--- epoch 1, testing ---") == 1
    assert "--- epoch 2" not in out
    assert ".item()" in out.split("--- epoch 1, testing ---")[1]
    assert all(tensor.device.type == "cpu" for tensor in torch.load(file, weights_only=True).values())


def test_without_a_wish_the_command_takes_the_courses_device(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYNCPOINT_DEVICE", "sim")
    assert main(["--dry-run", "--batch-size", "4", "--test-batch-size", "4"]) == 0
    assert "device: sim:0" in capsys.readouterr().out
