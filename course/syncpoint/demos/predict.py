"""Write down a guess, then put the result beside it. Nothing is graded or sent anywhere.

>>> p = predict("How often does the host wait in one epoch?", 94, unit="waits")
>>> p.reveal(938)
How often does the host wait in one epoch?
  your prediction   94 waits
  the result       938 waits
The result is 10 times your prediction. A gap as wide as this one is worth a look: what is at work there?

What it does not do: hide the result from a learner who writes no guess and looks at the variable itself.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

from syncpoint.demos.page import number, prose

NO_GUESS = "No prediction yet: write your guess first, then run the cells again. Any guess will do."


def predict(question: str, guess: Any, unit: str = "") -> Prediction:
    """Store a guess for later.

    Args:
        question: what is asked; may hold `` `code` ``.
        guess: a number, a text or a truth value; None means "not yet".
        unit: written behind both values: "us", "waits".
    """
    return Prediction(question, guess, unit)


class Prediction:
    """A guess. ``reveal`` puts the result beside it."""

    def __init__(self, question: str, guess: Any, unit: str = "") -> None:
        self.question, self.guess, self.unit = question, guess, unit

    def reveal(self, actual: Any) -> Result:
        """The prediction beside the result; without a prediction, a kind reminder in its place.

        A result that is a tensor on a device is read, so the host waits for it.
        """
        return Result(self, actual)

    @property
    def text(self) -> str:
        return NO_GUESS if self.guess is None else f"Your prediction: {_shown(self.guess, self.unit)}."

    def __repr__(self) -> str:
        return f"{self.question}\n{self.text}"

    def _repr_html_(self) -> str:
        return f"<p>{prose(self.question)}<br>{prose(self.text)}</p>"


class Result:
    """Prediction and result. ``text`` says in words how they compare; ``ratio`` is result / prediction or None."""

    def __init__(self, prediction: Prediction, actual: Any) -> None:
        self.prediction = prediction
        self.guess, self.actual = _plain(prediction.guess), _plain(actual)
        comparable = _is_number(self.guess) and _is_number(self.actual) and self.guess != 0
        self.ratio = self.actual / self.guess if comparable else None
        self.text = NO_GUESS if self.guess is None else self._compared()

    def _compared(self) -> str:
        guess, actual = self.guess, self.actual
        if _is_number(guess) and _is_number(actual):
            return _distance(float(guess), float(actual), self.prediction.unit)
        if type(guess) is type(actual) or (isinstance(guess, bool) and isinstance(actual, bool)):
            same = guess == actual if not isinstance(guess, str) else guess.strip().lower() == actual.strip().lower()
            return "That is what you predicted." if same else "It came out another way. What made the difference?"
        return "These two can't be compared by themselves: put them side by side in your head."

    def _rows(self) -> list[tuple[str, str]]:
        unit = self.prediction.unit
        return [("your prediction", _shown(self.guess, unit)), ("the result", _shown(self.actual, unit))]

    def __repr__(self) -> str:
        if self.guess is None:
            return f"{self.prediction.question}\n{self.text}"
        width = max(len(value) for _, value in self._rows())
        rows = [f"  {name:15}  {value:>{width}}" for name, value in self._rows()]
        return "\n".join([self.prediction.question, *rows, self.text])

    def _repr_html_(self) -> str:
        question = f"<p><strong>{prose(self.prediction.question)}</strong></p>"
        if self.guess is None:
            return f"{question}\n<p>{prose(self.text)}</p>"
        rows = "".join(f'<tr><th scope="row">{name}</th><td>{prose(value)}</td></tr>' for name, value in self._rows())
        return f"{question}\n<table>{rows}</table>\n<p>{prose(self.text)}</p>"


def _plain(value: Any) -> Any:
    """A Python value: tensors and NumPy arrays become numbers or lists, and a text that is a number becomes one."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        try:
            return float(value.replace(",", "").replace("_", ""))
        except ValueError:
            return value
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def _shown(value: Any, unit: str) -> str:
    text = number(value) if _is_number(value) else str(value)
    return f"{text} {unit}".rstrip()


def _distance(guess: float, actual: float, unit: str) -> str:
    """How far apart the two are, in words."""
    off = abs(actual - guess)
    if off == 0:
        return "Exactly what you predicted."
    if guess == 0 or actual == 0 or (guess < 0) != (actual < 0):
        return f"They are {_shown(off, unit)} apart."
    ratio = actual / guess
    side = "above" if actual > guess else "below"
    if off <= 0.5 * abs(guess):
        close = "Very close: the" if off <= 0.05 * abs(guess) else "The"
        return f"{close} result is {number(float(f'{100 * off / abs(guess):.2g}'))}% {side} your prediction."
    factor = number(round(ratio if ratio > 1 else 1 / ratio, 1 if 0.1 < ratio < 10 else 0))
    pair = ("result", "your prediction") if ratio > 1 else ("prediction", "the result")
    words = f"{'The' if ratio > 1 else 'Your'} {pair[0]} is {factor} times {pair[1]}."
    wide = not 0.2 < ratio < 5
    return f"{words} A gap as wide as this one is worth a look: what is at work there?" if wide else words
