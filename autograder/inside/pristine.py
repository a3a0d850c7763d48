"""What the tests rely on, as it was before any learner's code ran, and whether it still is.

The functions, classes and constants of syncpoint and of this package, of torch's public face and of a few modules of
Python's own are remembered. `restore` puts back what was replaced and names it; `quick` does the same for what decides
about counts, ten times faster. Settings, caches and counters may change. A name that was added to a class and hides an
inherited one counts as replaced, and so does one that was added to an object of ours and hides its class's method.

    pristine = Pristine.take()
    torch.Tensor.item = lambda self: 0
    pristine.restore()                    # ["torch.Tensor.item"], and the real one is back
"""

from __future__ import annotations

import builtins
import operator
import sys
import types
from typing import Any

globals()["__builtins__"] = dict(
    vars(builtins)
)  # what is defined below looks here, where no learner's code reaches by name

_OURS = ("syncpoint", "autograder")
_PUBLIC = (
    "torch", "torch.nn", "torch.nn.functional", "torch.testing", "torch.linalg", "torch.autograd", "torch.optim",
    "torch.utils.data", "torch.utils._python_dispatch", "torch.accelerator", "torch.overrides", "numpy", "math",
    "operator", "itertools", "functools", "statistics", "random", "time", "copy", "ast", "inspect", "linecache",
    "traceback", "json", "json.encoder", "json.decoder", "struct", "builtins", "IPython", "collections",
)  # fmt: skip
_CLASSES = (
    "torch.Tensor", "torch.nn.Module", "torch.nn.Parameter", "torch.device", "torch.Stream", "torch.Event",
    "json.encoder.JSONEncoder", "json.decoder.JSONDecoder",
)  # fmt: skip
#: What decides about waits, copies and launches: looked at between the statements of a test, too.
_QUICK = ("builtins", "syncpoint.checks", "syncpoint.counts", "syncpoint.trace", "syncpoint.sim.log",
          "syncpoint.sim.machine", "syncpoint.sim.clock", "syncpoint.sim.guards")  # fmt: skip
_FREE = frozenset({("builtins", "_"), ("builtins", "input"), ("builtins", "display"), ("builtins", "get_ipython")})
_KINDS = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, type,
          types.ModuleType, property, classmethod, staticmethod, types.GetSetDescriptorType)  # fmt: skip
#: PyTorch replaces these itself when its compiler is imported; sim's handler of Ctrl-C is set again at each use.
_REPLACED_BY_RIGHT = {"torch.manual_seed", "torch.nn.Module.__init__", "torch.nn.Module.__setstate__"}
_UNSTABLE = "syncpoint.sim.interrupts._"

_delete, _set, _is = type.__delattr__, type.__setattr__, operator.is_  # before anybody can replace them
_Function = tuple[str, types.FunctionType, types.CodeType, Any, Any, dict[str, Any]]


class _Owner:
    """A module or a class, and what stood in it."""

    def __init__(self, name: str, thing: Any, values: dict[str, Any]) -> None:
        self.name, self.thing = name, thing
        self.space = thing.__dict__ if isinstance(thing, types.ModuleType) else vars(thing)
        self.keys, self.values = list(values), list(values.values())
        made = [(f"{name}.{key}", getattr(value, "__func__", value)) for key, value in values.items()]
        functions = [(told, f) for told, f in made if isinstance(f, types.FunctionType)]
        self.functions: list[_Function] = [
            (t, f, f.__code__, f.__defaults__, f.__kwdefaults__, dict(f.__kwdefaults__ or {})) for t, f in functions
        ]
        self.before = None if isinstance(thing, types.ModuleType) else frozenset(self.space)

    def restore(self, functions: bool) -> list[str]:
        """Put back what was replaced; its names. `functions`: look into them, too."""
        changed: list[str] = []
        if not all(map(_is, map(self.space.get, self.keys), self.values)):
            told = map(self._key, self.keys, self.values)
            changed += [name for name in told if name]
        if self.before is not None and len(self.space) != len(self.before):
            changed += self._hiding()
        return changed + self._functions() if functions else changed

    def _functions(self) -> list[str]:
        changed = []
        for name, function, code, defaults, named, values in self.functions:
            same = function.__code__ is code and function.__defaults__ is defaults and function.__kwdefaults__ is named
            if same and (not named or all(map(_is, map(named.get, values), values.values()))):
                continue
            changed.append(name)
            if named is not None:
                named.update(values)
            function.__code__, function.__defaults__, function.__kwdefaults__ = code, defaults, named
        return changed

    def _key(self, key: str, value: Any) -> str:
        name, found = f"{self.name}.{key}", self.space.get(key)
        if found is value or _by_right(name, found):
            return ""
        if self.before is None:
            self.space[key] = value
        else:
            _set(self.thing, key, value)
        return name

    def _hiding(self) -> list[str]:
        assert self.before is not None
        hiding = []
        for key in [key for key in self.space if key not in self.before]:
            hidden = next((vars(base)[key] for base in self.thing.__mro__[1:] if key in vars(base)), None)
            ours = _follows_devices(f"{self.name}.{key}", self.space[key], hidden)
            if isinstance(hidden, _KINDS) and not ours:  # what copyreg and the like note in a class hides no method
                hiding.append(key)
        for key in hiding:
            _delete(self.thing, key)
        return [f"{self.name}.{key}" for key in hiding]


