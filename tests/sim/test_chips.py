"""The catalogue: every figure has a source or a mark, names are forgiving, errors help, torch is not needed."""

from __future__ import annotations

import doctest
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from syncpoint.sim import chips
from syncpoint.sim.chips import CHIPS, Chip

SIM = Path(chips.__file__).parent
EVERY_CHIP = pytest.mark.parametrize("chip", CHIPS.values(), ids=list(CHIPS))


def parts(chip: Chip) -> list[Chip | chips.Link | chips.Host]:
    return [chip, chip.link, chip.host]


@EVERY_CHIP
def test_every_figure_has_a_source_or_is_marked_as_an_estimate(chip: Chip) -> None:
    for part in parts(chip):
        for name, _, source in chips.figures(part):
            assert source, f"{part.name}.{name} has neither a source nor the mark of an estimate"
            assert source.startswith("estimate") == (name in part.estimated), (part.name, name)


def test_a_forgotten_source_would_be_seen() -> None:
    t4 = CHIPS["T4"]
    bare = replace(t4, sources={name: text for name, text in t4.sources.items() if name != "memory_gbs"})
    assert [name for name, _, source in chips.figures(bare) if not source] == ["memory_gbs"]


@EVERY_CHIP
def test_sources_and_marks_name_figures_that_exist(chip: Chip) -> None:
    for part in parts(chip):
        names = {name for name, _, _ in chips.figures(part)} | {"queue_depth"}
        assert set(part.sources) <= names
        assert part.estimated <= names


@EVERY_CHIP
def test_what_is_reached_is_no_more_than_what_is_specified(chip: Chip) -> None:
    assert 0 < chip.memory_gbs <= chip.memory_spec_gbs
    assert chip.link.pageable_gbs <= chip.link.pinned_gbs <= chip.link.spec_gbs
    for dtype, reached in chip.matmul_tflops.items():
        matrix_units = 2 if dtype == "float64" else 1.03  # double precision: they have twice the rate of the rest
        assert 0 < reached <= matrix_units * chip.tflops.get(dtype, chip.tflops["float32"]), dtype


def test_the_catalogue_holds_what_the_course_names() -> None:
    expected = {
        "T4", "L4", "V100", "A10G", "A40", "A100", "A100-80", "H100", "H200", "L40", "RTX 3060", "RTX 4090",
        "M1", "M3 Max", "ticks",
    }  # fmt: skip
    assert set(CHIPS) == expected
    assert all(chip.name == name for name, chip in CHIPS.items())
    assert CHIPS[chips.DEFAULT] is CHIPS["T4"]
    assert {chip.family for chip in CHIPS.values()} == {"cuda", "mps", "ticks"}


@EVERY_CHIP
def test_apple_chips_share_memory_and_know_no_float64(chip: Chip) -> None:
    apple = chip.family == "mps"
    assert (chip.unified, chip.pinned, chip.float64) == (apple, not apple, not apple)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("t4", "T4"),
        (" Tesla T4 ", "T4"),
        ("colab", "T4"),
        ("rtx-4090", "RTX 4090"),
        ("4090", "RTX 4090"),
        ("NVIDIA GeForce RTX 4090", "RTX 4090"),
        ("A100", "A100"),
        ("A100-40 GB", "A100"),
        ("NVIDIA A100-SXM4-40GB", "A100"),
        ("a100 80gb", "A100-80"),
        ("NVIDIA A100-SXM4-80GB", "A100-80"),
        ("NVIDIA H100 80GB HBM3", "H100"),
        ("Apple M3 Max", "M3 Max"),
        ("m3max", "M3 Max"),
        ("Tesla V100-SXM2-16GB", "V100"),
        ("TICKS", "ticks"),
    ],
)
def test_get_is_forgiving(name: str, expected: str) -> None:
    assert chips.get(name).name == expected


def test_get_gives_a_chip_back() -> None:
    mine = replace(CHIPS["T4"], name="mine")
    assert chips.get(mine) is mine


def test_an_unknown_name_is_answered_with_help() -> None:
    with pytest.raises(ValueError, match=r"no chip 'H10O'.*Did you mean 'H100'\? Known: T4, L4.*dataclasses\.replace"):
        chips.get("H10O")
    with pytest.raises(ValueError, match="no chip 'abacus'") as caught:
        chips.get("abacus")
    assert "Did you mean" not in str(caught.value)


def test_something_that_is_no_name_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="named by a string such as 'T4'"):
        chips.get(4)  # type: ignore[arg-type]


def test_a_chip_of_ones_own() -> None:
    t4 = chips.get("T4")
    mine = replace(t4, name="faster", link=chips.get("A100").link)
    assert mine.link.pinned_gbs > t4.link.pinned_gbs
    assert mine.host is t4.host
    assert t4.link.name == "PCIe 3.0 x16"
    assert {mine: 1}[mine] == 1  # can be a key, although its tables cannot


@EVERY_CHIP
def test_describe_shows_every_figure_and_source(chip: Chip) -> None:
    text = chips.describe(chip.name)
    for part in parts(chip):
        assert part.name in text
        for name, number, source in chips.figures(part):
            assert any(
                line.split()[0] == name and f"{number:,}" in line and line.endswith(source)
                for line in text.splitlines()
            ), (part.name, name)


def test_describe_spells_out_short_names() -> None:
    assert "\nsweep = github.com/chsasank/device-benchmarks" in chips.describe("T4")
    assert "sweep = " not in chips.describe("ticks")


def test_the_examples_in_the_docstring_are_true() -> None:
    result = doctest.testmod(chips)
    assert (result.failed, result.attempted > 0) == (0, True)


@pytest.mark.parametrize("module", ["chips", "cost"])
def test_no_torch_is_needed(module: str) -> None:
    program = (
        "import importlib.util, sys\n"
        "sys.modules['torch'] = None  # an import of it would raise ImportError\n"
        f"spec = importlib.util.spec_from_file_location('alone', {str(SIM / (module + '.py'))!r})\n"
        "alone = importlib.util.module_from_spec(spec)\n"
        "sys.modules['alone'] = alone\n"
        "spec.loader.exec_module(alone)\n"
        "print(sum(name.partition('.')[0] in ('torch', 'numpy', 'matplotlib') for name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "1"), done.stderr  # the blocked entry itself
