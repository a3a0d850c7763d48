"""Makes the picture of the top README: the same loop, with a value read in every turn and with one read at its end.

    python course/figures/picture.py        # writes course/figures/loop.png

Both halves are traces of the simulated T4, drawn by ``Trace.timeline``; nothing in them is drawn by hand.
"""

from __future__ import annotations

import io
from pathlib import Path

import torch
from matplotlib.figure import Figure
from matplotlib.image import imread

import syncpoint as sp
from syncpoint.words import many

TURNS, SIZE = 6, 256


def read_every_turn(x: torch.Tensor) -> None:
    for _ in range(TURNS):
        x = x @ x
        x.sum().item()


def read_once(x: torch.Tensor) -> None:
    for _ in range(TURNS):
        x = x @ x
    x.sum().item()


def main() -> None:
    sp.sim.use(chip="T4")
    x = torch.eye(SIZE, device="sim")
    halves = []
    for name, loop in (("a value read in every turn", read_every_turn), ("one read, at the end", read_once)):
        with sp.trace(device="sim") as t:
            loop(x)
        image = io.BytesIO()
        t.timeline().savefig(image, format="png", dpi=110, bbox_inches="tight")
        halves.append(
            (
                f"{name}: {many(len(t.waits), 'wait')}, {t.elapsed_us:,.0f} virtual µs",
                imread(io.BytesIO(image.getvalue())),
            )
        )
    figure = Figure(figsize=(10, 5.4), layout="constrained")
    for axes, (title, image) in zip(figure.subplots(len(halves), 1), halves, strict=True):
        axes.imshow(image)
        axes.set_title(title, loc="left", fontsize=11)
        axes.axis("off")
    figure.savefig(Path(__file__).with_name("loop.png"), dpi=100)


if __name__ == "__main__":
    main()
