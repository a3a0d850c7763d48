"""The progress bar: on stderr, only on a terminal unless asked for, with or without tqdm."""

from __future__ import annotations

import importlib.util
import io

import pytest

from syncpoint.mnist import watch
from syncpoint.mnist.progress import PlainBar, Quiet, TqdmBar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def without_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


def test_no_bar_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    bar = watch([1, 2, 3], "epoch 1")
    bar.note("loss 1")
    assert list(bar) == [1, 2, 3]
    assert (type(bar), bar.shown, len(bar)) == (Quiet, False, 3)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_gets_a_bar_unless_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    without_tqdm(monkeypatch)
    assert isinstance(watch([1], "e", stream=Terminal()), PlainBar)
    assert type(watch([1], "e", show=False, stream=Terminal())) is Quiet


def test_the_plain_bar_is_one_line_that_ends_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    without_tqdm(monkeypatch)
    stream = io.StringIO()
    bar = watch([10, 20, 30, 40], "epoch 1", show=True, stream=stream)
    seen = []
    for item in bar:
        seen.append(item)
        bar.note(f"loss {item}")
    assert seen == [10, 20, 30, 40]
    lines = stream.getvalue().split("\r")
    assert lines[1] == "epoch 1: 0 of 4 (0%)"
    assert lines[-1] == "epoch 1: 4 of 4 (100%) loss 40\n"


def test_a_bar_left_early_shows_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    without_tqdm(monkeypatch)
    stream = io.StringIO()
    items = iter(watch([1, 2, 3, 4], "epoch 1", show=True, stream=stream))
    next(items)
    next(items)
    items.close()  # type: ignore[attr-defined]
    assert stream.getvalue().endswith("epoch 1: 2 of 4 (50%)\n")


def test_a_shorter_line_covers_a_longer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    without_tqdm(monkeypatch)
    stream = io.StringIO()
    bar = watch([1, 2], "e", show=True, stream=stream)
    notes = iter(["a long note", "b"])
    for _ in bar:
        bar.note(next(notes))
        bar.drawn_at = float("-inf")  # as if a tenth of a second had passed
    widths = [len(line.rstrip("\n")) for line in stream.getvalue().split("\r")[1:]]
    assert widths == sorted(widths)


def test_tqdm_draws_the_bar_where_it_is_installed() -> None:
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    stream = io.StringIO()
    bar = watch([1, 2, 3], "epoch 1", show=True, stream=stream)
    assert isinstance(bar, TqdmBar)
    for _ in bar:
        bar.note("loss 0.5")
    assert "epoch 1" in stream.getvalue()
    assert "3/3" in stream.getvalue()
    assert "loss 0.5" in stream.getvalue()
