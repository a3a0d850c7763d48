"""Every answer in tests/answers does what its name says: right ones get full points, wrong ones lose some."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import pytest

from autograder import answers, labs
from autograder.course import Course
from autograder.labs import Lab

COURSE = Course.find(Path(__file__))
BANK = Path(__file__).parents[1] / "answers"
LABS = COURSE.labs()
EVERY_LAB = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in LABS]  # one worker tries one bank
ANSWERS = [(name, a) for name in LABS if (BANK / name).is_dir() for a in answers.read_bank(BANK / name)]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="answers are tried in forked processes")


Tried = tuple[dict[Path, answers.Verdict], answers.Verdict]


@lru_cache(maxsize=1)  # the tests of one lab come one after the other
def tried_once(name: str) -> Tried | Exception:
    """A lab's whole bank is tried at once: its modules are imported only once."""
    try:
        verdicts, own = answers.try_bank(COURSE.lab(name), [a for lab, a in ANSWERS if lab == name])
    except Exception as error:  # raised by every test of the lab, but tried only once
        return error
    return {verdict.answer.path: verdict for verdict in verdicts}, own


def tried(name: str) -> Tried:
    found = tried_once(name)
    if isinstance(found, Exception):
        raise found
    return found


def answer_cells(lab: Lab) -> list[str]:
    return [name for e in lab.exercises for name in e.answers if labs.kind(lab.cell(name)) == "answer"]


@pytest.mark.parametrize("name", EVERY_LAB)
def test_the_labs_own_solutions_get_full_points(name: str) -> None:
    _, own = tried(name)
    assert not own.problems, "\n".join(own.problems)
    assert not own.messages, own.messages


def as_parameter(name: str, answer: answers.Answer) -> object:
    label = f"{name}/{answer.cell}/{answer.path.stem}"
    return pytest.param(name, answer, id=label, marks=pytest.mark.xdist_group(name))


@pytest.mark.parametrize(("name", "answer"), [as_parameter(*pair) for pair in ANSWERS])
def test_answer(name: str, answer: answers.Answer) -> None:
    verdict = tried(name)[0][answer.path]
    assert not verdict.problems, f"{answer.path}: " + "; ".join(verdict.problems)


@pytest.mark.parametrize("name", EVERY_LAB)
def test_every_answer_cell_has_enough_answers(name: str) -> None:
    lab = COURSE.lab(name)
    for cell in answer_cells(lab):
        here = [a for lab_name, a in ANSWERS if lab_name == name and a.cell == cell]
        right = sum(a.right for a in here)
        assert right >= 2, f"{name}/{cell}: {right} right answers, at least 2 are needed"
        assert len(here) - right >= 3, f"{name}/{cell}: {len(here) - right} wrong answers, at least 3 are needed"
