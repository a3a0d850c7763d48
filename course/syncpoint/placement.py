"""Where each tensor of a module lives, which of them are misplaced, why, and what to do about it.

``.to()`` moves registered parameters and buffers. Whatever else a module holds stays where it is: plain attributes,
tensors in lists and dicts, layers in a plain Python list, tensors that a function has captured. The table shows them
all. It reads no values, so it never makes the host wait. What it does not find: see ``syncpoint.search``.

>>> places = placement(model, device)                       # doctest: +SKIP
>>> print(places); [row.path for row in places.misplaced]   # doctest: +SKIP
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import torch

from syncpoint.search import REGISTERED, Found, find
from syncpoint.words import bytes_text, many

# For each way to hold a tensor: what the table calls it, why .to() misses it, and how to hold it instead.
_HOLDERS = {
    "attribute": ("plain attribute", "a plain attribute is neither a parameter nor a registered buffer"),
    "class": ("class attribute", "it belongs to the class, not to the module"),
    "list": ("{0} in a list", "PyTorch does not look into a Python list"),
    "tuple": ("{0} in a tuple", "PyTorch does not look into a tuple"),
    "dict": ("{0} in a dict", "PyTorch does not look into a dict"),
    "set": ("{0} in a set", "PyTorch does not look into a set"),
    "dataclass": ("{0} in a dataclass", "PyTorch does not look into a dataclass"),
    "object": ("{0} in an object", "PyTorch does not look into an object that is no module"),
    "function": (
        "{0} kept by a function",
        "a captured variable, a default or an argument of partial is not registered",
    ),
    "optimizer": ("{0}", "an optimizer is no module"),
    "argument": ("{0}", "no module holds it"),
}
_MODULE_REMEDIES = {
    "list": "use nn.ModuleList (or nn.Sequential) instead of the list.",
    "tuple": "use nn.ModuleList (or nn.Sequential) instead of the tuple.",
    "dict": "use nn.ModuleDict instead of the dict.",
}
_TENSOR_REMEDIES = {
    "parameter in list": "use nn.ParameterList instead of the list.",
    "parameter in tuple": "use nn.ParameterList instead of the tuple.",
    "parameter in dict": "use nn.ParameterDict instead of the dict.",
    "tensor in function": "pass the tensor as an argument, or register it as a buffer and read self.<name> inside.",
    "tensor in class": "make it in __init__ with self.register_buffer.",
    "optimizer state in optimizer": "make the optimizer after the move, or restore it with load_state_dict.",
    "parameter in optimizer": "move the module that the parameter belongs to.",
    "tensor in argument": "write x = x.to(device): for a tensor .to() returns a new one and leaves the old one alone.",
    "tensor in attribute": (
        "self.register_buffer({0!r}, ...), with persistent=False if state_dict should not have it;"
        " or make it where it is used, with device=x.device."
    ),
}
_GENERAL_REMEDY = "register each tensor under a name of its own with self.register_buffer, and look it up by name."
_COLUMNS = ("tensor", "kind", "device", "dtype", "shape", "size", "with .to()")
_MOST_ROWS = 60


@dataclass(slots=True, frozen=True)
class Row:
    """One tensor of the table."""

    path: str  # "layers[0].weight"
    kind: str  # "parameter", "buffer", "plain attribute", "tensor in a list" ...
    device: torch.device
    dtype: torch.dtype
    shape: tuple[int, ...] | None  # None: not known before a lazy module's first call
    bytes: int  # of its elements
    moves: bool  # whether .to() moves it
    misplaced: bool
    why: str  # empty unless misplaced
    remedy: str
    also: tuple[str, ...]  # other paths to the same tensor

    def cells(self) -> tuple[str, ...]:
        shape = "not known yet" if self.shape is None else str(self.shape)
        moves = "moves" if self.moves else "stays"
        dtype = str(self.dtype).removeprefix("torch.")
        return (self.path, self.kind, str(self.device), dtype, shape, bytes_text(self.bytes), moves)


@dataclass(slots=True, frozen=True, repr=False)
class Placement:
    """The table. ``str()`` and a notebook show it; ``rows`` and ``misplaced`` are for programs."""

    rows: tuple[Row, ...]
    device: torch.device | None  # what the rows were compared with; None when there is no tensor
    total_bytes: int  # memory that the tensors take; what two of them share is counted once

    @property
    def misplaced(self) -> list[Row]:
        return [row for row in self.rows if row.misplaced]

    def summary(self) -> str:
        if not self.rows:
            return "No tensor found."
        size = f"{many(len(self.rows), 'tensor')}, {bytes_text(self.total_bytes)}"
        wrong = len(self.misplaced)
        if wrong:
            return f"{size}; {wrong:,} not on {self.device}."
        counters = any(row.kind == "step counter" for row in self.rows)
        return f"{size}; all on {self.device}{', step counters on the CPU, where they belong' if counters else ''}."

    def advice(self) -> list[str]:
        """What is misplaced, why, and the remedy: one sentence for all rows that share them."""
        groups: dict[tuple[str, str, str], list[str]] = {}
        for row in self.misplaced:
            groups.setdefault((str(row.device), row.why, row.remedy), []).append(row.path)
        told = []
        for (device, why, remedy), paths in groups.items():
            names = ", ".join(paths[:4]) + (f" and {len(paths) - 4:,} more" if len(paths) > 4 else "")
            verb = "is" if len(paths) == 1 else "are"
            told.append(f"{names} {verb} on {device}, not on {self.device}. Why: {why} Remedy: {remedy}")
        return told

    def _shown(self) -> list[Row]:
        """At most _MOST_ROWS rows, all misplaced ones among them."""
        spare = max(_MOST_ROWS - len(self.misplaced), 0)
        fine = [row for row in self.rows if not row.misplaced][:spare]
        kept = {id(row) for row in fine}
        return [row for row in self.rows if row.misplaced or id(row) in kept]

    def __str__(self) -> str:
        shown = self._shown()
        marks = ["!" if row.misplaced else " " for row in shown]
        table = [_COLUMNS, *(row.cells() for row in shown)]
        widths = [max(len(cells[at]) for cells in table) for at in range(len(_COLUMNS))]
        lines = [self.summary()]
        for mark, cells in zip([" ", *marks], table if self.rows else (), strict=False):
            lines.append(
                f"{mark} " + "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
            )
        lines += [_left_out(self, shown)] if len(shown) < len(self.rows) else []
        lines += [fill(text, 110, initial_indent="\n! ", subsequent_indent="    ") for text in self.advice()]
        return "\n".join(lines).rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        shown = self._shown()
        head = "".join(f"<th scope='col' style='text-align:left'>{name}</th>" for name in ("", *_COLUMNS))
        body = "".join(_html_row(row, self.device) for row in shown)
        rest = f"<p>{html.escape(_left_out(self, shown))}</p>" if len(shown) < len(self.rows) else ""
        notes = "".join(f"<li>{html.escape(text)}</li>" for text in self.advice())
        caption = f"<caption style='text-align:left'>{html.escape(self.summary())}</caption>"
        table = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<div>{table}{rest}{f'<ul>{notes}</ul>' if notes else ''}</div>"


def placement(module: Any, device: torch.device | str | int | None = None) -> Placement:
    """The table for a module, an optimizer or any object that holds tensors.

    With ``device`` given, every tensor elsewhere is misplaced; without, every tensor that is not where most of the
    parameters are. An optimizer's state belongs where its parameter is; step counters belong on the CPU, where reading
    them costs no wait.
    """
    found = find(module)
    wanted = _usual_device(found) if device is None else as_device(device)
    return Placement(tuple(_row(one, wanted) for one in found), wanted, _total_bytes([one.tensor for one in found]))


def as_device(name: torch.device | str | int) -> torch.device:
    """``torch.device(name)``; "sim" is made known to PyTorch first."""
    if isinstance(name, str) and name.partition(":")[0] == "sim":
        from syncpoint import sim

        sim.enable()
    return torch.device(name)


def same_device(a: torch.device | str, b: torch.device | str) -> bool:
    """Whether two names mean one device: "cuda" is the current cuda device, "cpu" and "cpu:0" are the same."""
    a, b = as_device(a), as_device(b)
    return a.type == b.type and (a.index == b.index or _index(a) == _index(b))


def _index(device: torch.device) -> int:
    if device.index is not None:
        return device.index
    if device.type in ("cpu", "meta", "mps"):
        return 0
    return int(torch.get_device_module(device).current_device())


def _usual_device(found: list[Found]) -> torch.device | None:
    parameters = [one for one in found if one.kind == "parameter"]
    devices = Counter(one.tensor.device for one in parameters or found)
    return devices.most_common(1)[0][0] if devices else None


def _row(one: Found, device: torch.device | None) -> Row:
    tensor, wanted = one.tensor, device
    if one.owner is not None:
        wanted = one.owner.device if device is None else device
    elsewhere = wanted is not None and not same_device(tensor.device, wanted)
    misplaced = elsewhere and not (one.kind == "step counter" and tensor.device.type == "cpu")
    lazy = torch.nn.parameter.is_lazy(tensor)
    return Row(
        path=one.path or "(itself)", kind=_kind(one), device=tensor.device, dtype=tensor.dtype,
        shape=None if lazy else tuple(tensor.shape), bytes=0 if lazy else _bytes(tensor),
        moves=one.holder == REGISTERED, misplaced=misplaced, why=_why(one) if misplaced else "",
        remedy=_remedy(one, wanted) if misplaced else "", also=tuple(one.also),
    )  # fmt: skip


def _kind(one: Found) -> str:
    if one.holder == REGISTERED:
        return one.kind
    if one.holder.startswith("module in "):
        inner = _HOLDERS[one.holder.removeprefix("module in ")][0]
        return f"{one.kind} of {inner.format('a module')}"
    return _HOLDERS[one.holder][0].format(one.kind)


def _why(one: Found) -> str:
    if one.holder == REGISTERED:
        return f".to() moves a {one.kind.split(' (')[0]}, but it has not been called since this one was made."
    if one.holder.startswith("module in "):
        reason = _HOLDERS[one.holder.removeprefix("module in ")][1]
        return f"its module is not registered ({reason}), so .to(), parameters() and state_dict() all miss it."
    if one.holder == "argument":
        return "no module holds it, so nothing moves it for you."
    return f"{_HOLDERS[one.holder][1]}, so .to() leaves it where it is."


def _remedy(one: Found, device: torch.device | None) -> str:
    if one.holder == REGISTERED:
        return f'call .to("{device}") on the module.'
    if one.holder.startswith("module in "):
        inner = one.holder.removeprefix("module in ")
        return _MODULE_REMEDIES.get(inner, "make the module an attribute of its own: self.<name> = module.")
    name = one.path.rpartition(".")[2]
    return _TENSOR_REMEDIES.get(f"{one.kind} in {one.holder}", _GENERAL_REMEDY).format(name)


_PARTS = {
    torch.sparse_coo: ("_indices", "_values"),
    torch.sparse_csr: ("crow_indices", "col_indices", "values"),
    torch.sparse_csc: ("ccol_indices", "row_indices", "values"),
    torch.sparse_bsr: ("crow_indices", "col_indices", "values"),
    torch.sparse_bsc: ("ccol_indices", "row_indices", "values"),
}


def _parts(tensor: torch.Tensor) -> list[torch.Tensor]:
    """A sparse tensor's strided parts; any other tensor itself."""
    return [getattr(tensor, name)() for name in _PARTS.get(tensor.layout, ())] or [tensor]


