"""The process that is forked for each submission: it has imported what the lab imports, and done nothing else.

    python -m autograder.inside.zygote PLAN

PLAN is JSON: {"preload": [module, ...], "imports": {...}, "rights": {...}, "home": folder, "uid": number or null,
"control": file descriptor of a socket, "stdio": bool}. It says {"ready": true, "caged": bool} once and then, for each
byte that comes over the socket with two file descriptors, forks a caged process that serves the first one while its
parent watches it and obeys the second one.

Where the kernel refuses new namespaces inside the sandbox, "caged" is false: such a zygote serves one submission and
is thrown away with its sandbox. So does one with "stdio", which talks over its standard input and output.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import warnings
from pathlib import Path
from typing import Any

from autograder.inside import cage, wire
from autograder.inside.cage import Rights
from autograder.inside.watch import Watch

_READY_TO_RUN = b"r"
_LOOK_S = 0.2  # how often somebody looks at what a submission uses
_ALWAYS = ("encodings.idna", "asyncio", "unittest.mock", "fractions", "dataclasses", "numpy", "IPython.display")


def main() -> None:
    """See the module."""
    plan = json.loads(sys.argv[1])
    uid = plan["uid"]
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    os.chdir(plan["home"])
    channel = _Pipes() if plan["stdio"] else socket.socket(fileno=plan["control"])
    cage.hide_from_children()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _preload(plan["preload"])
    server = _server(plan)
    rights = Rights(**{**plan["rights"], "readable": tuple(plan["rights"]["readable"])})
    caged = not isinstance(channel, _Pipes) and _can_cage()
    gc.collect()
    gc.freeze()  # a forked child does not touch, and so does not copy, what is here now
    wire.send(channel, {"ready": True, "caged": caged})
    if isinstance(channel, _Pipes):
        _serve_one(channel, server, plan["home"], rights)
    else:
        _fork_on_demand(channel, server, plan["home"], rights, caged)


class _Pipes:
    """Standard input and output as a channel; the process's own go nowhere."""

    def __init__(self) -> None:
        self._in, self._out = os.dup(0), os.dup(1)
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 0)
        os.dup2(nowhere, 1)

    def fileno(self) -> int:
        return self._in

    def recv(self, size: int) -> bytes:
        return os.read(self._in, size)

    def sendall(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._out, data) :]


def _preload(modules: list[str]) -> None:
    """Import all that a submission may need: behind Landlock, and for every fork anew, it would cost more."""
    if "torch" in modules:
        import torch

        torch.set_num_threads(1)
        autograd_without_threads()
    if any(name.startswith("torch._higher_order_ops") for name in modules):
        modules = [*modules, "torch._dynamo"]  # their first call imports it, which takes seconds
    for name in (*_ALWAYS, *modules):
        with contextlib.suppress(ImportError):  # the cell that needs it will say so
            importlib.import_module(name)
    if "syncpoint" in modules:
        _whole_course()


def autograd_without_threads() -> None:
    """A first backward pass while the CPU is the only device.

    The first one in a process starts a thread for each device that there is, and after that no fork can go backward
    (https://github.com/pytorch/pytorch/wiki/Autograd-and-Fork). The simulated device comes later, and needs none.
    """
    import torch

    torch.ones(1, requires_grad=True).sum().backward()


def _whole_course() -> None:
    """All of syncpoint with its device, so that the snapshot of `pristine` is of what the tests use."""
    import pkgutil

    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    import syncpoint

    for found in pkgutil.walk_packages(syncpoint.__path__, "syncpoint."):
        if not found.name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # torchvision, tqdm: extras
                importlib.import_module(found.name)
    for name in syncpoint.__all__:
        getattr(syncpoint, name)
    syncpoint.sim.enable()
    figure = plt.figure()  # finds the fonts
    figure.text(0, 0, "x")
    figure.canvas.draw()
    plt.close(figure)


def _server(plan: dict[str, Any]) -> Any:
    from autograder.inside.server import Server

    return Server(plan["imports"])


