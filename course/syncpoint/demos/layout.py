"""A list, an ndarray and a tensor in memory: choose a structure, a view and an element, and see where it lies.

All three hold the same 3 × 4 numbers. Every address is real: it was read from the objects when the demo was made. The
list's numbers were made in a mixed order, as happens in a program that has run for a while. Without a kernel or a
script a picture and words remain. ``.structure``, ``.view``, ``.value`` (row and column) and ``.text`` work it from
code.

What it does not do: measure. ``syncpoint.layout`` measures.

>>> d = Layout()
>>> d.structure, d.view, d.value = "tensor", "transpose", (1, 2)
>>> d.text
'`x.T`, shape (4, 3), strides (1, 4), not contiguous. Element [1, 2] is 21.0. It lies 1 × 1 + 2 × 4 = 9 elements behind
the first one, and 9 × 4 = 36 bytes: address 0x... + 36 = 0x.... No number was copied: ...'
"""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from syncpoint.demos.layout_picture import Strip, picture
from syncpoint.demos.page import demo, prose
from syncpoint.layout import POINTER_BYTES, describe, object_bytes, pointer_slots, shares_memory
from syncpoint.words import many

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "Where the numbers lie"
INTRO = "A list, a NumPy array and a tensor hold the same 3 × 4 numbers. Row 1, column 2 holds 12."
ROWS, COLUMNS = 3, 4
STRUCTURES = ("list", "ndarray", "tensor")
#: Each view: how an array or a tensor makes it, and how a list of lists does.
VIEWS = {
    "whole": ("x", "x"),
    "transpose": ("x.T", "[list(column) for column in zip(*x)]"),
    "slice": ("x[1:]", "x[1:]"),
    "step": ("x[:, ::2]", "[row[::2] for row in x]"),
}


@dataclass
class Shown:
    """One structure in one view: its boxes, and for each element the boxes that lead to it and a sentence."""

    shape: tuple[int, int]
    strips: list[Strip]
    values: list[list[float]]
    paths: dict[tuple[int, int], list[tuple[int, int]]] = field(default_factory=dict)  # (strip, box), in reading order
    said: dict[tuple[int, int], str] = field(default_factory=dict)