def _by_right(name: str, value: Any) -> bool:
    if name in _REPLACED_BY_RIGHT:
        return str(getattr(value, "__module__", "")).startswith("torch.")
    return name.startswith(_UNSTABLE)


def _follows_devices(name: str, found: Any, hidden: Any) -> bool:
    """Whether it is sim's own Tensor.to around the one from before: it comes when a second device is used."""
    patches: Any = sys.modules.get("syncpoint.sim.patches")
    if name != "torch.Tensor.to" or patches is None or not isinstance(found, types.FunctionType):
        return False
    known = any(found.__code__ is code for code in patches.follow_current_device.__code__.co_consts)
    return known and any(cell.cell_contents is hidden for cell in found.__closure__ or ())


class Pristine:
    """One snapshot."""

    def __init__(self) -> None:
        self.modules: dict[str, types.ModuleType] = {}
        self.owners: list[_Owner] = []
        self.tables: list[tuple[str, dict[Any, Any], dict[Any, Any]]] = []  # constants that could be written to
        self.objects: list[tuple[str, dict[str, Any], frozenset[str]]] = []  # name, its attributes, its class's methods
        self.kernels: set[str] = set()
        self.touched = True  # whether the inside of some function may have changed; `Audit` knows when
        self._quick: list[_Owner] = []

    @classmethod
    def take(cls) -> Pristine:
        """Remember everything as it is now."""
        made = cls()
        for name, module in list(sys.modules.items()):
            if isinstance(module, types.ModuleType) and (_ours(name) or name in _PUBLIC):
                made._module(name, module)
        for name in _CLASSES:
            module_name, _, class_name = name.rpartition(".")
            found = getattr(sys.modules.get(module_name), class_name, None)
            if isinstance(found, type):
                made._class(name, found)
        made.kernels = set(_registered())
        made._quick = [o for o in made.owners if o.name in _QUICK or o.name.rpartition(".")[0] in _QUICK]
        return made

    def _module(self, name: str, module: types.ModuleType) -> None:
        self.modules[name] = module
        ours, values = _ours(name), {}
        for key, value in vars(module).items():
            if name == "syncpoint.sim.machine" and type(value).__module__ == name:
                methods = frozenset(k for base in type(value).__mro__ for k, v in vars(base).items() if callable(v))
                self.objects.append((f"{name}.{key}", vars(value), methods - {"__class__"}))
            constant = ours and key.strip("_").isupper()
            hidden = key.startswith("_") and not ours
            if hidden or (name, key) in _FREE or not (constant or isinstance(value, _KINDS)):
                continue
            values[key] = value
            if ours and isinstance(value, type) and value.__module__ == name:
                self._class(f"{name}.{key}", value)
            elif constant and type(value) is dict:
                self.tables.append((f"{name}.{key}", value, dict(value)))
        self.owners.append(_Owner(name, module, values))

    def _class(self, name: str, kind: type) -> None:
        self.owners.append(_Owner(name, kind, {k: v for k, v in vars(kind).items() if isinstance(v, _KINDS)}))

    def restore(self) -> list[str]:
        """Put back what was replaced; its names."""
        changed = []
        for name, module in self.modules.items():
            if sys.modules.get(name) is not module:
                changed.append(name)
                sys.modules[name] = module
        for owner in self.owners:
            changed += owner.restore(self.touched)
        for name, table, before in self.tables:
            if len(table) != len(before) or not all(map(_is, map(table.get, before), before.values())):
                changed.append(name)
                table.clear()
                table.update(before)
        return changed + self._objects() + self._kernels()

    def quick(self) -> list[str]:
        """The same for what decides about counts."""
        return [name for owner in self._quick for name in owner.restore(self.touched)] + self._objects()

    def _objects(self) -> list[str]:
        changed = []
        for name, attributes, methods in self.objects:
            for key in methods & attributes.keys():
                del attributes[key]
                changed.append(f"{name}.{key}")
        return changed

    def _kernels(self) -> list[str]:
        """Kernels that were registered for PyTorch's own operators. They cannot be taken back, only told."""
        found = _registered()
        if len(found) == len(self.kernels):
            return []
        added = sorted(set(found) - self.kernels)
        self.kernels |= set(found)
        return [f"the kernel of {key.rpartition('/')[0]}" for key in added if key.startswith("aten/")]


def _ours(name: str) -> bool:
    return name.partition(".")[0] in _OURS


def _registered() -> set[str]:
    """What `torch.library` knows to be registered: "aten/equal/CPU" and such."""
    found: set[str] = getattr(sys.modules.get("torch.library"), "_impls", set())
    return found
