"""Assertions with messages that teach: what was expected, what came, which line did it, and the remedy.

Each check passes in silence or raises AssertionError. A check that was itself called wrongly (no bound given, an
unknown kind) raises TypeError or ValueError, so that a mistake in a test never looks like a mistake in an answer.
Only true tensors and true numbers count: a subclass could answer every comparison with True.
``equal`` and ``close`` copy device tensors to the CPU, which is a wait: call them after the trace has ended.

>>> waits(trace, at_most=1)                                 # doctest: +SKIP
AssertionError: expected at most 1 wait, got 7:
  cell In[3], line 4: while (x.norm() > 1).item():
      .item() waited 7 times (value read)
      Remedy: ...
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

import torch
from torch import Tensor, nn

from syncpoint.counts import copies, launches, waits
from syncpoint.placement import as_device, placement, same_device
from syncpoint.words import many

__all__ = [
    "close", "copies", "dtype", "equal", "launches", "not_same_storage", "number", "on_device", "placed", "raises",
    "same_storage", "shape", "waits",
]  # fmt: skip

E = TypeVar("E", bound=BaseException)
Device = torch.device | str | int


# Where things are, and of what form ------------------------------------------------------------------------------


def on_device(x: Any, device: Device) -> None:
    """Every tensor of ``x`` (a tensor, a module, or a list, tuple or dict of them) is on ``device``."""
    wanted, count = as_device(device), 0
    for path, leaf in _leaves(x, ""):
        tensor = _true_tensor(leaf, path or "the value")
        count += 1
        if not same_device(tensor.device, wanted):
            _fail(
                f"{path or 'the tensor'} is on {tensor.device}, expected {wanted}. Make it there with device=..., or "
                "move it with x = x.to(device): .to() returns a new tensor and leaves the old one alone."
            )
    if not count:
        _fail(f"found no tensor in this {_name(x)}, so none is on {wanted}. Are its layers and tensors registered?")


def dtype(x: Any, dtype: torch.dtype) -> None:
    """``x`` is a tensor of this dtype."""
    got = _true_tensor(x, "the value").dtype
    if got != dtype:
        _fail(f"expected dtype {dtype}, got {got}. Give dtype= where the tensor is made, or convert with .to({dtype}).")


def shape(x: Any, shape: Sequence[int]) -> None:
    """``x`` is a tensor of exactly this shape."""
    got, wanted = tuple(_true_tensor(x, "the value").shape), tuple(shape)
    if got != wanted:
        _fail(f"expected shape {wanted}, got {got}.")


def placed(module: nn.Module, device: Device) -> None:
    """No tensor that the module holds, registered or not, is elsewhere than on ``device``."""
    table = placement(module, device)
    if table.misplaced:
        _fail(f"{many(len(table.misplaced), 'tensor')} not on {table.device}:\n  " + "\n  ".join(table.advice()))


# Values ----------------------------------------------------------------------------------------------------------


def equal(actual: Any, expected: Tensor) -> None:
    """Same dtype, same shape, same values; NaN counts as equal to NaN in the same place. Devices may differ."""
    got, want = _pair(actual, expected)
    if got.dtype != want.dtype:
        _fail(f"expected dtype {want.dtype}, got {got.dtype}.")
    if not torch.equal(got, want):
        _report_differences(got, want, _differs(got, want, 0.0, 0.0))


def close(actual: Any, expected: Tensor, rtol: float = 1e-5, atol: float = 1e-8) -> None:
    """Same shape, and each value within ``atol + rtol * |expected|``. Dtypes and devices may differ."""
    got, want = _pair(actual, expected)
    if (got.dtype == torch.bool) != (want.dtype == torch.bool):
        _fail(f"expected values of {want.dtype}, got {got.dtype}: truth values and numbers are not compared.")
    _report_differences(got, want, _differs(got, want, rtol, atol), f" (rtol {rtol:g}, atol {atol:g})")


def number(actual: Any, expected: float, rel: float = 1e-9, what: str = "") -> None:
    """A Python number (or NumPy's) within a relative error of ``rel`` of ``expected``; no tensor, no bool, no NaN."""
    name = what or "the number"
    value = _plain_number(actual, name)
    if value != value:
        _fail(
            f"{name} is NaN (not a number), expected {expected!r}. Look for 0/0, log of a negative number, inf - inf."
        )
    if value == expected:
        return
    if _finite(value) and _finite(expected):
        if abs(Fraction(value) - Fraction(expected)) <= Fraction(rel) * abs(Fraction(expected)):
            return
    _fail(f"expected {name} to be {_shown(expected)}, got {_shown(value)}.")


def raises(exception: type[E] | tuple[type[E], ...], fn: Callable[..., Any], *args: Any, match: str | None = None) -> E:
    """``fn(*args)`` raises the exception, its message matching the pattern ``match``. Returns the exception.

    An exercise that is not written yet raises NotImplementedError. That is a RuntimeError to Python, but not here.
    """
    kinds = exception if isinstance(exception, tuple) else (exception,)
    wanted = " or ".join(kind.__name__ for kind in kinds)
    try:
        result = fn(*args)
    except kinds as error:
        if isinstance(error, NotImplementedError) and not any(issubclass(k, NotImplementedError) for k in kinds):
            raise AssertionError(f"expected {wanted}, got NotImplementedError: {error}") from error
        if match is not None and not re.search(match, str(error)):
            raise AssertionError(f"expected a message that matches {match!r}, got: {error}") from error
        return error
    except Exception as error:
        raise AssertionError(f"expected {wanted}, got {type(error).__name__}: {error}") from error
    _fail(f"expected {wanted}, but nothing was raised; {_callable_name(fn)} returned a {_name(result)}.")


def same_storage(a: Any, b: Any) -> None:
    """Both tensors look at the same memory: a change of one can show in the other."""
    if not _overlap(_true_tensor(a, "the first value"), _true_tensor(b, "the second value")):
        _fail("expected two tensors that share memory, got two with memory of their own: something has copied.")


def not_same_storage(a: Any, b: Any) -> None:
    """The tensors have nothing in common: a change of one never shows in the other."""
    if _overlap(_true_tensor(a, "the first value"), _true_tensor(b, "the second value")):
        _fail("expected a tensor with memory of its own, got one that shares it: use .clone() to have a copy.")


# How the checks do it --------------------------------------------------------------------------------------------


def _fail(message: str) -> NoReturn:
    raise AssertionError(message)


def _name(x: Any) -> str:
    return type(x).__name__


def _callable_name(fn: Any) -> str:
    return str(getattr(fn, "__name__", "the call"))


def _leaves(x: Any, path: str) -> Iterator[tuple[str, Any]]:
    """What a nested value is made of, each with its path; a module stands for its parameters and buffers."""
    if isinstance(x, nn.Module):
        yield from ((f"{path}.{name}".lstrip("."), parameter) for name, parameter in x.named_parameters())
        yield from ((f"{path}.{name}".lstrip("."), buffer) for name, buffer in x.named_buffers())
    elif isinstance(x, dict):
        for key, value in x.items():
            yield from _leaves(value, f"{path}[{key!r}]")
    elif isinstance(x, (list, tuple)):
        for at, value in enumerate(x):
            yield from _leaves(value, f"{path}[{at}]")
    else:
        yield path, x


def _true_tensor(x: Any, what: str) -> Tensor:
    if type(x) in (Tensor, nn.Parameter):
        return x
    if isinstance(x, Tensor):
        _fail(f"{what} is a {_name(x)}, a subclass of torch.Tensor; expected a plain tensor.")
    hint = " A number read with .item() lives on the host." if isinstance(x, (int, float)) else ""
    hint = " Did the function forget to return its result?" if x is None else hint
    _fail(f"{what} is a {_name(x)}, expected a torch.Tensor.{hint}")


def _pair(actual: Any, expected: Tensor) -> tuple[Tensor, Tensor]:
    """Both on the CPU, of the same shape, without their graphs."""
    if not isinstance(expected, Tensor):
        raise TypeError(f"expected must be a tensor, not {_name(expected)}; for Python numbers there is checks.number")
    got = _true_tensor(actual, "the value")
    if got.device.type == "meta":
        _fail("the value is on the meta device, where tensors have no values.")
    if got.shape != expected.shape:
        _fail(f"expected shape {tuple(expected.shape)}, got {tuple(got.shape)}.")
    return got.detach().cpu(), expected.detach().cpu()


def _differs(got: Tensor, want: Tensor, rtol: float, atol: float) -> Tensor:
    """Where two CPU tensors of one shape differ: a bool tensor. NaN equals NaN."""
    if got.dtype == want.dtype and not (rtol or atol):
        return (got != want) & ~((got != got) & (want != want))
    wide = torch.complex128 if got.is_complex() or want.is_complex() else torch.float64
    return ~torch.isclose(got.to(wide), want.to(wide), rtol=rtol, atol=atol, equal_nan=True)


def _report_differences(got: Tensor, want: Tensor, wrong: Tensor, tolerance: str = "") -> None:
    count = int(wrong.sum())
    if not count:
        return
    first = tuple(wrong.nonzero()[0].tolist())
    where = f" at index {first}" if first else ""
    share = f"{count:,} of {many(wrong.numel(), 'value')} differ{'s' if count == 1 else ''}{tolerance}"
    _fail(f"{share}. The first is{where}: expected {want[first].item()!r}, got {got[first].item()!r}.")


def _plain_number(x: Any, name: str) -> int | float:
    if type(x) in (int, float):
        return x
    if isinstance(x, Tensor):
        _fail(f"{name} is a tensor on {x.device}, expected a Python number: read it once, with .item().")
    numpy = sys.modules.get("numpy")
    if numpy is not None and type(x) in (numpy.float64, numpy.float32, numpy.float16, numpy.int64, numpy.int32):
        return x.item()
    if isinstance(x, bool):
        _fail(f"{name} is the truth value {x}, expected a number.")
    hint = " Did the function forget to return its result?" if x is None else ""
    _fail(f"{name} is a {_name(x)}, expected an int or a float.{hint}")


def _finite(value: int | float) -> bool:
    return isinstance(value, int) or math.isfinite(value)  # a large int is finite, but no float can hold it


def _shown(value: int | float) -> str:
    """Python refuses to print ints of more than 4300 digits."""
    if isinstance(value, int) and value.bit_length() > 1_000:
        return f"an int of {value.bit_length():,} bits"
    return repr(value)


def _overlap(a: Tensor, b: Tensor) -> bool:
    """Whether the tensors' storages have memory in common. Storages without memory are compared as objects."""
    if a.device != b.device:  # addresses of two devices may be the same number
        return False
    first, second = a.untyped_storage(), b.untyped_storage()
    if first._cdata == second._cdata:
        return True
    start, end = max(first.data_ptr(), second.data_ptr()), min(_end(first), _end(second))
    return bool(first.data_ptr() and second.data_ptr() and start < end)


def _end(storage: torch.UntypedStorage) -> int:
    return int(storage.data_ptr() + storage.nbytes())
