"""The catalogue of chips, links and hosts that the simulator can pretend to be: figures, each with its source.

The figures stand in `data/chips.toml`, one a line; here is what they mean and how to find a chip. What they do to
time is told in `cost.py`. No torch in here. Not in the catalogue: power, clocks, compute units, prices.

Where a datasheet promises more than programs get, two figures stand side by side: `memory_spec_gbs` and `tflops`
are the maker's; `memory_gbs` and `matmul_tflops` are what public measurements of large arrays reach, and these
set the times. A figure without a publication is in `estimated`, and its source says what it leans on.

    >>> t4 = get("Tesla T4")
    >>> t4.memory_spec_gbs, t4.memory_gbs
    (320.0, 240.0)

A chip of your own is a copy with something changed, and `sp.sim.use(chip=mine)` runs on it:

    >>> from dataclasses import replace
    >>> mine = replace(t4, name="T4 on PCIe 4", link=get("A100").link)
    >>> mine.link.pinned_gbs
    25.0

(Replace `sources` too, or `describe` goes on naming the old figure's source.)

Units: us is a microsecond, gbs 10^9 bytes per second, gflops 10^9 and tflops 10^12 operations per second, where a
multiply-add counts as two. On the chip "ticks" a microsecond stands for one tick of the race.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

#: The chip that the simulator is unless told otherwise: Google Colab's free one.
DEFAULT = "T4"


@dataclass(frozen=True, slots=True)
class Link:
    """The way between a host's memory and its device's; each direction has the full rate."""

    name: str
    spec_gbs: float  # the standard's, one direction
    pinned_gbs: float  # reached from page-locked memory
    pageable_gbs: float  # reached from ordinary memory, staging included
    latency_us: float  # the copy engine's fixed time for one copy
    sources: Mapping[str, str] = field(default_factory=dict)
    estimated: frozenset[str] = frozenset()

    def __hash__(self) -> int:  # by name, because a mapping cannot be hashed
        return hash(self.name)


@dataclass(frozen=True, slots=True)
class Host:
    """The computer around the device."""

    name: str
    dispatch_us: float  # Python and PyTorch's dispatcher, one eager operator
    launch_us: float  # handing one kernel to the driver
    wait_us: float  # a synchronise call when the stream has nothing left to do
    copy_call_us: float  # handing one copy to the driver
    memory_gbs: float  # what one CPU operator moves, read and written
    gflops: float  # a float32 matrix product
    cpu_op_us: float  # the least that one CPU operator costs
    pin_us: float  # a new page-locked allocation: the fixed part
    pin_gbs: float  # and how fast its pages are locked
    malloc_us: float  # a new device allocation: the fixed part
    malloc_gbs: float  # and how fast its pages are mapped
    sources: Mapping[str, str] = field(default_factory=dict)
    estimated: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True)
class Chip:
    """An accelerator, with the link and the host that it usually comes with."""

    name: str
    family: str  # "cuda", "mps" or "ticks"
    memory_bytes: int
    memory_spec_gbs: float  # the maker's
    memory_gbs: float  # reached
    l2_bytes: int
    l2_gbs: float
    tflops: Mapping[str, float]  # the maker's, dense; by dtype name as in torch, and "tf32"
    matmul_tflops: Mapping[str, float]  # reached by a large matrix product
    kernel_us: float  # fixed time of one kernel in a full queue
    matmul_us: float  # the same for a matrix product
    overlap: float  # the part of a kernel's work that can run beside its fixed time, 0 to 1
    p2p_gbs: float  # to a neighbouring device, one direction
    link: Link
    host: Host
    queue_depth: int = 1024  # launches that may wait before the host blocks
    float64: bool = True  # whether the device knows the type at all
    pinned: bool = True  # whether page-locked host memory means anything here
    unified: bool = False  # whether host and device share one memory
    sources: Mapping[str, str] = field(default_factory=dict)
    estimated: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        return hash(self.name)


def figures(part: Chip | Link | Host) -> Iterator[tuple[str, float, str]]:
    """(field, value, source) of every number of one part; the entries of a table are named "tflops.float16".

    A marked figure's source begins with "estimate". The source is empty where neither a source nor a mark is there.
    """
    for spec in fields(part):
        value = getattr(part, spec.name)
        entries = value if isinstance(value, Mapping) else {"": value}
        for key, number in entries.items():
            if isinstance(number, bool) or not isinstance(number, (int, float)):
                continue
            name = f"{spec.name}.{key}" if key else spec.name
            source = part.sources.get(name, "")
            yield name, number, source or ("estimate" if name in part.estimated else "")


def describe(chip: str | Chip) -> str:
    """A chip, its link and its host as text: one figure a line, with its source."""
    chip = get(chip)
    lines: list[str] = []
    for title, part in (
        (chip.name, chip),
        (f"link: {chip.link.name}", chip.link),
        (f"host: {chip.host.name}", chip.host),
    ):
        lines.append(title)
        lines += [f"  {name:<23} {number:>17,}  {source}" for name, number, source in figures(part)]
    words = set(" ".join(lines).replace(",", " ").replace(";", " ").replace(":", " ").split())
    lines += [f"{short} = {full}" for short, full in _NAMES.items() if short in words]
    return "\n".join(lines)


def get(name: str | Chip) -> Chip:
    """The chip of that name; case, spaces, hyphens and the maker do not matter. A Chip comes back as it is.

    Raises ValueError for an unknown name, TypeError for something that is neither a name nor a Chip.
    """
    if isinstance(name, Chip):
        return name
    if not isinstance(name, str):
        raise TypeError(f"A chip is named by a string such as {DEFAULT!r} or given as a Chip, not {name!r}.")
    known = {_key(chip.name): chip for chip in CHIPS.values()}
    known |= {alias: CHIPS[title] for alias, title in _ALIASES.items()}
    if chip := known.get(_key(name)):
        return chip
    import difflib  # only this message needs it

    near = difflib.get_close_matches(_key(name), known, n=1, cutoff=0.5)
    hint = f" Did you mean {known[near[0]].name!r}?" if near else ""
    raise ValueError(
        f"There is no chip {name!r} in the catalogue.{hint} Known: {', '.join(CHIPS)}. "
        "For another one, change a known chip with dataclasses.replace and pass the result."
    )


def _key(name: str) -> str:
    key = "".join(letter for letter in name.lower() if letter.isalnum())
    for maker in ("nvidia", "tesla", "geforce", "apple"):
        key = key.removeprefix(maker)
    return key.removesuffix("gb")


#: Other names of the same thing, among them what torch.cuda.get_device_name() says.
_ALIASES = {
    "colab": "T4",
    "v10016": "V100",
    "v100sxm216": "V100",
    "a10040": "A100",
    "a100sxm440": "A100",
    "a100sxm480": "A100-80",
    "h10080": "H100",
    "h10080gbhbm3": "H100",
    "4090": "RTX 4090",
    "tick": "ticks",
}


def _load(tables: dict[str, Any]) -> dict[str, Chip]:
    links = {key: Link(**_arguments(tables["link"], key)) for key in tables["link"]}
    hosts = {key: Host(**_arguments(tables["host"], key)) for key in tables["host"]}
    chips = {}
    for key in tables["chip"]:
        arguments = _arguments(tables["chip"], key)
        if "link" not in arguments:  # a common beginning, not a chip
            continue
        arguments |= {"name": key, "link": links[arguments["link"]], "host": hosts[arguments["host"]]}
        chips[key] = Chip(**arguments)
    return chips


def _arguments(tables: dict[str, Any], key: str) -> dict[str, Any]:
    """One table, on top of the table that it is `like`, as arguments for its dataclass."""
    table = dict(tables[key])
    inherited = _arguments(tables, table.pop("like")) if "like" in table else {"sources": {}, "estimated": frozenset()}
    values, sources = dict(inherited), dict(inherited["sources"])
    for name, value in table.items():
        if isinstance(value, dict):  # tflops.float32 = [...]
            entries = {f"{name}.{dtype}": figure for dtype, figure in value.items()}
            values[name] = inherited.get(name, {}) | {dtype: figure[0] for dtype, figure in value.items()}
            sources |= {entry: figure[1] for entry, figure in entries.items()}
        elif isinstance(value, list):
            values[name], sources[name] = value
        else:
            values[name] = value
    estimated = frozenset(name for name, source in sources.items() if source.startswith("estimate"))
    return values | {"sources": sources, "estimated": estimated}


_TABLES = tomllib.loads((Path(__file__).parent / "data" / "chips.toml").read_text(encoding="utf-8"))
_NAMES: dict[str, str] = _TABLES["names"]
#: Every chip of the catalogue, by name.
CHIPS: dict[str, Chip] = _load(_TABLES)
