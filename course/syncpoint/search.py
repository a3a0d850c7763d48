"""Finds every tensor that an object holds, and how it holds it.

A module's registered parameters and buffers come first, then what else it keeps: plain and class attributes, lists,
tuples, dicts, sets, dataclasses and other objects, functools.partial, and what functions capture or have as defaults,
to any depth. Cycles are walked once. It reads no values, so it never makes the host wait.
What it does not look into: gradients, global variables that ``forward`` uses, weak references, running generators.

>>> [found.path for found in find(torch.nn.Linear(2, 3))]
['weight', 'bias']
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import partial
from typing import Any

import torch
from torch import nn

REGISTERED = "registered"  #: held so that .to() moves it
_ATOMS = (
    str, bytes, bytearray, int, float, complex, type(None), type, types.ModuleType, torch.dtype, torch.device,
    torch.Size, torch.Generator, torch.layout, types.GeneratorType, types.CodeType, types.BuiltinFunctionType,
)  # fmt: skip
_REGISTRIES = ("_parameters", "_buffers", "_modules", "_non_persistent_buffers_set")


@dataclass(slots=True)
class Found:
    """One tensor: the first path that leads to it, what it is there, and what holds it."""

    path: str
    tensor: torch.Tensor
    kind: str  # "parameter", "buffer", "buffer (not in state_dict)", "tensor", "optimizer state", "step counter"
    holder: str  # REGISTERED, or the outermost thing .to() does not look into: a key of _HOLDERS, "module in list" ...
    also: list[str]  # other paths to the same tensor
    owner: torch.Tensor | None = None  # the parameter that an optimizer's state belongs to


@dataclass(slots=True)
class _Task:
    """Something still to be looked into."""

    value: Any
    path: str
    holder: str


class Search:
    """One walk over an object."""

    def __init__(self) -> None:
        self.found: dict[int, Found] = {}
        self._seen: dict[int, Any] = {}  # keeps what was seen alive, so that no id is used twice
        self._tasks: list[_Task] = []

    def run(self, root: Any) -> list[Found]:
        """Registered tensors first, so that a tensor is named by its registered path where it has one."""
        start = "optimizer" if isinstance(root, torch.optim.Optimizer) else "argument"
        self._look(_Task(root, "", REGISTERED if isinstance(root, nn.Module) else start))
        while self._tasks:
            self._look(self._tasks.pop())
        return list(self.found.values())

    def _look(self, task: _Task) -> None:
        value = task.value
        if isinstance(value, torch.Tensor):
            self._add(value, task.path, "parameter" if isinstance(value, nn.Parameter) else "tensor", task.holder)
        elif not isinstance(value, _ATOMS) and id(value) not in self._seen:
            self._seen[id(value)] = value
            if isinstance(value, nn.Module):
                self._module(task)
            elif isinstance(value, torch.optim.Optimizer):
                self._optimizer(value, task.path, task.holder)
            else:
                self._push(_Task(child, task.path + name, task.holder) for name, child in _children(value))

    def _push(self, tasks: Iterator[_Task]) -> None:
        self._tasks += reversed(list(tasks))  # the last in is the first out

    def _add(self, tensor: torch.Tensor, path: str, kind: str, holder: str, owner: torch.Tensor | None = None) -> None:
        known = self.found.get(id(tensor))
        if known is None:
            self.found[id(tensor)] = Found(path, tensor, kind, holder, [], owner)
        elif path != known.path:
            known.also.append(path)

    def _module(self, task: _Task) -> None:
        """A module and all that are registered in it, then what they hold besides."""
        holder = task.holder if task.holder == REGISTERED else f"module in {task.holder}"
        rest: list[_Task] = []
        for path, module in _registered(task.value, task.path):
            if module is not task.value and id(module) in self._seen:
                continue  # shared with another part of the tree
            self._seen[id(module)] = module
            for name, parameter in module._parameters.items():
                if parameter is not None:
                    self._add(parameter, path + _step(name, path), "parameter", holder)
            for name, buffer in module._buffers.items():
                if buffer is not None:
                    kept = name not in module._non_persistent_buffers_set
                    kind = "buffer" if kept else "buffer (not in state_dict)"
                    self._add(buffer, path + _step(name, path), kind, holder)
            rest += _others(module, path, holder)
        self._push(iter(rest))

    def _optimizer(self, optimizer: torch.optim.Optimizer, path: str, holder: str) -> None:
        dot = f"{path}." if path else ""
        number = 0
        for at, group in enumerate(optimizer.param_groups):
            for name, value in group.items():
                for parameter in value if name == "params" else ():
                    self._add(parameter, f"{dot}param_groups[{at}].params[{number}]", "parameter", holder)
                    self._state(optimizer.state.get(parameter, {}), f"{dot}state[{number}]", parameter, holder)
                    number += 1
                if isinstance(value, torch.Tensor):
                    self._add(value, f"{dot}param_groups[{at}].{name}", "optimizer setting", holder)

    def _state(self, state: Mapping[str, Any], path: str, owner: torch.Tensor, holder: str) -> None:
        for name, value in state.items():
            if isinstance(value, torch.Tensor):
                kind = "step counter" if name == "step" else "optimizer state"
                self._add(value, f"{path}.{name}", kind, holder, owner)


def find(root: Any) -> list[Found]:
    """Every tensor reachable from a module, an optimizer or any other object, each once."""
    return Search().run(root)


def _step(name: str, path: str) -> str:
    """How a path goes on: "[0]" for a numbered child, ".name" for a named one, "name" at the start."""
    if name.isdecimal():
        return f"[{name}]"
    return f".{name}" if path else name


def _registered(module: nn.Module, path: str) -> Iterator[tuple[str, nn.Module]]:
    """The module and all below it that .to() reaches, each once."""
    seen, tasks = set[int](), [(path, module)]
    while tasks:
        path, module = tasks.pop()
        if id(module) in seen:
            continue
        seen.add(id(module))
        yield path, module
        children = [(path + _step(name, path), child) for name, child in module._modules.items() if child is not None]
        tasks += reversed(children)


def _others(module: nn.Module, path: str, holder: str) -> Iterator[_Task]:
    """What a module holds without having registered it."""
    inside = "" if holder == REGISTERED else holder
    for name, value in vars(module).items():
        if name not in _REGISTRIES:
            yield _Task(value, path + _step(name, path), inside or _holder(value))
    for kind in type(module).__mro__:
        if kind.__module__.startswith("torch."):
            break
        for name, value in vars(kind).items():
            if isinstance(value, (torch.Tensor, list, tuple, dict, set)) and not name.startswith("__"):
                yield _Task(value, path + _step(name, path), inside or "class")


def _holder(value: Any) -> str:
    """The word for what holds a tensor: the outermost thing that .to() does not look into."""
    for word, kinds in _HOLDERS.items():
        if isinstance(value, kinds):
            return word
    return "dataclass" if is_dataclass(value) else "object"


#: Besides these: "class" (a class attribute), "dataclass", "object", and "argument" for what find() was given itself.
_HOLDERS: dict[str, Any] = {
    "attribute": (torch.Tensor, nn.Module),
    "list": (list, deque),
    "tuple": tuple,
    "dict": Mapping,
    "set": (set, frozenset),
    "optimizer": torch.optim.Optimizer,
    "function": (types.FunctionType, types.MethodType, partial),
}


def _children(value: Any) -> Iterator[tuple[str, Any]]:
    """What a value holds, each with the piece of path that leads there."""
    if isinstance(value, Mapping):
        yield from ((f"[{_key(key)}]", child) for key, child in list(value.items()))
        yield from ((f".keys()[{at}]", key) for at, key in enumerate(value) if isinstance(key, torch.Tensor))
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        yield from zip((f".{name}" for name in value._fields), value, strict=False)
    elif isinstance(value, (list, tuple, deque)):
        yield from ((f"[{at}]", child) for at, child in enumerate(list(value)))
    elif isinstance(value, (set, frozenset)):
        yield from ((f"{{{at}}}", child) for at, child in enumerate(value))
    elif isinstance(value, partial):
        yield from ((".func", value.func), (".args", value.args), (".keywords", value.keywords))
    elif isinstance(value, types.MethodType):
        yield from ((".__self__", value.__self__), (".__func__", value.__func__))
    elif isinstance(value, types.FunctionType):
        yield from _captured(value)
    yield from _attributes(value)


def _key(key: Any) -> str:
    """A dict key as text. Tensors are never printed: that would read them."""
    return repr(key) if isinstance(key, (str, bytes, int, float, type(None))) else f"<{type(key).__name__}>"


def _captured(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Variables of the surrounding function that it uses, and the defaults of its arguments."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield f" captures {name}", cell.cell_contents
        except ValueError:  # the variable has no value yet, or it was deleted
            continue
    code, defaults = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount][code.co_argcount - len(defaults) :]
    yield from ((f" default {name}", value) for name, value in zip(names, defaults, strict=True))
    yield from ((f" default {name}", value) for name, value in (function.__kwdefaults__ or {}).items())


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """Attributes stored in an object itself: its __dict__ and its slots. Properties are not called."""
    stored = getattr(value, "__dict__", None)
    if isinstance(stored, dict):
        yield from ((f".{name}", child) for name, child in list(stored.items()))
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if isinstance(vars(kind).get(name), types.MemberDescriptorType):
                try:
                    yield f".{name}", vars(kind)[name].__get__(value)
                except AttributeError:  # the slot is empty
                    continue
