"""A question for self-checking, with feedback for each choice. Nothing is graded or stored.

Live, the choices are radio buttons and Check shows the feedback of the chosen one. Without a script or a kernel the
question, its lettered choices and, folded away, the feedback remain readable. From code: ``answer`` or ``value``.

What it does not do: questions with several answers to tick. Where several choices are right, any of them will do.

>>> q = quiz("What does `y = x + 1` do on a GPU?", [
...     ("Queues the work and returns.", True, "The host goes on at once."),
...     ("Waits until `y` is ready.", False, "Nothing here needs the value of `y` yet."),
... ])
>>> q.answer("B")
'Not quite. Nothing here needs the value of `y` yet.'
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from syncpoint.demos.page import attribute, live, prose


@dataclass(slots=True, frozen=True)
class Choice:
    """One choice: its text, whether it is right, and what to say to a learner who takes it."""

    text: str
    right: bool
    feedback: str

    def said(self) -> str:
        """The feedback with its verdict in front."""
        return f"{'Right.' if self.right else 'Not quite.'} {self.feedback}"


class Quiz:
    """A question. ``value`` is the index of the chosen answer (None at first) and ``text`` its feedback."""

    def __init__(self, question: str, choices: Sequence[tuple[str, bool, str]]) -> None:
        self.question = question
        self.choices = [_choice(question, i, c) for i, c in enumerate(choices)]
        if not 2 <= len(self.choices) <= len(string.ascii_uppercase):
            raise ValueError(f"quiz({question!r}): {len(self.choices)} choices; a question has 2 to 26.")
        if not any(c.right for c in self.choices):
            raise ValueError(f"quiz({question!r}): no choice is right; mark one with True.")
        self._value: int | None = None

    @property
    def value(self) -> int | None:
        return self._value

    @value.setter
    def value(self, choice: int | str | None) -> None:
        self._value = None if choice is None else self._index(choice)

    @property
    def text(self) -> str:
        """The feedback of the chosen answer."""
        return "No answer yet." if self._value is None else self.choices[self._value].said()

    def answer(self, choice: int | str) -> str:
        """Choose by index (from 0) or by letter, and read the feedback."""
        self.value = choice
        return self.text

    def _index(self, choice: int | str) -> int:
        letters = string.ascii_uppercase[: len(self.choices)]
        if isinstance(choice, str) and len(choice) == 1 and choice.upper() in letters:
            return letters.index(choice.upper())
        if isinstance(choice, int) and not isinstance(choice, bool) and 0 <= choice < len(letters):
            return choice
        raise ValueError(f"No choice {choice!r}: take a letter from A to {letters[-1]}, or 0 to {len(letters) - 1}.")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": live(self._plain(), "quiz")}

    def _plain(self) -> str:
        lettered = list(zip(string.ascii_uppercase, self.choices, strict=False))
        options = "\n".join(f"<p>{letter}. <span>{prose(c.text)}</span></p>" for letter, c in lettered)
        feedback = "\n".join(
            f'<p data-right="{attribute(c.right)}">{letter}. <span>{prose(c.said())}</span></p>'
            for letter, c in lettered
        )
        return (
            f'<div class="sp-demo sp-quiz">\n<p><strong>{prose(self.question)}</strong></p>\n{options}\n'
            f"<details>\n<summary>Answer, with a word on each choice</summary>\n{feedback}\n</details>\n</div>"
        )

    def __repr__(self) -> str:
        lines = [f"  {letter}. {c.text}" for letter, c in zip(string.ascii_uppercase, self.choices, strict=False)]
        hint = 'Choose with .answer("A") and so on.' if self.value is None else self.text
        return "\n".join([self.question, *lines, hint])


def quiz(question: str, choices: Sequence[tuple[str, bool, str]]) -> Quiz:
    """A self-check question; show it by making it the last line of a cell.

    Args:
        question: may hold `` `code` ``.
        choices: for each choice its text, whether it is right, and the feedback to whoever takes it.
    """
    return Quiz(question, choices)


def _choice(question: str, index: int, given: tuple[str, bool, str]) -> Choice:
    if len(given) != 3 or not isinstance(given[1], bool):
        raise ValueError(
            f"quiz({question!r}): choice {index} is {given!r}; it should be (text, True or False, feedback)."
        )
    return Choice(*given)
