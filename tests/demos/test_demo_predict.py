"""Predictions: put beside the result, in kind and exact words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from html_check import check

import syncpoint as sp


def told(guess: Any, actual: Any, unit: str = "us") -> str:
    return sp.predict("How long?", guess, unit).reveal(actual).text


@pytest.mark.parametrize(
    ("guess", "actual", "words"),
    [
        (938, 938, "Exactly what you predicted."),
        (100, 104, "Very close: the result is 4% above your prediction."),
        (100, 96, "Very close: the result is 4% below your prediction."),
        (100, 140, "The result is 40% above your prediction."),
        (100, 300, "The result is 3 times your prediction."),
        (3.5, 1.0, "Your prediction is 3.5 times the result."),
        (94, 938, "The result is 10 times your prediction. A gap as wide as this one is worth a look"),
        (1000, 2, "Your prediction is 500 times the result. A gap"),
        (0, 5, "They are 5 us apart."),
        (-2, 3, "They are 5 us apart."),
        ("GPU", "gpu ", "That is what you predicted."),
        ("CPU", "GPU", "It came out another way."),
        (True, True, "That is what you predicted."),
        (True, False, "It came out another way."),
        ("1,000", 1000, "Exactly what you predicted."),
        ("many", 938, "These two can't be compared by themselves"),
        (torch.tensor(3), torch.tensor([3.0]), "Exactly what you predicted."),
        (np.float64(2.0), np.int64(2), "Exactly what you predicted."),
        ([1, 2], torch.tensor([1, 2]), "That is what you predicted."),
        (5, float("nan"), "These two can't be compared"),
    ],
)
def test_distance_in_words(guess: Any, actual: Any, words: str) -> None:
    assert told(guess, actual).startswith(words)


def test_both_values_stand_side_by_side_with_their_unit() -> None:
    result = sp.predict("How often?", 94, unit="waits").reveal(28_140)
    assert repr(result).splitlines()[1:3] == ["  your prediction      94 waits", "  the result       28,140 waits"]
    checker = check(result._repr_html_())
    assert checker.wrong == []
    assert [text for text in checker.text if text.strip()][:5] == [
        "How often?", "your prediction", "94 waits", "the result", "28,140 waits",
    ]  # fmt: skip
    assert result.ratio == pytest.approx(28_140 / 94)


def test_without_a_guess_the_result_waits() -> None:
    prediction = sp.predict("How often?", None)
    result = prediction.reveal(938)
    for text in (repr(result), result._repr_html_(), repr(prediction)):
        assert "No prediction yet: write your guess first" in text
        assert "938" not in text


def test_reading_the_result_from_the_device_works() -> None:
    sp.sim.use("T4")
    assert told(6.0, torch.ones(6, device="sim").sum()) == "Exactly what you predicted."


@pytest.mark.parametrize("guess", [None, 1, 10**9, "CPU", False])
def test_words_never_judge(guess: Any) -> None:
    text = told(guess, 938).lower()
    assert not {"wrong", "bad", "false", "failed", "incorrect"} & set(text.replace(".", "").split())
