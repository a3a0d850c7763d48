"""Bytes that an operator moves where that is not simply all it is given and all it makes.

Gathering reads as many elements as it returns, however large the tensor it picks from; scattering writes as many as it
is given. Everything else reads its operands and writes its results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

#: Operator -> position of the tensor that is picked from.
_GATHERS = {"index": 0, "index_select": 0, "gather": 0, "take": 0, "embedding": 0, "_embedding_bag": 0}
#: Operators that write in place, at few positions of their first operand.
_SCATTERS = frozenset(
    """_index_put_impl_ index_put_ index_add_ index_copy_ index_fill_ scatter_ scatter_add_ scatter_reduce_ put_
    masked_scatter_""".split()
)
#: In-place operators that write their first operand without reading it; the others read and write it.
FILLS = frozenset(
    """fill_ zero_ normal_ uniform_ random_ bernoulli_ exponential_ geometric_ cauchy_ log_normal_ copy_ set_
    resize_""".split()
)


def tensors(values: Iterable[Any]) -> Iterator[Any]:
    """Every tensor among the values, lists and tuples included."""
    for value in values:
        if hasattr(value, "shape"):  # not nbytes: a storage has that too
            yield value
        elif isinstance(value, (list, tuple)):
            yield from tensors(value)


def saved(base: str, args: Any, out: Any) -> int:
    """How many bytes of its operands an operator ("index_select") leaves alone."""
    position = _GATHERS.get(base)
    if position is not None:
        return max(int(args[position].nbytes) - sum(t.nbytes for t in tensors((out,))), 0)
    if base in _SCATTERS:
        others = sum(t.nbytes for t in tensors(args[1:]))
        return max(2 * int(args[0].nbytes) - others, 0)
    return 0


def applies(base: str) -> bool:
    return base in _GATHERS or base in _SCATTERS