def _bytes(tensor: torch.Tensor) -> int:
    return sum(part.numel() * part.element_size() for part in _parts(tensor))


def _total_bytes(tensors: Iterable[torch.Tensor]) -> int:
    """Memory that tensors take together. Views that overlap in one storage are counted once."""
    spans: dict[Any, list[tuple[int, int]]] = {}
    counted: Counter[Any] = Counter()
    for tensor in tensors:
        for part in [] if torch.nn.parameter.is_lazy(tensor) else _parts(tensor):
            address = part.untyped_storage().data_ptr() if part.layout == torch.strided else 0
            key = (part.device, address or id(part))  # a tensor on "meta" has no address
            spans.setdefault(key, []).append(_span(part))
            counted[key] += part.numel() * part.element_size()
    return sum(min(_union(spans[key]), counted[key]) for key in spans)


def _span(tensor: torch.Tensor) -> tuple[int, int]:
    """First byte and end of the part of its storage that a tensor covers."""
    if tensor.layout != torch.strided or not tensor.numel():
        return 0, tensor.numel() * tensor.element_size()
    first = int(tensor.storage_offset())
    last = int(first) + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    return first * tensor.element_size(), (last + 1) * tensor.element_size()


def _union(spans: list[tuple[int, int]]) -> int:
    covered = end = 0
    for start, stop in sorted(spans):
        covered += max(stop - max(start, end), 0)
        end = max(end, stop)
    return covered


def _left_out(table: Placement, shown: list[Row]) -> str:
    return f"... and {len(table.rows) - len(shown):,} more, all on {table.device} (.rows has them)"


def _html_row(row: Row, device: torch.device | None) -> str:
    cells = "".join(f"<td style='text-align:left'>{html.escape(cell)}</td>" for cell in row.cells())
    mark = f"<strong>not on {html.escape(str(device))}</strong>" if row.misplaced else ""
    return f"<tr><td style='text-align:left'>{mark}</td>{cells}</tr>"
