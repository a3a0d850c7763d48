"""Which tests depend on which answer: names are followed as Python would bind and look them up."""

from __future__ import annotations

import pytest
from nbformat import v4
from tiny_lab import code

from autograder import labs
from autograder.dependence import dependent_tests, names


def test_names_are_followed_from_cell_to_cell() -> None:
    cells = [
        code("# Task 1\ndef f(x): return x", grade_id="f", solution=True),
        code("assert f(1)", grade_id="test_f", grade=True, points=1),
        code("%time pass\ndef helper():\n    y = f(2)\n    return y"),
        code("# Task 2\ng = 1", grade_id="g", solution=True),
        code("assert helper() == 2", grade_id="test_helper", grade=True, points=1),
        code("y = 0\nassert g", grade_id="test_g", grade=True, points=1),
        code("f = None"),
        code("assert f is None", grade_id="test_new_f", grade=True, points=1),
    ]
    lab = labs.as_lab("x", v4.new_notebook(cells=cells))
    assert dependent_tests(lab, "f") == ["test_f", "test_helper"]
    assert dependent_tests(lab, "g") == ["test_helper", "test_g", "test_new_f"]  # all of its own exercise


def test_a_test_above_an_answer_does_not_depend_on_it() -> None:
    cells = [
        code("# Task 1: first half\nf = 1", grade_id="f", solution=True),
        code("assert f", grade_id="test_f", grade=True, points=1),
        code("# Task 1: second half\ng = 2", grade_id="g", solution=True),
        code("assert g", grade_id="test_g", grade=True, points=1),
    ]
    lab = labs.as_lab("x", v4.new_notebook(cells=cells))
    assert dependent_tests(lab, "f") == ["test_f", "test_g"]  # one task, one exercise
    assert dependent_tests(lab, "g") == ["test_g"]


def test_a_helper_beside_the_answer_in_a_test_is_free() -> None:
    cells = [
        code("# Task 1\ndef f(x): return x", grade_id="f", solution=True),
        code("def order(x): return x\nfor kind in 'ab': f(kind)", grade_id="test_f", grade=True, points=1),
        code("# Task 2\ng = 1", grade_id="g", solution=True),
        code("for kind in 'cd': order(kind), g", grade_id="test_g", grade=True, points=1),
        code("kind", grade_id="test_kind", grade=True, points=1),
    ]
    lab = labs.as_lab("x", v4.new_notebook(cells=cells))
    assert dependent_tests(lab, "f") == ["test_f"]


@pytest.mark.parametrize(
    ("source", "used", "bound"),
    [
        ("x = x + y", "x y", "x"),
        ("x += 1", "x", "x"),
        ("x[0] = y", "x y", ""),
        ("x.a = 1", "x", ""),
        ("a, (b, *c) = d", "d", "a b c"),
        ("for i in range(n):\n    s = i\n    t = s", "range n", "i s t"),
        ("with open(p) as f:\n    f.read()", "open p", "f"),
        ("try:\n    a\nexcept E as e:\n    e", "a E", "e"),
        ("import a.b, c as d", "", "a d"),
        ("from a import b as c", "", "c"),
        ("def f(a, b=c, *d, e=g, **h) -> int:\n    k = a + m\n    return k, b, d, e, h, f", "c g m f", "f"),
        ("@d\nclass A(B, m=M):\n    x = y\n    z = x", "d B M y", "A"),
        ("lambda a, b=c: a + b + d", "c d", ""),
        ("[a + b for a in c if d]", "b c d", ""),
        ("{k: v for k, v in m.items()}", "m", ""),
        ("(n := f(x)) and n", "f x", "n"),
        ("x: int = y", "y", "x"),
        ("if a:\n    b = 1\nelse:\n    c = b", "a", "b c"),
    ],
)
def test_names_of_a_statement(source: str, used: str, bound: str) -> None:
    ((found_used, found_bound),) = names(source)
    assert (found_used, found_bound) == (set(used.split()), set(bound.split()))


def test_magics_and_broken_cells() -> None:
    assert names("%matplotlib inline\nx = y")[-1] == ({"y"}, {"x"})
    assert names("def f(:") == []
