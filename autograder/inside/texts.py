"""The tests' text: found by tracebacks and by the course's own messages, but by no learner's code.

`linecache` keeps the text of code; here its table is one that knows a test's lines and asks who is reading.

    texts = Texts.install(theirs)
    texts.add("<test>", "assert double(2) == 4")
    texts.read                              # True once a learner's code has asked for them
"""

from __future__ import annotations

import builtins
import inspect
import linecache
import sys
import traceback
from collections.abc import Callable
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))  # for what is defined below: no learner reaches it by name

_MESSENGERS = (linecache.__file__, traceback.__file__, inspect.__file__)  # these only pass a question on
_entries: dict[str, tuple[int, None, list[str], str]] = {}
_frame = sys._getframe


class Texts(dict[str, Any]):
    """`linecache.cache`, with tests in it that stand elsewhere."""

    read = False
    _theirs: Callable[[Any], bool]

    @classmethod
    def install(cls, theirs: Callable[[Any], bool]) -> Texts:
        """Put it in the place of linecache's table. `theirs(code)` says whether a learner wrote that code object."""
        made = cls(linecache.cache)
        made._theirs = theirs  # type: ignore[method-assign]
        linecache.cache = made
        return made

    def add(self, file: str, source: str) -> None:
        """The text of a test."""
        _entries[file] = (len(source), None, [line + "\n" for line in source.split("\n")], file)

    def __contains__(self, file: object) -> bool:
        return dict.__contains__(self, file) or file in _entries

    def __missing__(self, file: str) -> Any:
        frame: Any = _frame(1)
        while frame.f_back is not None and frame.f_code.co_filename in _MESSENGERS:
            frame = frame.f_back
        if self._theirs(frame.f_code):
            self.read = True
            return 0, None, [], file
        return _entries[file]
