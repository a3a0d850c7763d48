"""The bubble demo: its times are those of the closed forms and of the pipeline's own replay."""

from __future__ import annotations

import doctest
import itertools
import json

import pytest
from html_check import check, stands_alone

import syncpoint as sp
from syncpoint.demos import bubble as bubble_module
from syncpoint.demos import bubble_runs
from syncpoint.demos.bubble import COMPUTES, COPIES, IMBALANCES, MICRO_BATCHES, STAGES, Bubble
from syncpoint.demos.bubble_runs import closed_form, play
from syncpoint.pipeline import formulas


def at(m: int, n: int, c: int = 3, p: int = 1, streams: bool = True, imbalance: int = 1) -> Bubble:
    b = sp.bubble(m, n)
    b.compute, b.copy, b.copy_streams, b.imbalance = c, p, streams, imbalance
    return b


SETTINGS = list(itertools.product((1, 2, 5, 8, 32), STAGES, (1, 3, 5), (0, 1, 3, 6), IMBALANCES))


# Numbers -----------------------------------------------------------------------------------------------------------


def test_totals_with_copy_streams_are_those_of_the_formula() -> None:
    """The formula that the page shows, worked out as Python, and the one of the docstring."""
    for m, n, c, p, imbalance in SETTINGS:
        b = at(m, n, c, p, imbalance=imbalance)
        assert b.total == eval(b.formula.replace("×", "*")) == closed_form(m, b.computes, p), b.text
        if imbalance == 1:
            assert b.total == formulas.span(m, n, c, p)


def test_totals_are_those_of_the_pipelines_own_replay() -> None:
    for m, n, c, p, imbalance in SETTINGS:
        for streams in (True, False):
            b = at(m, n, c, p, streams, imbalance)
            assert b.total == formulas.replay(m, b.computes, p, copy_streams=streams), b.text


@pytest.mark.parametrize(
    ("m", "n", "c", "p", "queued", "streamed"),
    [(4, 2, 3, 1, 19, 16), (8, 4, 3, 1, 52, 36), (8, 4, 3, 3, 90, 42), (8, 4, 3, 5, 128, 62)],
)
def test_known_cases(m: int, n: int, c: int, p: int, queued: int, streamed: int) -> None:
    assert (at(m, n, c, p, streams=False).total, at(m, n, c, p).total) == (queued, streamed)


@pytest.mark.parametrize(
    ("m", "n", "share"),
    [(1, 4, 0.75), (4, 4, 0.4286), (8, 4, 0.2727), (16, 4, 0.1579), (32, 4, 0.0857), (4, 2, 0.2)],
)
def test_bubble_of_equal_stages_and_free_copies(m: int, n: int, share: float) -> None:
    assert at(m, n, p=0).bubble == pytest.approx(share, abs=5e-5) == (n - 1) / (m + n - 1)


@pytest.mark.parametrize(("computes", "total", "share"), [((1, 1, 3, 1), 27, 0.556), ((2, 1, 1, 2), 20, 0.4)])
def test_imbalance(computes: tuple[int, ...], total: int, share: float) -> None:
    played = play(8, computes, 0, True)
    assert (played.total, played.bubble) == (total, pytest.approx(share, abs=5e-4))


def test_the_slow_stage_stands_behind_the_middle() -> None:
    b = at(8, 4, 1, 0, imbalance=3)
    assert (b.computes, b.total) == ((1, 1, 3, 1), 27)


def test_no_stage_does_two_things_at_once_and_nothing_comes_too_early() -> None:
    for m, n, c, p, imbalance in SETTINGS[::7]:
        for streams in (True, False):
            played = play(m, at(m, n, c, p, imbalance=imbalance).computes, p, streams)
            for j in range(n):
                spans = list(played.tasks[j])
                if not streams:
                    spans += played.copies[j] + (played.copies[j + 1] if j + 1 < n else ())
                spans.sort()
                assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))
                for i, (began, ended) in enumerate(played.copies[j]):
                    assert played.tasks[j - 1][i][1] <= began
                    assert ended <= played.tasks[j][i][0]


