"""What the tests rely on, as it was before any learner's code ran, and whether it still is.

The functions and classes of syncpoint, of torch's public face and of a few modules of Python's own are remembered.
`restore` puts back what was replaced and names it. Only functions, classes and modules are compared: settings, caches
and counters may change. A name that was added to a class and hides an inherited one counts as replaced.

    pristine = Pristine.take()
    torch.Tensor.item = lambda self: 0
    pristine.restore()                    # ["torch.Tensor.item"], and the real one is back
"""

from __future__ import annotations

import sys
import types
from typing import Any

_OURS = "syncpoint"
_PUBLIC = (
    "torch", "torch.nn", "torch.nn.functional", "torch.testing", "torch.linalg", "torch.autograd", "torch.optim",
    "torch.utils.data", "torch.utils._python_dispatch", "torch.accelerator", "torch.overrides", "numpy", "math",
    "operator", "itertools", "functools", "statistics", "random", "time", "copy", "ast", "inspect", "linecache",
    "traceback", "json", "builtins", "IPython", "collections",
)  # fmt: skip
_CLASSES = ("torch.Tensor", "torch.nn.Module", "torch.nn.Parameter", "torch.device", "torch.Stream", "torch.Event")
_FREE = frozenset({("builtins", "_"), ("builtins", "input"), ("builtins", "display"), ("builtins", "get_ipython")})
_KINDS = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, type, types.ModuleType,
          property, classmethod, staticmethod, types.GetSetDescriptorType)  # fmt: skip

_delete, _set = type.__delattr__, type.__setattr__  # before anybody can replace them
#: PyTorch replaces these itself when its compiler is imported; sim's handler of Ctrl-C is set again at each use.
_REPLACED_BY_RIGHT = {"torch.manual_seed", "torch.nn.Module.__init__", "torch.nn.Module.__setstate__"}
_UNSTABLE = "syncpoint.sim.interrupts._"
_Function = tuple[str, types.FunctionType, types.CodeType, Any, Any]


class Pristine:
    """One snapshot."""

    def __init__(self) -> None:
        self.modules: dict[str, types.ModuleType] = {}
        self.names: list[tuple[str, Any, str, Any]] = []  # (full name, its module or class, name, value)
        self.code: list[_Function] = []
        self.classes: list[tuple[str, type, frozenset[str]]] = []

    @classmethod
    def take(cls) -> Pristine:
        """Remember everything as it is now."""
        made = cls()
        for name, module in list(sys.modules.items()):
            if not isinstance(module, types.ModuleType):
                continue
            if name == _OURS or name.startswith(_OURS + ".") or name in _PUBLIC:
                made._module(name, module)
        for name in _CLASSES:
            module_name, _, class_name = name.rpartition(".")
            found = getattr(sys.modules.get(module_name), class_name, None)
            if isinstance(found, type):
                made._class(name, found)
        return made

    def _module(self, name: str, module: types.ModuleType) -> None:
        self.modules[name] = module
        ours = name.startswith(_OURS)
        for key, value in vars(module).items():
            hidden = key.startswith("_") and not ours
            if hidden or (name, key) in _FREE or not isinstance(value, _KINDS):
                continue
            self.names.append((f"{name}.{key}", module, key, value))
            self._function(f"{name}.{key}", value)
            if ours and isinstance(value, type) and value.__module__ == name:
                self._class(f"{name}.{key}", value)

    def _class(self, name: str, kind: type) -> None:
        own = vars(kind)
        self.classes.append((name, kind, frozenset(own)))
        for key, value in own.items():
            if isinstance(value, _KINDS):
                self.names.append((f"{name}.{key}", kind, key, value))
                self._function(f"{name}.{key}", getattr(value, "__func__", value))

    def _function(self, name: str, value: Any) -> None:
        if isinstance(value, types.FunctionType):
            self.code.append((name, value, value.__code__, value.__defaults__, value.__kwdefaults__))

    def restore(self) -> list[str]:
        """Put back what was replaced; its names."""
        changed = []
        for name, module in self.modules.items():
            if sys.modules.get(name) is not module:
                changed.append(name)
                sys.modules[name] = module
        for name, owner, key, value in self.names:
            if owner.__dict__.get(key) is not value and not self._by_right(name, owner.__dict__.get(key)):
                changed.append(name)
                if isinstance(owner, type):
                    _set(owner, key, value)
                else:
                    owner.__dict__[key] = value
        for name, function, code, defaults, named in self.code:
            if function.__code__ is not code or function.__defaults__ is not defaults:
                changed.append(name)
            elif function.__kwdefaults__ is not named:
                changed.append(name)
            else:
                continue
            function.__code__, function.__defaults__, function.__kwdefaults__ = code, defaults, named
        return changed + [name for about in self.classes for name in self._hiding(*about)]

    @staticmethod
    def _by_right(name: str, value: Any) -> bool:
        if name in _REPLACED_BY_RIGHT:
            return str(getattr(value, "__module__", "")).startswith("torch.")
        return name.startswith(_UNSTABLE)

    def _hiding(self, name: str, kind: type, before: frozenset[str]) -> list[str]:
        added = [key for key in vars(kind) if key not in before]
        hiding = [key for key in added if any(key in vars(base) for base in kind.__mro__[1:])]
        for key in hiding:
            _delete(kind, key)
        return [f"{name}.{key}" for key in hiding]
