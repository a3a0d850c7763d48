"""``python -m syncpoint.mnist``: its flags, its messages and its exit codes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch

from syncpoint.mnist import Net
from syncpoint.mnist.__main__ import choose_device, main
from syncpoint.mnist.options import parser

SMALL = ["--device", "cpu", "--limit", "128", "--epochs", "1"]


def test_one_epoch_prints_data_losses_and_accuracy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SMALL, "--log-interval", "1"]) == 0
    out, err = capsys.readouterr()
    assert "the bundled part of MNIST" in out
    assert "the first 128 and 128 are used" in out
    assert "device: cpu" in out
    assert re.findall(r"^batch +(\d) of 2: loss \d\.\d{4}$", out, re.MULTILINE) == ["0", "1"]
    assert re.search(r"^epoch 1: 2 batches in .* of 128 right", out, re.MULTILINE)
    assert err == ""


def test_the_seed_decides_everything(capsys: pytest.CaptureFixture[str]) -> None:
    def losses(seed: str) -> list[str]:
        main([*SMALL, "--log-interval", "1", "--seed", seed])
        return re.findall(r"loss \d+\.\d+", capsys.readouterr().out)

    assert losses("5") == losses("5")
    assert losses("5") != losses("6")


def test_the_learning_rate_falls_by_gamma(capsys: pytest.CaptureFixture[str]) -> None:
    """With a rate that falls to almost nothing, later epochs change no figure of the test."""
    main(["--no-accel", "--limit", "64", "--epochs", "3", "--gamma", "1e-12"])
    tests = re.findall(r"test in .*: (loss.*)", capsys.readouterr().out)
    assert len(tests) == 3
    assert tests[1] == tests[2] == tests[0]


def test_a_dry_run_is_one_batch_and_one_test_batch(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--no-accel", "--dry-run", "--batch-size", "16", "--test-batch-size", "32"]) == 0
    out = capsys.readouterr().out
    assert "the first 16 and 32 are used" in out
    assert re.search(r"epoch 1: 1 batch in .* of 32 right", out)
    assert "epoch 2" not in out


def test_the_bar_replaces_the_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SMALL, "--progress"]) == 0
    out, err = capsys.readouterr()
    assert "batch  " not in out
    assert "epoch 1" in err
    assert "loss" in err


def test_save_model_has_a_default_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["--no-accel", "--dry-run", "--batch-size", "4", "--test-batch-size", "4"]) == 0
    assert list(tmp_path.iterdir()) == []
    assert main(["--no-accel", "--dry-run", "--batch-size", "4", "--test-batch-size", "4", "--save-model"]) == 0
    assert "saved: mnist_cnn.pt" in capsys.readouterr().out
    Net().load_state_dict(torch.load(tmp_path / "mnist_cnn.pt", weights_only=True))


def test_a_broken_file_ends_with_its_name(small_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = small_folder / "t10k-images-idx3-ubyte.gz"
    file.write_bytes(file.read_bytes()[:200])
    assert main([*SMALL, "--data", str(small_folder)]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"error: {file} is truncated")
    assert "Traceback" not in err


def test_a_missing_file_ends_with_its_name(small_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (small_folder / "train-labels-idx1-ubyte").unlink()
    assert main([*SMALL, "--data", str(small_folder)]) == 1
    assert "error: The train labels are missing" in capsys.readouterr().err


BAD = {
    "--batch-size": ["0", "-3", "many", "1.5"],
    "--test-batch-size": ["0", "x"],
    "--epochs": ["0", "x"],
    "--lr": ["0", "-1", "nan", "inf", "x"],
    "--gamma": ["0", "nan", "x"],
    "--seed": ["x", "1.5", str(2**64)],
    "--log-interval": ["0", "x"],
    "--limit": ["0", "x"],
    "--device": ["gpu", "cuda:x", "", "cpu 0"],
    "--save-model": ["no/such/folder/m.pt", "."],
}


@pytest.mark.parametrize(("flag", "value"), [(flag, value) for flag in BAD for value in BAD[flag]])
def test_a_bad_value_names_its_flag(capsys: pytest.CaptureFixture[str], flag: str, value: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main([f"{flag}={value}"])
    assert stop.value.code == 2
    assert f"error: argument {flag}: " in capsys.readouterr().err


def test_the_seeds_defaults() -> None:
    options = parser().parse_args([])
    assert (options.batch_size, options.test_batch_size, options.epochs) == (64, 1000, 14)
    assert (options.lr, options.gamma, options.seed, options.log_interval) == (1.0, 0.7, 1, 10)
    assert (options.dry_run, options.no_accel, options.no_cuda, options.no_mps) == (False,) * 4
    assert (options.save_model, options.device, options.trace) == (None, None, False)


@pytest.mark.parametrize(
    ("flags", "cuda", "mps", "expected"),
    [
        (["--no-accel"], True, True, "cpu"),
        (["--no-accelerator"], True, False, "cpu"),
        (["--no-cuda"], True, True, "mps"),
        (["--no-cuda"], True, False, "cpu"),
        (["--no-mps"], True, True, "cuda"),
        (["--no-mps"], False, True, "cpu"),
        (["--no-cuda", "--no-mps"], True, True, "cpu"),
        (["--device", "cpu"], True, True, "cpu"),
        (["--device", "cuda:1"], True, False, "cuda:1"),
        (["--device", "mps"], True, True, "mps"),
    ],
)
def test_the_flags_choose_the_device(
    monkeypatch: pytest.MonkeyPatch, flags: list[str], cuda: bool, mps: bool, expected: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert choose_device(parser(), parser().parse_args(flags)) == torch.device(expected)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--device", "cuda"], "argument --device: PyTorch finds no cuda here"),
        (["--device", "cuda:3"], "argument --device: PyTorch finds no cuda:3 here"),
        (["--device", "mps"], "argument --device: PyTorch finds no mps here"),
        (["--device", "cpu", "--no-cuda"], "argument --device: not together with"),
    ],
)
def test_an_impossible_device_names_its_flag(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], flags: list[str], message: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    with pytest.raises(SystemExit):
        main(flags)
    assert message in capsys.readouterr().err


def test_an_impossible_environment_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SYNCPOINT_DEVICE", "toaster")
    with pytest.raises(SystemExit) as stop:
        main(["--dry-run"])
    assert stop.value.code == 2
    assert "error: SYNCPOINT_DEVICE is 'toaster'" in capsys.readouterr().err
