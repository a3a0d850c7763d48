"""The learner's own line: the innermost frame that belongs neither to PyTorch, nor to Python, nor to us.

>>> file, line = where()
"""

from __future__ import annotations

import linecache
import sys
import sysconfig
from pathlib import Path
from types import FrameType

from syncpoint.sim.log import Frame

_OURS = Path(__file__).resolve().parents[1]
#: Parts of syncpoint that are a learner's kind of code: their lines are worth naming.
_OPEN_ROOMS = ("mnist", "loops.py", "layout.py", "pipeline")
_LIBRARIES = {"torch", "torchvision", "torchgen", "IPython", "ipykernel", "numpy", "tqdm"}
_STDLIB = tuple({str(Path(sysconfig.get_path(name))) for name in ("stdlib", "platstdlib")})
_hidden: dict[str, bool] = {}  # file name -> whether its frames are passed over


def _is_hidden(file: str) -> bool:
    if file.startswith("<"):  # "<string>" and "<ipython-input-...>" are somebody's code, "<frozen runpy>" is not
        return file.startswith(("<frozen", "<__array_function__", "<eval_with_key>"))
    path = Path(file)
    if path.is_relative_to(_OURS):
        return path.relative_to(_OURS).parts[0] not in _OPEN_ROOMS
    if "site-packages" in path.parts:
        package = path.parts[path.parts.index("site-packages") + 1 :]
        return bool(package) and package[0].removesuffix(".py") in _LIBRARIES
    return file.startswith(_STDLIB) or "torch" in path.parts[-4:-1]


def _visible(frame: FrameType | None) -> FrameType | None:
    while frame is not None:
        file = frame.f_code.co_filename
        hidden = _hidden.get(file)
        if hidden is None:
            hidden = _hidden[file] = _is_hidden(file)
        if not hidden:
            return frame
        frame = frame.f_back
    return None


def where() -> tuple[str, int]:
    """File and line of the learner's code that is running now; ("", 0) when there is none."""
    frame = _visible(sys._getframe(1))
    return ("", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)


def stack() -> tuple[Frame, ...]:
    """All visible frames, outermost first."""
    frames = []
    frame = _visible(sys._getframe(1))
    while frame is not None:
        frames.append(Frame(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        frame = _visible(frame.f_back)
    return tuple(reversed(frames))


def source(file: str, line: int) -> str:
    """The text of a line, stripped; empty when it cannot be read."""
    return linecache.getline(file, line).strip() if line else ""
