"""Where the elements of a list, a NumPy array or a tensor lie in memory, and what it costs to reach them.

``describe`` reads real addresses: ``id`` and the list's own table of pointers, ``__array_interface__``, ``data_ptr``.
``shares_memory`` says whether two of them have an element's bytes in common. ``inserts``, ``appends``, ``reads`` and
``scattered`` measure by the wall clock of this CPU: their numbers differ from machine to machine and from run to run.
``layout`` shows the demo.

What it does not do: look behind the addresses of a device (a GPU's are its own; two devices may use the same number),
or read a list's table of pointers outside CPython, where ``id`` is no address.

>>> m = describe(torch.arange(12.0).view(3, 4).T)
>>> m.strides, m.contiguous, m.offset(1, 2)      # element (1, 2) lies 1 * 1 + 2 * 4 elements behind element (0, 0)
((1, 4), False, 9)
"""

from __future__ import annotations

import ctypes
import itertools
import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

if TYPE_CHECKING:
    import numpy as np

    from syncpoint.demos.layout import Layout

__all__ = [
    "Memory", "Timing", "appends", "describe", "inserts", "layout", "object_bytes", "pointer_slots", "reads",
    "scattered", "shares_memory", "table",
]  # fmt: skip

#: Bytes of an address, and so of each entry in a list: 8 on today's machines.
POINTER_BYTES = ctypes.sizeof(ctypes.c_void_p)
#: What is measured: a name, and the call.
Ways = list[tuple[str, Callable[[], Any]]]


@dataclass(frozen=True)
class Memory:
    """Where the elements of one value lie. For a list, ``start`` is its first object and there are no strides."""

    kind: str  # "list", "ndarray" or "tensor"
    device: str  # "cpu" for lists and ndarrays
    dtype: str  # "float", "float64", "torch.float32"
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None  # in elements, not in bytes; None for a list
    element_bytes: int  # of one element's value; for a list, of one object
    pointer_bytes: int  # for each element, besides its value: 8 in a list, 0 elsewhere
    start: int  # address of element 0, or of element (0, 0)

    @property
    def bytes_each(self) -> int:
        """What one element takes in all."""
        return self.element_bytes + self.pointer_bytes

    @property
    def contiguous(self) -> bool:
        """Whether the elements lie side by side in the order of their indices."""
        if self.strides is None:
            return False
        expected = 1
        for length, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if length != 1 and stride != expected and 0 not in self.shape:
                return False
            expected *= length
        return True

    def offset(self, *index: int) -> int:
        """How many elements behind element (0, 0) this one lies: the sum of index times stride."""
        if self.strides is None:
            raise TypeError("a list has no strides: where an object lies, only its pointer knows. Use id(x[i]).")
        if len(index) != len(self.shape) or any(not 0 <= i < n for i, n in zip(index, self.shape, strict=True)):
            raise IndexError(f"index {index} is not in shape {self.shape}; give one number for each dimension.")
        return sum(i * stride for i, stride in zip(index, self.strides, strict=True))

    def address(self, *index: int) -> int:
        """The address of an element's first byte."""
        return self.start + self.offset(*index) * self.element_bytes

    def __str__(self) -> str:
        where = "" if self.device == "cpu" else f" on {self.device}"
        if self.strides is None:
            return (
                f"list of {self.shape[0]} {self.dtype}s: {self.pointer_bytes} B of pointer + {self.element_bytes} B of "
                "object each"
            )
        order = "contiguous" if self.contiguous else "not contiguous"
        return (
            f"{self.kind}{where}, shape {self.shape}, strides {self.strides}, {order}, {self.element_bytes} B each, "
            f"from {self.start:#x}"
        )