# Words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("b", "said"),
    [
        ((8, 4), "8 micro-batches, 4 stages. Total time: 4 × 3 + 3 × 1 + 7 × max(3, 1) = 36 us. Without copy streams "
                 "it would be 52 us. The stages stand idle for 33.3% of the time."),
        ((8, 4), "(n - 1) / (m + n - 1) = 3 / 11 = 27.3%. One device would take 96 us: the pipeline is 2.67 times as"),
        ((8, 4, 3, 1, False), "Total time: 52 us, from playing the timetable"),
        ((8, 4, 3, 1, False), "With copy streams it would be 36 us."),
        ((8, 4, 1, 0, True, 3), "(1 + 1 + 3 + 1) + 3 × 0 + 7 × max(3, 0) = 27 us. The stages stand idle for 55.6%"),
        ((8, 4, 1, 0, True, 3), "Everyone waits for the slowest: stage 2 takes 3 us, the others 1."),
        ((8, 4, 3, 5), "The copies set the pace"),
        ((1, 1), "1 micro-batch, 1 stage. Total time: 1 × 3 + 0 × 1 + 0 × 3 = 3 us. The stages stand idle for 0% of"),
    ],
)  # fmt: skip
def test_words_follow_the_controls(b: tuple, said: str) -> None:
    assert said in at(*b).text


@pytest.mark.parametrize(
    ("name", "bad"),
    [("value", 0), ("value", 17), ("stages", 7), ("stages", "4"), ("compute", 0), ("copy", -1), ("copy", True),
     ("copy_streams", 1), ("imbalance", 4)],
)  # fmt: skip
def test_impossible_positions(name: str, bad: object) -> None:
    b = sp.bubble()
    with pytest.raises(ValueError, match=rf"bubble\(\)\.{name}: {bad!r}; choose one of"):
        setattr(b, name, bad)
    assert (b.value, b.stages, b.compute, b.copy, b.copy_streams, b.imbalance) == (4, 4, 3, 1, True, 1)


def test_impossible_pipelines() -> None:
    with pytest.raises(ValueError, match=r"bubble\(\).value: 20"):
        sp.bubble(20)
    with pytest.raises(ValueError, match=r"bubble\(\).stages: 0"):
        sp.bubble(4, 0)


# The page ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def html() -> str:
    return sp.bubble()._repr_mimebundle_()["text/html"]


def test_page_is_well_formed_and_asks_for_nothing_outside(html: str) -> None:
    stands_alone(html)


def test_words_and_picture_remain_without_a_script(html: str) -> None:
    page = check(html)
    text = "".join(page.text)
    for said in ("4 micro-batches, 4 stages.", "16 micro-batches, 4 stages.", "= 24 us", "= 60 us"):
        assert said in text
    attributes = dict(page.attributes)
    assert attributes["src"].startswith("data:image/png;base64,")
    assert len(attributes["alt"]) > 20


def test_controls_start_where_code_has_left_them() -> None:
    b = at(24, 6, 2, 5, False, 2)
    data = json.loads(dict(check(b._repr_mimebundle_()["text/html"]).attributes)["data-bubble"])
    values, known = (24, 6, 2, 5, 2), (MICRO_BATCHES, STAGES, COMPUTES, COPIES, IMBALANCES)
    assert [slider[2] for slider in data["sliders"]] == [k.index(v) for k, v in zip(known, values, strict=True)]
    assert [len(slider[1]) for slider in data["sliders"]] == list(map(len, known))
    assert data["radios"][2] == 1


def test_plain_text_ends_with_the_sentence() -> None:
    assert repr(at(8, 4)).endswith(at(8, 4).text)


def test_no_figure_stays_open() -> None:
    import matplotlib.pyplot as plt

    plt.close("all")
    sp.bubble()._repr_mimebundle_()
    assert plt.get_fignums() == []


def test_examples_in_the_docstrings() -> None:
    for module in (bubble_module, bubble_runs):
        result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
        assert result.attempted > 0, module
        assert result.failed == 0, module
