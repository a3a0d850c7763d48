"""How records are named to a learner: places, operators, units and remedies. Plain Python, no torch.

PyTorch's own names stay in the records; here they become the words that stand in the learner's line. What it does not
do: parse code. A word is looked for in the one line that the record quotes, so a statement spread over several lines
may get the general name.

>>> op_word("aten._local_scalar_dense", "while (x.norm() > 1).item():")
'.item()'
>>> time_text(1250.0), bytes_text(200_704)
('1.25 ms', '200.7 kB')
"""

from __future__ import annotations

import re
import sys
from pathlib import PurePosixPath, PureWindowsPath

#: Why a wait of this kind happened, for a reader who sees the word for the first time.
REASONS = {
    "value read": "Python needed a value that stood on the device, so the host waited until it had been computed.",
    "copy": "a blocking copy: the host stood still until the bytes had arrived.",
    "data-dependent shape": "how large the result is depends on values on the device, so the host had to look.",
    "explicit": "the code asked for it: a synchronise call waits until the device has done all its work.",
    "allocation": "device memory ran short, and the host waited until some could be freed.",
    "library": "a library looked at its own result on the device, for instance to check for errors.",
}

#: What to do about it.
REMEDIES = {
    "value read": "keep the value on the device (detach() it if it carries a graph) and read it once, at the end.",
    "copy": "keep the data on the device; or copy from pinned memory with non_blocking=True.",
    "data-dependent shape": "keep the shape fixed: use torch.where, a mask to multiply with, or a size you know.",
    "explicit": "synchronise only where you read the clock or hand over results, not inside the loop.",
    "allocation": "keep fewer tensors alive, or reuse the ones you have.",
    "library": "call the function less often, or use a variant that does not check (torch.linalg's _ex functions).",
}

# Calls that read a value. `.float()` is not among them: it makes a tensor.
_READS = re.compile(r"\.(?:item|tolist|cpu)\(|(?<![\w.])(?:float|int|bool|complex|range)\(|\btorch\.tensor\(")
_COPIES = re.compile(r"\.(?:cpu|cuda|tolist|copy_|to)\(|\btorch\.(?:tensor|as_tensor|save|load)\(|\bload_state_dict\(")
_SYNCS = re.compile(r"\bsynchronize\(|\.wait\(")
# What reads a value only when nothing above stands in the line.
_IMPLICIT = (
    (r"\bprint\(", "print()"),
    (r"^(el)?if\b|\bif\b", "the if"),
    (r"^while\b", "the while"),
    (r"^assert\b", "the assert"),
    (r"\bfor\b", "the for"),
    (r"(?<![\w.])(min|max|sorted|str|repr|format)\(", r"\1()"),
    (r"\b[fF][rR]?['\"]", "the f-string"),
)
_OP_WORDS = {
    "_local_scalar_dense": ".item() or similar",
    "item": ".item() or similar",
    "_to_copy": "a copy",
    "copy_": "a copy",
    "_copy_from": "a copy",
    "lift_fresh": "a new tensor made from Python values",
    "_unique2": "unique()",
    "_linalg_check_errors": "the error check of a torch.linalg function",
}
# One operator may wait for several reasons: what it is called then, and a remedy where the general one misses.
_BY_KIND = {
    ("data-dependent shape", "index"): ("indexing with a mask", ""),
    ("data-dependent shape", "index_put_"): ("assigning through a mask", ""),
    ("data-dependent shape", "_index_put_impl_"): ("assigning through a mask", ""),
    ("copy", "index"): ("indexing with a list or CPU tensor", "move the index to the device once, before the loop."),
    ("copy", "index_put_"): (
        "assigning a CPU value, or through a CPU index",
        "move the index and the value to the device once, before the loop.",
    ),
    ("copy", "lift_fresh"): (
        "a new tensor made from Python values",
        "make it once before the loop, or on the device itself: torch.full, torch.zeros or torch.arange with device=.",
    ),
}
_COPY_OPS = {"_to_copy", "copy_", "lift_fresh", "_copy_from"}