def describe(x: list[Any] | np.ndarray | Tensor) -> Memory:
    """Where the elements of a list, an ndarray or a strided tensor lie. Nothing is copied, no one waits."""
    if isinstance(x, list):
        kinds = {type(value).__name__ for value in x}
        name = kinds.pop() if len(kinds) == 1 else "object"
        first = id(x[0]) if x else 0
        return Memory("list", "cpu", name, (len(x),), None, max(map(object_bytes, x), default=0), POINTER_BYTES, first)
    if isinstance(x, Tensor):
        size, strides = tuple(x.shape), tuple(x.stride())
        return Memory("tensor", str(x.device), str(x.dtype), size, strides, x.element_size(), 0, x.data_ptr())
    if hasattr(x, "__array_interface__"):
        strides = tuple(stride // x.itemsize for stride in x.strides)
        start = x.__array_interface__["data"][0]
        return Memory("ndarray", "cpu", str(x.dtype), tuple(x.shape), strides, x.itemsize, 0, start)
    raise TypeError(f"describe() knows lists, NumPy arrays and tensors, not a {type(x).__name__}.")


def object_bytes(value: Any) -> int:
    """The size of one Python object, without what it points to."""
    return sys.getsizeof(value)


def pointer_slots(x: list[Any]) -> list[int] | None:
    """The addresses of a list's pointers, one for each element; None where this Python doesn't keep them this way."""
    if sys.implementation.name != "cpython" or not x:
        return [] if not x else None
    # A list object holds: the object's head, the length, and the address of its table of pointers.
    field = id(x) + object.__basicsize__ + ctypes.sizeof(ctypes.c_ssize_t)
    start = ctypes.c_void_p.from_address(field).value
    if start is None or ctypes.c_void_p.from_address(start).value != id(x[0]):
        return None
    return [start + i * POINTER_BYTES for i in range(len(x))]


def shares_memory(a: list[Any] | np.ndarray | Tensor, b: list[Any] | np.ndarray | Tensor) -> bool:
    """Whether an element of ``a`` and one of ``b`` have a byte in common: a change of one shows in the other.

    A list shares memory with nothing but itself: it holds pointers of its own, even to the same objects.
    """
    if isinstance(a, list) or isinstance(b, list):
        return a is b
    first, second = describe(a), describe(b)
    if first.device != second.device:  # addresses of two devices may be the same number
        return False
    import numpy as np

    return bool(np.shares_memory(_as_addresses(first), _as_addresses(second)))


def _as_addresses(m: Memory) -> np.ndarray:
    """An ndarray over the same addresses. Its values are never read: they may lie on a device."""
    import numpy as np

    class Holder:
        __array_interface__ = {
            "version": 3, "typestr": f"|V{m.element_bytes}", "shape": m.shape, "data": (m.start, True),
            "strides": tuple(stride * m.element_bytes for stride in m.strides or ()),
        }  # fmt: skip

    return np.array([]) if not m.start or not math.prod(m.shape) else np.asarray(Holder())


def layout() -> Layout:
    """The demo: a list, an ndarray and a tensor in memory, with addresses and bytes."""
    from syncpoint.demos.layout import Layout

    return Layout()


# Measured by the wall clock ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Timing:
    """How long one thing took on this CPU."""

    what: str
    elements: int  # how many the list, array or tensor held
    us: float  # wall time


def table(timings: Iterable[Timing]) -> str:
    """The timings as a Markdown table, one row for each thing and one column for each number of elements."""
    timings = list(timings)
    sizes = list(dict.fromkeys(t.elements for t in timings))
    found = {(t.what, t.elements): t.us for t in timings}
    rows = [f"| wall time, us | {' | '.join(f'{n:,} elements' for n in sizes)} |", "| --- |" + " ---: |" * len(sizes)]
    for what in dict.fromkeys(t.what for t in timings):
        cells = [f"{found[what, n]:,.2f}" if (what, n) in found else "" for n in sizes]
        rows.append(f"| {what} | {' | '.join(cells)} |")
    return "\n".join(rows)


def inserts(sizes: Iterable[int] = (1_000, 10_000, 100_000)) -> list[Timing]:
    """One insert into the middle. A list moves pointers, an ndarray and a tensor are copied whole: all O(n)."""
    return [Timing(f"insert in the middle, {name}", n, _us(way, 20)) for n in sizes for name, way in _inserts(n)]


def _inserts(n: int) -> Ways:
    import numpy as np

    values, array, tensor, one, middle = [0.5] * n, np.zeros(n), torch.zeros(n), torch.ones(1), n // 2
    return [
        ("list.insert", lambda: values.insert(middle, 1.0)),
        ("np.insert", lambda: np.insert(array, middle, 1.0)),
        ("torch.cat", lambda: torch.cat([tensor[:middle], one, tensor[middle:]])),
    ]


def appends(sizes: Iterable[int] = (1_000, 10_000, 100_000)) -> list[Timing]:
    """One append. A list keeps room at its end, so it is O(1) on average; the others are copied whole: O(n)."""
    return [Timing(f"append, {name}", n, _us(way, 20)) for n in sizes for name, way in _appends(n)]


def _appends(n: int) -> Ways:
    import numpy as np

    values, array, tensor, one = [0.5] * n, np.zeros(n), torch.zeros(n), torch.ones(1)
    return [
        ("list.append", lambda: values.append(1.0)),
        ("np.append", lambda: np.append(array, 1.0)),
        ("torch.cat", lambda: torch.cat([tensor, one])),
    ]


def reads(n: int = 100_000) -> list[Timing]:
    """The sum of all elements: inside the package, or fetched one at a time by Python."""
    import numpy as np

    array, tensor = np.random.default_rng(0).random(n), torch.rand(n, device="cpu")
    values = array.tolist()
    ways: Ways = [
        ("list, sum(values)", lambda: sum(values)),
        ("ndarray, array.sum()", lambda: array.sum()),
        ("tensor, tensor.sum()", lambda: tensor.sum()),
        ("ndarray, one element at a time", lambda: sum(float(v) for v in array)),
    ]
    found = [Timing(name, n, _us(way, 3)) for name, way in ways]
    few = tensor[: n // 20]  # a twentieth of the elements is enough to see it
    return [*found, Timing("tensor, one element at a time", n, 20 * _us(lambda: sum(v.item() for v in few), 3))]


def scattered(n: int = 1_000_000) -> list[Timing]:
    """The same elements read in the order in which they lie in memory, and in a random order."""
    import numpy as np

    array = np.arange(float(n))
    values = array.tolist()  # new objects, side by side
    mixed = random.Random(0).sample(values, n)  # the same objects, another order
    order, jumble = np.arange(n), np.random.default_rng(0).permutation(n)
    tensor, steps, jumps = torch.from_numpy(array), torch.from_numpy(order), torch.from_numpy(jumble)
    ways: Ways = [
        ("list, objects side by side", lambda: sum(values)),
        ("list, the same objects scattered", lambda: sum(mixed)),
        ("ndarray, array[order]", lambda: array[order]),
        ("ndarray, array[jumble]", lambda: array[jumble]),
        ("tensor, tensor[order]", lambda: tensor[steps]),
        ("tensor, tensor[jumble]", lambda: tensor[jumps]),
    ]
    return [Timing(name, n, _us(way, 3)) for name, way in ways]


def _us(way: Callable[[], Any], repeats: int) -> float:
    """The median wall time of some calls, after one that warms up."""
    way()
    times = []
    for _ in itertools.repeat(None, repeats):
        start = time.perf_counter()
        way()
        times.append(1e6 * (time.perf_counter() - start))
    return statistics.median(times)
