"""The runner of the answer bank sees right from wrong, and says when a file of the bank proves nothing."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from nbformat import v4
from tiny_lab import code, tiny_notebook

from autograder import answers, forked, labs
from autograder.answers import Answer, Verdict

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows cannot fork processes")
LAB = labs.as_lab("01_tiny", tiny_notebook())
DOUBLE = "def double(x):\n    "
SQUARES = "# reason: squares\n"
FILES = {
    "double/right_times.py": DOUBLE + "return x * 2",
    "double/right_shift.py": DOUBLE + "return x << 1",
    "double/right_but_wrong.py": DOUBLE + "return x * x",
    "double/wrong_square.py": SQUARES + "# fails: test_double_more\n# says: double(-7) is\n" + DOUBLE + "return x * x",
    "double/wrong_other_test.py": SQUARES + "# fails: test_double\n" + DOUBLE + "return x * x",
    "double/wrong_other_words.py": SQUARES + "# says: too slow\n" + DOUBLE + "return x * x",
    "double/wrong_slip.py": SQUARES + DOUBLE + "return y * y",
    "double/wrong_nothing.py": "# reason: is right\n" + DOUBLE + "return 2 * x",
    "double/wrong_loop.py": "# reason: never ends\n# says: ran longer than\n" + DOUBLE + "while True: pass",
    "double/wrong_exit.py": "# reason: ends it\n# says: ended with status\nimport os\n" + DOUBLE + "os._exit(1)",
    "count/wrong_one.py": "# reason: never says 0\ndef count_even(n): return sum(x % 2 == 0 for x in n) or 1",
    "count/right_filter.py": "count_even = lambda n: len(list(filter(lambda x: x % 2 == 0, n)))",
}


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bank")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def tried(bank: Path) -> dict[str, Verdict]:
    verdicts, own = answers.try_bank(LAB, answers.read_bank(bank), limit_s=3)
    return {f"{v.answer.cell}/{v.answer.path.name}": v for v in verdicts} | {"own": own}


def test_the_labs_own_solutions(tried: dict[str, Verdict]) -> None:
    own = tried["own"]
    assert (own.points, own.problems) == ({"test_double": 1, "test_double_more": 2, "test_count": 2}, [])


@pytest.mark.parametrize(
    "name",
    [
        *("double/right_times.py", "double/right_shift.py", "double/wrong_square.py", "double/wrong_loop.py"),
        *("double/wrong_exit.py", "count/wrong_one.py", "count/right_filter.py"),
    ],
)
def test_answers_that_prove_what_they_say(tried: dict[str, Verdict], name: str) -> None:
    assert tried[name].problems == []


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("double/right_but_wrong.py", "test_double_more gave 0 of 2: AssertionError: double(-7) is wrong"),
        ("double/wrong_other_test.py", "test_double should take points and does not"),
        ("double/wrong_other_words.py", "no message holds 'too slow'"),
        ("double/wrong_slip.py", "not by a failed check: mend it, or add '# says: ...'"),
        ("double/wrong_nothing.py", "a wrong answer (is right) that loses no points"),
    ],
)
def test_answers_that_do_not(tried: dict[str, Verdict], name: str, problem: str) -> None:
    assert len(tried[name].problems) == 1
    assert problem in tried[name].problems[0]


def test_tests_above_the_answer_are_not_expected_to_run() -> None:
    cells = [
        code("# Task 1: first half\nf = 1", grade_id="f", solution=True),
        code("assert f == 1, 'f'", grade_id="test_f", grade=True, points=1),
        code("# Task 1: second half\ng = 2", grade_id="g", solution=True),
        code("assert g == 2, 'g'", grade_id="test_g", grade=True, points=1),
    ]
    lab = labs.as_lab("x", v4.new_notebook(cells=cells))
    wrong = Answer(Path("wrong_g.py"), "g", "g = 3", right=False, reason="x")
    ((verdict,), _) = answers.try_bank(lab, [wrong])
    assert (verdict.points, verdict.problems) == ({"test_g": 0}, [])
    with pytest.raises(ValueError, match="'test_f' stands above the answer"):
        answers.try_bank(lab, [replace(wrong, fails=("test_f",))])


def test_partial_credit_counts(tried: dict[str, Verdict]) -> None:
    assert tried["count/wrong_one.py"].points == {"test_count": 1}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("double/wrong_x.py", "def double(x): ...", "starts with a line '# reason:"),
        ("double/maybe.py", "1", "are called <grade_id>/right_"),
        ("right_x.py", "1", "are called <grade_id>/right_"),
    ],
)
def test_files_that_would_never_be_tried(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        answers.read_bank(tmp_path)


def test_names_that_the_lab_does_not_have() -> None:
    with pytest.raises(ValueError, match="has no answer cell 'essay'"):
        answers.try_bank(LAB, [Answer(Path("x"), "essay", "1", right=True)])
    with pytest.raises(ValueError, match="has no test cell 'test_x'"):
        answers.try_bank(LAB, [Answer(Path("x"), "double", "1", right=False, fails=("test_x",))])


def test_a_process_with_threads_is_not_forked() -> None:
    """A forked child has none of its parent's threads; the answer is tried from the start instead."""
    cells = [
        "import threading, time\nstop = threading.Event()\nthread = threading.Thread(target=stop.wait, daemon=True)",
        "thread.start()",
        "answer = 1",
        "assert thread.is_alive()\nanswer",
    ]
    outcomes, _ = forked.try_answers(cells, [forked.Trial(cell=2, source="answer = 2", until=3)])
    assert [(o.cell, o.error, o.value) for o in outcomes] == [(2, "", ""), (3, "", "2")]


def test_a_learner_is_stopped_by_stubs_only() -> None:
    stub = "raise NotImplementedError('task {}: do it')"
    cells = ["def f():\n    " + stub.format(1), "f()", stub.format(2), "g"]
    stops = forked.learn(cells, {0: ("1", "def f(): pass"), 2: ("2", "h = 1")})
    assert [(s.cell, s.error) for s in stops] == [
        (1, "NotImplementedError"),
        (2, "NotImplementedError"),
        (3, "NameError"),
    ]