class Layout:
    """The demo. ``structure`` and ``view`` choose what is shown, ``value`` the element: (row, column)."""

    def __init__(self) -> None:
        # In a thread of its own, where an open trace of the learner's doesn't watch and no default device holds.
        with ThreadPoolExecutor(1) as pool:
            pool.submit(self._build).result()
        self._structure, self._view, self._value = "list", "whole", (1, 2)

    def _build(self) -> None:
        import torch

        self._list = _scattered_list()
        self._array = torch.tensor(self._list, dtype=torch.float64, device="cpu").numpy()
        self._tensor = torch.tensor(self._list, dtype=torch.float32, device="cpu")
        self._kept: list[Any] = []  # the lists that views made: their addresses must stay theirs
        self._shown = {(s, v): self._make(s, v) for s in STRUCTURES for v in VIEWS}

    @property
    def structure(self) -> str:
        return self._structure

    @structure.setter
    def structure(self, name: str) -> None:
        self._structure = _one_of("structure", name, STRUCTURES)
        self._stay_inside()

    @property
    def view(self) -> str:
        return self._view

    @view.setter
    def view(self, name: str) -> None:
        self._view = _one_of("view", name, tuple(VIEWS))
        self._stay_inside()

    @property
    def shape(self) -> tuple[int, int]:
        return self._shown[self._structure, self._view].shape

    @property
    def value(self) -> tuple[int, int]:
        return self._value

    @value.setter
    def value(self, element: tuple[int, int]) -> None:
        rows, columns = self.shape
        whole = isinstance(element, tuple) and len(element) == 2 and all(type(n) is int for n in element)
        if not whole or not (0 <= element[0] < rows and 0 <= element[1] < columns):
            raise ValueError(
                f"layout().value: {element!r}; choose (row, column), rows 0 to {rows - 1}, columns 0 to {columns - 1}."
            )
        self._value = element

    @property
    def text(self) -> str:
        """Where the chosen element lies, in words."""
        return self._shown[self._structure, self._view].said[self._value]

    @property
    def address(self) -> int:
        """The address of the chosen element's number; for a list, of its object."""
        shown = self._shown[self._structure, self._view]
        strip, box = shown.paths[self._value][-1]
        return shown.strips[strip].addresses[box]

    def _stay_inside(self) -> None:
        self._value = (min(self._value[0], self.shape[0] - 1), min(self._value[1], self.shape[1] - 1))

    # What there is ---------------------------------------------------------------------------------------------------

    def _make(self, structure: str, view: str) -> Shown:
        return self._of_list(view) if structure == "list" else self._of_array(structure, view)

    def _of_array(self, structure: str, view: str) -> Shown:
        x = self._array if structure == "ndarray" else self._tensor
        y = {"whole": x, "transpose": x.T, "slice": x[1:], "step": x[:, ::2]}[view]
        m, whole = describe(y), describe(x)
        indices = [(i, j) for i in range(m.shape[0]) for j in range(m.shape[1])]
        reached = {m.address(*index) for index in indices}
        flat = [(i, j) for i in range(ROWS) for j in range(COLUMNS)]
        addresses = [whole.address(*index) for index in flat]
        strip = Strip(
            f"one block of {ROWS * COLUMNS} numbers, {m.element_bytes} B each", m.element_bytes, addresses,
            [f"{self._list[i][j]:g}" for i, j in flat], [address in reached for address in addresses],
        )  # fmt: skip
        shown = Shown((m.shape[0], m.shape[1]), [strip], y.tolist())
        shared = "No number was copied: x and its view share memory." if shares_memory(x, y) else "Numbers were copied."
        strides = m.strides or ()
        head = f"`{VIEWS[view][0]}`, shape {m.shape}, strides {strides}, {'' if m.contiguous else 'not '}contiguous."
        for i, j in indices:
            offset, size = m.offset(i, j), m.element_bytes
            shown.paths[i, j] = [(0, addresses.index(m.address(i, j)))]
            shown.said[i, j] = (
                f"{head} Element [{i}, {j}] is {shown.values[i][j]}. It lies {i} × {strides[0]} + {j} × {strides[1]} = "
                f"{many(offset, 'element')} behind the first one, and {offset} × {size} = {offset * size} bytes: "
                f"address {m.start:#x} + {offset * size} = {m.address(i, j):#x}."
                + ("" if view == "whole" else f" {shared}")
            )
        return shown

    def _of_list(self, view: str) -> Shown:
        x = self._list
        y: list[list[float]] = {
            "whole": lambda: x, "transpose": lambda: [list(column) for column in zip(*x, strict=True)],
            "slice": lambda: x[1:], "step": lambda: [row[::2] for row in x],
        }[view]()  # fmt: skip
        self._kept.append(y)
        strips = [_pointers("outer list", y), *(_pointers(f"inner list {i}", row) for i, row in enumerate(y))]
        objects = sorted((value for row in x for value in row), key=id)
        used = {id(value) for row in y for value in row}
        size = object_bytes(objects[0])
        strips.append(Strip(
            f"{len(objects)} float objects, {size} B each, in the order of their addresses", size,
            [id(o) for o in objects], [f"{o:g}" for o in objects], [id(o) in used for o in objects],
        ))  # fmt: skip
        shown = Shown((len(y), len(y[0])), strips, y)
        tables = 0 if y is x else 1 + sum(all(row is not old for old in x) for row in y)
        made = "" if y is x else f" This made {many(tables, 'new list')} of pointers, and no new number."
        for i, row in enumerate(y):
            for j, value in enumerate(row):
                at = strips[-1].addresses.index(id(value))
                shown.paths[i, j] = [(0, i), (1 + i, j), (len(strips) - 1, at)]
                shown.said[i, j] = (
                    f"`{VIEWS[view][1]}`. Element [{i}][{j}] is {value}. Three reads lead there: the outer list's "
                    f"pointer {i} names an inner list, pointer {j} of that one (at {strips[1 + i].addresses[j]:#x}) "
                    f"names an object, and the object at {id(value):#x} holds the number. Each number takes "
                    f"{size} B for its object and {POINTER_BYTES} B for a pointer. Nothing says where the next one "
                    f"lies.{made}"
                )
        return shown

    # The page --------------------------------------------------------------------------------------------------------

    def _data(self) -> dict[str, Any]:
        """What layout.js wants to know."""
        shown = {
            f"{s} {v}": {
                "shape": one.shape, "values": [[f"{value:g}" for value in row] for row in one.values],
                "strips": [
                    {"name": p.name, "start": f"{p.addresses[0]:#x}", "width": p.bytes, "texts": p.texts,
                     "used": p.used, "gaps": p.gaps()} for p in one.strips
                ],
                "paths": [[one.paths[i, j] for j in range(one.shape[1])] for i in range(one.shape[0])],
                "said": [[prose(one.said[i, j]) for j in range(one.shape[1])] for i in range(one.shape[0])],
            }
            for (s, v), one in self._shown.items()
        }  # fmt: skip
        views = [[name, code] for name, (code, _) in VIEWS.items()]
        return {
            "title": TITLE, "intro": INTRO, "structures": STRUCTURES, "views": views, "shown": shown,
            "structure": self.structure, "view": self.view, "value": self.value,
        }  # fmt: skip

    def _words(self) -> list[str]:
        one = [self._shown[s, "whole"].said[1, 2] for s in STRUCTURES]
        names = [f"{name.capitalize()}: {said}" for name, said in zip(STRUCTURES, one, strict=True)]
        return [f"{TITLE}. {INTRO}", *names, f"Tensor: {self._shown['tensor', 'transpose'].said[2, 1]}"]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        alt = "To scale: a list's pointers with arrows to objects that lie apart, and below two blocks without gaps."
        page = demo("layout", self._data(), alt, self.picture(), self._words())
        return {"text/plain": repr(self), "text/html": page}

    def __repr__(self) -> str:
        return "\n".join([*self._words(), self.text])

    def picture(self) -> Figure:
        """List, ndarray and tensor, drawn to the scale of their bytes. Leaves no pyplot figure open."""
        _, *inner, objects = self._shown["list", "whole"].strips
        return picture(inner, objects, *(self._shown[s, "whole"].strips[0] for s in ("ndarray", "tensor")))


def _pointers(name: str, values: list[Any]) -> Strip:
    slots = pointer_slots(values) or [0] * len(values)
    texts = [f"{v:g}" if isinstance(v, float) else "" for v in values]
    called = f"{name}: {many(len(values), 'pointer')} of {POINTER_BYTES} B"
    return Strip(called, POINTER_BYTES, slots, texts, [True] * len(values))


def _scattered_list() -> list[list[float]]:
    """Rows of floats that were made in a mixed order, with other objects between them."""
    mixed, made, others = random.Random(6), {}, []
    order = [(i, j) for i in range(ROWS) for j in range(COLUMNS)]
    mixed.shuffle(order)
    for i, j in order:
        made[i, j] = float(f"{10 * i + j}")
        others += [float(f"{n}.5") for n in range(mixed.randrange(3))]
    return [[made[i, j] for j in range(COLUMNS)] for i in range(ROWS)]


def _one_of(what: str, name: str, known: tuple[str, ...]) -> str:
    if name not in known:
        raise ValueError(f"layout().{what}: {name!r}; choose one of {', '.join(known)}.")
    return name
