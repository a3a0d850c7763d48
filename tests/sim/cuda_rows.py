"""The observed CUDA rows (course/syncpoint/sim/data/cuda_syncs.csv) and how a statement of them is run on sim."""

from __future__ import annotations

import copy
import csv
import io
import pickle
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import syncpoint as sp


@dataclass(frozen=True)
class Row:
    """One statement, with what was counted while torch 2.14's CUDA host code ran it."""

    number: int
    name: str
    kind: str
    setup: str
    statement: str
    waits: int
    launches: int

    def __str__(self) -> str:
        return f"{self.number}: {self.name}"


#: Functions that older versions of PyTorch write in other operators; the table is of 2.14.
OF_2_14 = {
    "x.quantile(tensor q)", "x.nanquantile", "generator.get_state via fork_rng", "combinations", "trunc_normal_",
}  # fmt: skip


def skip_where_composed_otherwise(row: Row) -> None:
    if row.name in OF_2_14 and torch.__version__ < "2.14":
        pytest.skip(f"torch {torch.__version__} composes this otherwise than 2.14, whose counts the table holds")


def rows(kind: str) -> list[Row]:
    text = resources.files("syncpoint.sim").joinpath("data/cuda_syncs.csv").read_text(encoding="utf-8")
    table = [
        Row(n, r["name"], r["kind"], r["setup"], r["statement"], int(r["syncs"]), int(r["launches"]))
        for n, r in enumerate(csv.DictReader(io.StringIO(text)), start=2)
    ]
    return [row for row in table if row.kind == kind]


def variables() -> dict[str, Any]:
    """The names that the statements use: all zeros, on the device unless said."""
    device = "sim"
    names: dict[str, Any] = {
        "torch": torch, "F": F, "np": np, "copy": copy, "io": io, "pickle": pickle, "D": device,
        "x": torch.zeros(64, 64, device=device),
        "v": torch.zeros(64, device=device),
        "b": torch.zeros(64, 64, dtype=torch.bool, device=device),
        "bv": torch.zeros(64, dtype=torch.bool, device=device),
        "i": torch.zeros(8, dtype=torch.long, device=device),
        "s": torch.zeros((), device=device),
        "k": torch.zeros((), dtype=torch.long, device=device),
        "w": torch.zeros(64, 64, device=device, requires_grad=True),
        "h": torch.zeros(64, 64),
        "hp": torch.zeros(64, 64).pin_memory(),
        "npa": np.zeros(8, dtype=np.float32),
    }  # fmt: skip
    return names


#: All zeros make these statements fail on any device that computes values; the counts do not depend on the values.
OTHER_VALUES = {
    "torch.multinomial(v.abs(),1)": {"v": lambda: torch.ones(64, device="sim")},
    "torch.linalg.inv(x)": {"x": lambda: torch.eye(64, device="sim")},
    "torch.linalg.cholesky(x)": {"x": lambda: torch.eye(64, device="sim")},
    "torch.linalg.lu_factor(x)": {"x": lambda: torch.eye(64, device="sim")},
}
#: trunc_normal_ draws again while a value lies outside: with this seed the first draw has none.
SEED = 20


def _as_sim(code: str) -> str:
    return (
        code.replace(".cuda()", ".sim()")
        .replace("torch.cuda.CUDAGraph", "torch.sim.Graph")
        .replace("torch.cuda.", "torch.sim.")
    )


def trace() -> sp.Trace:
    return sp.trace(device="sim")


def run(row: Row) -> sp.Trace:
    """Run the statement twice, as it was on CUDA; the second run is traced."""
    names = variables()
    names |= {name: make() for name, make in OTHER_VALUES.get(row.statement, {}).items()}
    setup = compile(_as_sim(row.setup), f"<setup {row.number}>", "exec")
    statement = compile(_as_sim(row.statement), f"<row {row.number}>", "eval")
    exec(setup, names)
    eval(statement, names)
    names |= variables() | {name: make() for name, make in OTHER_VALUES.get(row.statement, {}).items()}
    exec(setup, names)
    torch.manual_seed(SEED)
    with trace() as t:
        result = eval(statement, names)
    del result
    return t
