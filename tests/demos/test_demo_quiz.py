"""Questions: feedback for each choice, from code and in the page that has no script."""

from __future__ import annotations

import pytest
from html_check import check

import syncpoint as sp

CHOICES = [("First `x`.", False, "Not that one."), ("Second.", True, "Because."), ("Third.", False, "Nor that.")]


def test_answer_by_index_and_by_letter() -> None:
    quiz = sp.quiz("Which?", CHOICES)
    assert quiz.answer(1) == "Right. Because."
    assert quiz.answer("b") == quiz.answer("B") == "Right. Because."
    assert quiz.answer("A") == "Not quite. Not that one."
    assert quiz.value == 0


def test_value_drives_the_text() -> None:
    quiz = sp.quiz("Which?", CHOICES)
    assert (quiz.value, quiz.text) == (None, "No answer yet.")
    quiz.value = 2
    assert quiz.text == "Not quite. Nor that."
    quiz.value = None
    assert quiz.text == "No answer yet."


@pytest.mark.parametrize("choice", [3, -1, "D", "", "AB", 1.0, True])
def test_unknown_choice_names_the_known_ones(choice: object) -> None:
    with pytest.raises(ValueError, match="take a letter from A to C, or 0 to 2"):
        sp.quiz("Which?", CHOICES).answer(choice)  # type: ignore[arg-type]


def test_plain_text_holds_question_and_choices_but_not_the_answer() -> None:
    quiz = sp.quiz("Which?", CHOICES)
    assert repr(quiz).splitlines()[:4] == ["Which?", "  A. First `x`.", "  B. Second.", "  C. Third."]
    assert "Because" not in repr(quiz)
    quiz.answer("B")
    assert repr(quiz).endswith("Right. Because.")


def test_page_without_script_holds_everything_with_the_feedback_folded_away() -> None:
    html = sp.quiz("Which?", CHOICES)._repr_mimebundle_()["text/html"]
    text = "".join(check(html).text)
    for words in ("Which?", "A. First x.", "B. Second.", "C. Not quite. Nor that.", "B. Right. Because."):
        assert words in text
    assert html.index("C. <span>Third.") < html.index("<details>") < html.index("Because.") < html.index("</details>")


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ([("a", True, "")], "1 choices; a question has 2 to 26"),
        ([("a", False, ""), ("b", False, "")], "no choice is right"),
        ([("a", True), ("b", False, "")], r"choice 0 is \('a', True\)"),
        ([("a", True, ""), ("b", "no", "")], "choice 1 is"),
    ],
)
def test_impossible_question_says_what_is_wrong(choices: list[tuple[str, bool, str]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sp.quiz("Which?", choices)
