"""The command that runs the zygote where it can do no harm: bubblewrap, else a container engine, else nothing.

Inside there is no network, no process and no file of the host but the system's programs, Python's packages and
`syncpoint`, all read-only; environment variables are set anew. The course, the gradebook, sources, hidden tests and
other submissions are not in there at all. Root gives its rights up first: the zygote runs under a user id of its own.

    box = find()                                  # UsageError with the remedy where there is none
    box.command(plan) -> ["bwrap", "--unshare-pid", ...]
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder.course import UsageError

HOME = "/home/learner"  # the working folder inside
UID = 64_321  # whom root becomes; no account should have this number
_ROOM = "/syncpoint"  # where our own code is, inside
_MODULE = "autograder.inside.zygote"
IMAGE = "syncpoint-grader"
_PARTS = ("bin", "lib", "lib64", "libexec", "share", "ssl", "pyvenv.cfg")  # what a Python needs of its folder

_REMEDY = """\
grading runs what learners wrote, and there is no sandbox for it here ({why}).
  Linux:    install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap)
  others:   install Docker or Podman, and build the image: autograder/SECURITY.md
  or, if you trust every submission as you trust your own code: --trust-submissions"""


@dataclass(frozen=True)
class Sandbox:
    """One way to run a zygote.

    `reusable`: one sandbox serves many submissions, each in namespaces of its own, over a socket that it inherits.
    Otherwise it serves one, over its standard input and output.
    """

    name: str
    reusable: bool = False
    engine: str = ""  # path of the program
    extra: tuple[str, ...] = field(default=())

    def command(self, plan: dict[str, Any]) -> list[str]:
        """The command line."""
        raise NotImplementedError

    def plan(self, plan: dict[str, Any]) -> dict[str, Any]:
        """The zygote's plan, with what this sandbox adds to it."""
        return {**plan, "home": HOME, "uid": None, "stdio": not self.reusable}


@dataclass(frozen=True)
class Bubblewrap(Sandbox):
    """https://github.com/containers/bubblewrap, on Linux."""

    def plan(self, plan: dict[str, Any]) -> dict[str, Any]:
        """Root becomes somebody else; whoever else grades stays who he is, without rights."""
        return {**super().plan(plan), "uid": UID if os.getuid() == 0 else None}

    def command(self, plan: dict[str, Any]) -> list[str]:
        """See `Sandbox.command`."""
        made = [self.engine, "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net"]
        made += ["--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        if os.getuid() == 0:
            made += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]  # given up by the zygote's first lines
        else:
            made += ["--unshare-user"]
        made += ["--proc", "/proc", "--dev", "/dev", "--hostname", "grader"]
        for path in ("/tmp", "/dev/shm", HOME):
            made += ["--perms", "1777", "--tmpfs", path]
        for path in _parents([*visible(), *ours(), "/etc/x"]):
            made += ["--perms", "0755", "--dir", path]  # else only root may pass through them
        for path in visible():
            made += ["--ro-bind", path, path]
        for link in ("/bin", "/sbin", "/lib", "/lib64", "/lib32"):
            if Path(link).is_symlink():
                made += ["--symlink", os.readlink(link), link]
            elif Path(link).is_dir():
                made += ["--ro-bind", link, link]
        for path in ("/etc/ld.so.cache", "/etc/fonts", "/etc/localtime", "/etc/alternatives"):
            made += ["--ro-bind-try", path, path]
        for inside, path in ours().items():
            made += ["--ro-bind", path, inside]
        made += ["--remount-ro", "/", "--remount-ro", "/dev", "--clearenv"]
        for name, value in environment().items():
            made += ["--setenv", name, value]
        return [*made, "--chdir", HOME, sys.executable, "-m", _MODULE, json.dumps(plan)]


