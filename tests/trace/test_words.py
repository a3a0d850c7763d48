"""How operators, places and quantities are named to a learner."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from syncpoint.sim.log import WAIT_KINDS
from syncpoint.words import REASONS, REMEDIES, bytes_text, many, op_name, op_word, place, remedy, time_text, times

READ = "aten._local_scalar_dense.default"


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("while (x.norm() > 1).item():", ".item()"),
        ("total = float(loss)", "float()"),
        ("a = float(x) + int(y)", "float() or int()"),
        ("y = x.float(); flag = bool(y)", "bool()"),
        ("print(loss)", "print()"),
        ("print(loss.item())  # float(loss)", ".item()"),
        ('print(f"{loss.item():.3f}")', ".item()"),
        ("if loss < best:", "the if"),
        ("elif loss < best:", "the if"),
        ("while x > 1:", "the while"),
        ("assert x > 1", "the assert"),
        ("y = 1 if x > 0 else 2", "the if"),
        ("for k in range(n):", "range()"),
        ("m = max(v)", "max()"),
        ("m = torch.max(v)[0]", ".item() or similar"),
        ("name = names['.item()'][k]", ".item() or similar"),
        ("text = f'{loss:.3f}'", "the f-string"),
        ("", ".item() or similar"),
    ],
)
def test_a_value_read_is_called_what_the_line_calls_it(source: str, word: str) -> None:
    assert op_word(READ, source) == word


@pytest.mark.parametrize(
    ("op", "source", "kind", "word"),
    [
        ("aten._to_copy", "x = x.to(device)", "copy", ".to()"),
        ("aten._to_copy", "h = v.cpu().numpy()", "copy", ".cpu()"),
        ("aten._to_copy", "values = v.tolist()", "copy", ".tolist()"),
        ("aten.copy_", "model.load_state_dict(state)", "copy", "load_state_dict()"),
        ("aten.copy_", "move(x)", "copy", "a copy"),
        ("aten.lift_fresh", "t = torch.tensor([1.0], device=device)", "copy", "torch.tensor()"),
        ("synchronize", "torch.accelerator.synchronize()", "explicit", "synchronize()"),
        ("aten.index.Tensor", "y = x[mask]", "data-dependent shape", "indexing with a mask"),
        ("aten.index.Tensor", "y = x[[0, 1]]", "copy", "indexing with a list or CPU tensor"),
        ("aten.nonzero.default", "i = nz(x)", "data-dependent shape", "nonzero()"),
    ],
)
def test_other_operators_have_words_too(op: str, source: str, kind: str, word: str) -> None:
    assert op_word(op, source, kind) == word


def test_every_kind_of_wait_has_a_reason_and_a_remedy() -> None:
    assert set(REASONS) == set(REMEDIES) == set(WAIT_KINDS)
    assert remedy("copy", "aten.index.Tensor") != remedy("copy")
    assert remedy("copy", "aten._to_copy") == REMEDIES["copy"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("/tmp/ipykernel_1/2.py", "cell, line 4"),
        (r"C:\Users\ada\AppData\Local\Temp\ipykernel_123\456.py", "cell, line 4"),
        ("/tmp/ipython-input-1-2776399087.py", "cell, line 4"),
        ("/tmp/xpython_42/1.py", "cell, line 4"),
        ("<ipython-input-12-0a1b2c>", "cell In[12], line 4"),
        ("/home/ada/train.py", "train.py, line 4"),
        (r"C:\ada\train.py", "train.py, line 4"),
        ("<stdin>", "<stdin>, line 4"),
    ],
)
def test_a_place_is_a_cell_or_a_file(file: str, text: str) -> None:
    assert place(file, 4) == text


def test_a_cell_has_the_number_that_ipython_gave_it(monkeypatch: pytest.MonkeyPatch) -> None:
    compilerop = pytest.importorskip("IPython.core.compilerop")
    if sys.modules["IPython"].version_info < (8,):
        pytest.skip("IPython 7 keeps no table of its cells' numbers: there a place is just a cell")

    class Compiler(compilerop.CachingCompiler):  # as ipykernel's: a file of its own for each cell
        def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
            return "/tmp/ipykernel_1/2776399087.py"

    compiler = Compiler()
    shell = SimpleNamespace(compile=compiler)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    file = compiler.cache("x = 1\ny = 2", number=7)
    assert place(file, 2) == "cell In[7], line 2"
    assert place("train.py", 2) == "train.py, line 2"


def test_without_a_line_no_place_is_made_up() -> None:
    assert place("", 0) == "outside your own code"


def test_units_read_well() -> None:
    assert [time_text(us) for us in (0, 84, 999.9, 1_250, 2_300_000)] == [
        "0.0 us", "84.0 us", "999.9 us", "1.25 ms", "2.30 s",
    ]  # fmt: skip
    assert [bytes_text(n) for n in (0, 999, 1_000, 200_704, 12_000_000, 3 * 10**9, 10**13)] == [
        "0 B", "999 B", "1.0 kB", "200.7 kB", "12.0 MB", "3.0 GB", "10000.0 GB",
    ]  # fmt: skip
    assert [times(n) for n in (1, 2, 7, 1200)] == ["once", "twice", "7 times", "1,200 times"]
    assert [many(n, "copy", "copies") for n in (0, 1, 2)] == ["no copies", "1 copy", "2 copies"]
    assert [op_name(op) for op in ("aten.add.Tensor", "aten.mm", "synchronize")] == ["add", "mm", "synchronize"]
