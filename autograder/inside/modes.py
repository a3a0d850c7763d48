"""PyTorch's modes that a learner wrote and entered without leaving them: each would see the tests' own operators.

end_modes(theirs)         # ["Nice"], and the mode is no longer there; PyTorch's own stay where they are
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))  # for what is defined below: no learner reaches it by name

_STACKS: tuple[tuple[str, tuple[None, ...]], ...] = (("torch_function_stack", ()), ("torch_dispatch_stack", (None,)))
_METHODS = ("__torch_function__", "__torch_dispatch__")


def end_modes(theirs: Callable[[Any], bool]) -> list[str]:
    """End them; the names of their classes. `theirs(code)` says whether a learner wrote that code object."""
    if "torch" not in sys.modules:
        return []
    c: Any = sys.modules["torch"]._C
    ended = []
    for stack, key in _STACKS:
        pop, push = getattr(c, f"_pop_{stack}"), getattr(c, f"_push_on_{stack}")
        modes = [pop(*key) for _ in range(getattr(c, f"_len_{stack}")())]
        for mode in reversed(modes):
            if any(theirs(getattr(getattr(type(mode), name, None), "__code__", None)) for name in _METHODS):
                ended.append(type(mode).__name__)
            else:
                push(mode)
    return ended