@dataclass(frozen=True)
class Container(Sandbox):
    """Docker or Podman: one container a submission, from an image that holds Python, torch and syncpoint."""

    def command(self, plan: dict[str, Any]) -> list[str]:
        """See `Sandbox.command`."""
        memory = plan["rights"]["memory_bytes"] + (1 << 30)
        made = [self.engine, "run", "--rm", "--interactive", "--network", "none", "--read-only", "--cap-drop", "ALL"]
        made += ["--security-opt", "no-new-privileges", "--pids-limit", str(plan["rights"]["processes"])]
        made += ["--memory", str(memory), "--memory-swap", str(memory), "--cpus", "1", "--ipc", "none"]
        made += ["--user", f"{UID}:{UID}", "--workdir", HOME]
        limits = f"size={plan['rights']['file_bytes']},nr_inodes=20k,uid={UID},mode=700"
        for folder in ("/tmp", "/dev/shm", HOME):
            made += ["--tmpfs", f"{folder}:rw,nosuid,nodev,{limits}"]
        for name, value in environment().items():
            if name != "PYTHONPATH":
                made += ["--env", f"{name}={value}"]
        return [*made, *self.extra, IMAGE, "python", "-m", _MODULE, json.dumps(plan)]


def _parents(paths: list[str]) -> list[str]:
    """All folders above these paths, outermost first."""
    found = {str(parent) for path in paths for parent in Path(path).parents if str(parent) != "/"}
    return sorted(found - {"/usr"}, key=len)


def environment() -> dict[str, str]:
    """All that a submission finds in its environment. Marks must not depend on the grader's hardware: it is `sim`."""
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": _ROOM,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "HOME": "/tmp/home",
        "USER": "learner",
        "LOGNAME": "learner",
        "LANG": "C.UTF-8",
        "MPLCONFIGDIR": "/tmp/matplotlib",
        "MPLBACKEND": "agg",
        "IPYTHONDIR": "/tmp/ipython",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "SYNCPOINT_DEVICE": "sim",
        "NBGRADER_EXECUTION": "autograde",
    }


@lru_cache(maxsize=1)
def visible() -> tuple[str, ...]:
    """What of the host can be read inside: the system's programs and this Python, without what lies beside it.

    A Python's own folder may be somebody's home, or hold the course, or a pip.conf with a password.
    """
    prefixes = {sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parent.parent)}
    wanted = ["/usr", *(f"{prefix}/{part}" for prefix in prefixes for part in _PARTS)]
    wanted += [sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")]
    found: list[str] = []
    for path in sorted({str(Path(p)) for p in wanted if Path(p).exists()}, key=lambda path: (len(path), path)):
        if not any(Path(path).is_relative_to(known) for known in found):
            found.append(path)
    return tuple(found)


@lru_cache(maxsize=1)
def ours() -> dict[str, str]:
    """Where our own code appears inside, and where it is here."""
    bound = {f"{_ROOM}/autograder/inside": str(Path(__file__).parent / "inside")}
    spec = importlib.util.find_spec("syncpoint")
    if spec and spec.submodule_search_locations:
        bound[f"{_ROOM}/syncpoint"] = str(next(iter(spec.submodule_search_locations)))
    return bound


def readable() -> list[str]:
    """What Landlock lets a submission read, beside the system: Python's packages and syncpoint."""
    return [*visible(), f"{_ROOM}/syncpoint"]


@lru_cache(maxsize=1)
def find() -> Sandbox:
    """The best sandbox that works here. UsageError with the remedy if there is none."""
    why = "bubblewrap is not installed"
    if sys.platform == "linux" and (bwrap := shutil.which("bwrap")):
        box = Bubblewrap("bubblewrap", reusable=True, engine=bwrap)
        why = _try(box)
        if not why:
            return box
    for name in ("docker", "podman"):
        if engine := shutil.which(name):
            container = Container(name, engine=engine)
            missing = _answer([engine, "image", "inspect", IMAGE])
            if not missing:
                return container
            why += f"; {name}: {missing.splitlines()[-1]}"
    raise UsageError(_REMEDY.format(why=why))


def _try(box: Sandbox) -> str:
    """Why this sandbox does not start here; "" if it does."""
    command = box.command({})
    words = _answer([*command[: command.index(sys.executable)], "/usr/bin/env", "true"])
    return words and f"{box.name} does not start: {words}"


def _answer(command: list[str]) -> str:
    """What a command says when it fails; "" if it does not."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else done.stderr.strip()[-300:] or f"exit status {done.returncode}"