def place(file: str, line: int) -> str:
    """Where a record comes from: "train.py, line 4", or in a notebook "cell In[3], line 4"."""
    if not line:
        return "outside your own code"
    cell = _cell(file)
    return f"{cell}, line {line}" if cell else f"{_base_name(file)}, line {line}"


def _base_name(file: str) -> str:
    path = PureWindowsPath(file) if "\\" in file else PurePosixPath(file)
    return path.name or file


def _cell(file: str) -> str:
    """ "cell In[3]", or "cell" when its number is not known; empty for a file that is no notebook cell."""
    ipython = sys.modules.get("IPython")  # never imported for this
    shell = ipython.get_ipython() if ipython else None
    name_of = getattr(getattr(shell, "compile", None), "format_code_name", None)  # IPython 8 and later
    known = name_of(file) if name_of else None
    if known:
        return f"cell {known[1]}"
    old = re.match(r"<ipython-input-(\d+)-", file)  # IPython 7
    if old:
        return f"cell In[{old[1]}]"
    return "cell" if re.search(r"(ipykernel_\d+[\\/]|xpython_\d+[\\/]|ipython-input-)", file) else ""


def op_name(op: str) -> str:
    """The short name of an operator: "aten.add.Tensor" -> "add", "aten.mm.default" -> "mm"."""
    parts = op.split(".")
    return parts[1] if len(parts) > 1 and parts[0] in ("aten", "prims", "torchvision") else op


def op_word(op: str, source: str = "", kind: str = "") -> str:
    """What the learner's line calls this operator; a general name when the line does not show it."""
    name, code = op_name(op), _code(source)
    if name in ("_local_scalar_dense", "item"):
        found = _spotted(_READS, code) or _implicit(code)
    elif name in _COPY_OPS:
        found = _spotted(_COPIES, code) or _implicit(code)
    else:
        found = _spotted(_SYNCS, code) if "synchronize" in name else ""
    return found or _BY_KIND.get((kind, name), ("", ""))[0] or _OP_WORDS.get(name) or f"{name}()"


def remedy(kind: str, op: str = "") -> str:
    """What to do about a wait of this kind, for one operator where that has a remedy of its own."""
    special = _BY_KIND.get((kind, op_name(op)), ("", ""))[1]
    return special or REMEDIES.get(kind, "move the line out of the loop if you can.")


def _code(source: str) -> str:
    """The line without comments and plain strings; f-strings stay, because they hold code."""
    return re.sub(r"(?<![fF])(?<![fF][rR])(['\"])(?:\\.|(?!\1).)*\1|#.*", "", source.strip())


def _spotted(calls: re.Pattern[str], code: str) -> str:
    return " or ".join(dict.fromkeys(call + ")" for call in calls.findall(code)))


def _implicit(code: str) -> str:
    for pattern, word in _IMPLICIT:
        match = re.search(pattern, code)
        if match:
            return match.expand(word)
    return ""


def time_text(us: float) -> str:
    """A time in the unit that reads best: "84.0 us", "1.25 ms", "2.30 s"."""
    if abs(us) < 1_000:
        return f"{us:.1f} us"
    return f"{us / 1e3:.2f} ms" if abs(us) < 1_000_000 else f"{us / 1e6:.2f} s"


def bytes_text(count: int) -> str:
    """Bytes in powers of 1000, as link and memory speeds are given: "512 B", "200.7 kB", "12.0 MB"."""
    if count < 1_000:
        return f"{count} B"
    power = min((len(str(count)) - 1) // 3, 3)
    return f"{count / 1_000**power:.1f} {('kB', 'MB', 'GB')[power - 1]}"


def times(count: int) -> str:
    """ "once", "twice", "7 times", "1,200 times"."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def many(count: int, one: str, more: str = "") -> str:
    """ "1 wait", "7 waits", "no waits"."""
    word = one if count == 1 else more or one + "s"
    return f"{count:,} {word}" if count else f"no {word}"