def _can_cage() -> bool:
    try:
        pid = cage.new_init()
    except OSError:
        return False
    if pid == 0:
        with contextlib.suppress(OSError):
            cage.own_files(_writable("/tmp"), Rights())
            os._exit(0)
        os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def _writable(home: str) -> tuple[str, ...]:
    """Where a submission may write. /dev/shm is for what processes share: a DataLoader's workers, locks."""
    return tuple(folder for folder in ("/tmp", "/dev/shm", home) if Path(folder).is_dir())


def _serve_one(channel: _Pipes, server: Any, home: str, rights: Rights) -> None:
    """Serve one submission over standard input and output. When nobody listens any more, it is killed."""
    pid = os.fork()
    if pid == 0:
        _learner(server, home, rights, channel)
    either = select.poll()
    either.register(os.pidfd_open(pid), select.POLLIN)
    either.register(channel, 0)  # only whether the other side has hung up
    either.poll((rights.cpu_s + 60) * 1000)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xFF)


def _fork_on_demand(channel: socket.socket, server: Any, home: str, rights: Rights, caged: bool) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children are not waited for
    while True:
        data, descriptors, _, _ = socket.recv_fds(channel, 1, 2)
        if data != _READY_TO_RUN:
            return
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)  # no program that a submission starts gets its channel
        pid = cage.new_init() if caged else os.fork()
        if pid == 0:
            channel.close()
            _init(server, home, rights, descriptors, caged)
        for descriptor in descriptors:
            os.close(descriptor)


def _init(server: Any, home: str, rights: Rights, descriptors: list[int], caged: bool) -> None:
    """First process of its namespaces: it starts the learner's process, obeys orders about it and tells its end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = 1
    try:
        serving, orders = descriptors
        if caged:
            cage.own_files(_writable(home), rights)
        cage.hide_from_children()
        watch = Watch(rights, _writable(home))
        pid = os.fork()
        if pid == 0:
            os.close(orders)
            _learner(server, home, rights, socket.socket(fileno=serving))
        os.close(serving)
        code = _supervise(pid, orders, watch)
    finally:
        os._exit(code)  # and with it everything in its namespaces


def _supervise(pid: int, orders: int, watch: Watch) -> int:
    ended = os.pidfd_open(pid)
    while True:
        ready, _, _ = select.select([ended, orders], [], [], _LOOK_S)
        if ended in ready:
            _, status = os.waitpid(pid, 0)
            _tell(orders, os.waitstatus_to_exitcode(status), "")
            return 0
        if orders in ready:
            if os.read(orders, 1) != b"i":  # the trusted side has closed the connection, or says so
                os.kill(pid, signal.SIGKILL)
                return 0
            os.kill(pid, signal.SIGINT)
        elif why := watch.too_much():
            os.kill(pid, signal.SIGKILL)
            _tell(orders, -signal.SIGKILL, why)
            return 0
        _bury_orphans(pid)


def _tell(orders: int, status: int, why: str) -> None:
    with contextlib.suppress(BrokenPipeError):  # nobody wants to know
        os.write(orders, json.dumps({"status": status, "why": why}).encode())


def _bury_orphans(learner: int) -> None:
    """The dead whose parents are gone are ours; unburied, they would count against the limit of processes."""
    while True:
        found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None or found.si_pid == learner:
            return
        os.waitpid(found.si_pid, 0)


def _learner(server: Any, home: str, rights: Rights, channel: wire.Channel) -> None:
    """The process that runs the learner's code."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setpgid(0, 0)
        cage.show_to_children()  # it may look at itself
        with contextlib.suppress(OSError):  # a container may not let it
            Path("/proc/self/oom_score_adj").write_text("1000")  # when memory is short, it goes first
        os.chdir(home)  # the fresh one
        Path("/tmp/home").mkdir(exist_ok=True)
        sys.path.append(home)  # last: a file of a library's name hides nothing
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nowhere, number)
        allow_sim()
        cage.lock(_writable(home), rights)
        server.serve(channel)
        code = 0
    except wire.Broken:
        code = 0  # nobody asks any more
    finally:
        os._exit(code)


def allow_sim() -> None:
    """Let this forked child use the simulated device.

    sim refuses that as CUDA does, so that learners meet the rule. Its memory is this process's own and was forked too.
    """
    machine = sys.modules.get("syncpoint.sim.machine")
    if machine is not None:
        machine.machine.bad_fork = False


if __name__ == "__main__":
    main()
