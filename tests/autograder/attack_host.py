"""The host as the attacks would like it: a course full of secrets, listeners, a process to kill; and how it looks.

    with Host(folder) as host:
        ...                     # run an attack
        host.look(allowed)      # [] or what is no longer as it was
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import select
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.course import UsageError
from autograder.inside import syscalls
from autograder.sandbox import UID, find, visible

_PLACES = ("/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/usr", "/usr/local/bin", "/etc", "/home", "/srv", "/dev")
_PRIVILEGED = {"settimeofday": 164, "reboot": 169, "swapon": 167, "iopl": 172, "init_module": 175, "kexec_load": 246}
_PRELUDE = '''
import json as _json

HOST = _json.loads({host!r})


def attempt(what, do, *arguments):
    """Try something. That it works is the escape."""
    try:
        result = do(*arguments)
    except Exception as error:
        print(f"{{what}}: {{type(error).__name__}}")
    else:
        print(f"ESCAPED {{what}}: {{str(result)[:300]}}")


def syscall(what, *arguments):
    """A system call by name or number."""
    import ctypes, os
    from autograder.inside.syscalls import _REFUSED

    number = _REFUSED[what][os.uname().machine != "x86_64"] if isinstance(what, str) else what
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(number, *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def connections():
    """The descriptors that lead to the grader."""
    import os

    paths = [f"/proc/self/fd/{{n}}" for n in os.listdir("/proc/self/fd")]
    return [int(path.rpartition("/")[2]) for path in paths if os.path.islink(path) and "socket:" in os.readlink(path)]


def say(descriptor, data, announced=None):
    """A message with its length before it."""
    import os

    data = (len(data) if announced is None else announced).to_bytes(4, "big") + data
    while data:
        data = data[os.write(descriptor, data) :]
'''


def missing_sandbox() -> str:
    """Why there is no sandbox here, for a skip; "" if there is one, or where there has to be one."""
    try:
        find()
    except UsageError as error:
        return "" if os.environ.get("SYNCPOINT_REQUIRE_SANDBOX") == "1" else str(error).partition("\n")[0]
    return ""


class Host:
    """What an attack may find, and what it must not have touched."""

    def __init__(self, folder: Path) -> None:
        self.secret = f"SECRET-{secrets.token_hex(12)}"
        self.name = f"attack-{secrets.token_hex(6)}"
        self.course = folder / "course"
        for name in ("gradebook.db", "source/lab/lab.ipynb", "nbgrader_config.py", "submitted/bob/lab/lab.ipynb",
                     "feedback/bob/lab.html", "autograded/bob/result.json"):  # fmt: skip
            (self.course / name).parent.mkdir(parents=True, exist_ok=True)
            (self.course / name).write_text(self.secret, encoding="utf-8")
        self.own = Path(tempfile.mkdtemp(prefix="syncpoint-"))  # in the host's /tmp, like anybody's
        (self.own / "canary").write_text(self.secret, encoding="utf-8")
        self.before = self._files()

    def __enter__(self) -> Host:
        self.tcp = socket.create_server(("0.0.0.0", 0), backlog=50)
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("0.0.0.0", 0))
        self.unix = self._listen(str(self.own / "socket"))
        self.abstract = self._listen("\0" + self.name)
        user = {"user": UID, "group": UID, "extra_groups": []} if os.getuid() == 0 else {}
        self.bystander = subprocess.Popen(["sleep", "1000"], **user)  # type: ignore[call-overload]
        self.earlier = self._ours(_processes()[0])  # other tests' zygotes may be there already
        return self

    def __exit__(self, *error: object) -> None:
        self.bystander.kill()
        self.bystander.wait()
        for one in (self.tcp, self.udp, self.unix, self.abstract):
            one.close()
        for path in self.own.iterdir():
            path.unlink()
        self.own.rmdir()

    @staticmethod
    def _listen(address: str) -> socket.socket:
        made = socket.socket(socket.AF_UNIX)
        made.bind(address)
        made.listen(50)
        return made

    def prelude(self) -> str:
        """The cell before each attack: where things are on the host, and helpers."""
        probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with probe:
            try:
                probe.connect(("10.255.255.255", 1))  # sends nothing, but tells our address
                address = probe.getsockname()[0]
            except OSError:
                address = "127.0.0.1"
        about = {
            "course": str(self.course), "canary": str(self.own / "canary"), "home": str(Path.home()),
            "folders": [str(self.course), str(self.own), str(Path.cwd()), str(Path.home()), *visible()],
            "name": self.name, "address": address, "tcp": self.tcp.getsockname()[1], "udp": self.udp.getsockname()[1],
            "unix": str(self.own / "socket"), "abstract": self.name, "pid": os.getpid(), "grader": "pytest",
            "bystander": self.bystander.pid, "clone": 56 if os.uname().machine == "x86_64" else 220,
            "privileged": _PRIVILEGED if os.uname().machine == "x86_64" else {},
        }  # fmt: skip
        return _PRELUDE.format(host=json.dumps(about))

    def _files(self) -> dict[str, tuple[str, int, int]]:
        found = {}
        for root in (self.course, self.own, *self._libraries()):
            for path in [root] if root.is_file() else sorted(root.rglob("*")):
                about = path.lstat()
                text = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
                if path.name != "socket":
                    found[str(path)] = (text, about.st_mode, about.st_mtime_ns if path.is_file() else 0)
        return found

    @staticmethod
    def _libraries() -> list[Path]:
        import torch

        import syncpoint

        return [Path(module.__file__ or "") for module in (syncpoint, torch, os, syscalls)]

    def look(self, allowed: set[int]) -> list[str]:
        """What is not as it was: files, connections, processes. `allowed`: our own children that may run."""
        before, now = self.before, self._files()
        found = [path for path in before.keys() | now.keys() if before.get(path) != now.get(path)]
        found += [f"a connection on {one.getsockname()!r}" for one in self._ready()]
        if self.bystander.poll() is not None:
            found.append("a process of the host was killed")
        places = {*_PLACES, str(Path.home()), str(Path.cwd()), sys.prefix, tempfile.gettempdir()}
        found += [f"{place}: a file of the attack's" for place in places if os.path.lexists(f"{place}/{self.name}")]
        found += [f"process {pid}: {words}" for pid, words in self._processes(allowed)]
        return found

    def _ready(self) -> list[socket.socket]:
        return select.select([self.tcp, self.udp, self.unix, self.abstract], [], [], 0)[0]

    def _processes(self, allowed: set[int]) -> list[tuple[int, str]]:
        """Processes that came from here and are not allowed, or that bear the attack's name."""
        parents, words = _processes()
        strange = self._ours(parents) - allowed - self.earlier
        strange |= {pid for pid in words if self.name in words[pid]}
        return [(pid, words.get(pid, "")) for pid in sorted(strange)]

    @staticmethod
    def _ours(parents: dict[int, int]) -> set[int]:
        ours = {os.getpid()}
        while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
            ours |= more
        return ours


def _processes() -> tuple[dict[int, int], dict[int, str]]:
    """The parents and the command lines of all processes."""
    parents, words = {}, {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(entry)] = int(Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[1])
            words[int(entry)] = Path(f"/proc/{entry}/cmdline").read_text().replace("\0", " ")[:200]
        except (OSError, ValueError, IndexError):
            continue
    return parents, words
