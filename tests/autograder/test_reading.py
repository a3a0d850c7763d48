"""What is seen in a learner's cell without running it."""

from __future__ import annotations

import pytest

from autograder.reading import tricks


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("from syncpoint.sim.machine import machine", "reaches into syncpoint.sim, syncpoint.sim.machine"),
        ("from syncpoint.sim import machine as m", "reaches into syncpoint.sim, syncpoint.sim.machine"),
        ("import syncpoint.sim.blocks", "reaches into syncpoint.sim, syncpoint.sim.blocks"),
        ("sp.sim.machine.machine.logs.clear()", "reaches into syncpoint.sim, syncpoint.sim.machine"),
        ("import sys\nsys.modules['syncpoint.sim.waits']", "reaches into syncpoint.sim, syncpoint.sim.waits"),
        ("from autograder.inside import wire", "reaches into the autograder, autograder.inside.wire"),
        ("%time 1\nimport ctypes\nctypes.pythonapi", "calls C code directly"),
        ("subprocess.Popen(['x'], pass_fds=[3])", "hands its open files to another process"),
        ("class A:\n    @property\n    def __class__(self): ...", "has a class that says it is another one, A"),
        ("class A:\n    __class__ = int", "has a class that says it is another one, A"),
    ],
)
def test_what_is_told(source: str, told: str) -> None:
    assert tricks(source) == [told]


@pytest.mark.parametrize(
    "source",
    [
        "sp.sim.use('T4'); sp.sim.aside('A100'); sp.sim.chips.get('T4'); sp.sim.Chip",
        "from syncpoint.sim.chips import CHIPS",
        "from syncpoint.sim import chips, use",
        "files('syncpoint.sim').joinpath('data')",
        "self.sim.machine = 1; sim.machine",
        "x.__class__.__name__",
        "import ctypes; ctypes.c_float.from_address(x.data_ptr())",
        "!ls\n%matplotlib inline",
        "def broken(:",
        "x = '\\d'",
        "(" * 500,
        "",
    ],
)
def test_what_is_nobodys_matter(source: str) -> None:
    assert tricks(source) == []
