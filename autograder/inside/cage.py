"""A process without rights: namespaces, Landlock, limits, no capabilities. Linux only.

The zygote calls `new_init` for each submission. What comes back in the child is process 1 of a process namespace of its
own, so that whatever the submission starts dies with it; the learner's code runs in a further child, which `lock` has
cut off from everything but its working folder.

What it does not: limit what several processes use together (`watch` does that).
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
import struct
from dataclasses import dataclass
from pathlib import Path

from autograder.inside import syscalls

_CLONE = {"x86_64": 56, "aarch64": 220}
_NEW_NS, _NEW_IPC, _NEW_USER, _NEW_PID = 0x20000, 0x8000000, 0x10000000, 0x20000000
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_BIND, _MS_REC, _MS_PRIVATE = 2, 4, 8, 0x1000, 0x4000, 0x40000
_PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 4, 24, 38
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
# Landlock's rights: execute, read files, read folders; and all that its first version knows.
_READ, _EVERYTHING = 0b1101, (1 << 13) - 1
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_MOST_FILES = 20_000  # each one takes memory of the kernel's, however empty

_libc = ctypes.CDLL(None, use_errno=True)
_python_libc = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock: a clone in it is a fork


@dataclass(frozen=True)
class Rights:
    """What a submission may use. Memory is what it may add to what it starts with, in one process and in all."""

    memory_bytes: int = 2 << 30
    file_bytes: int = 100 << 20  # one file, and all files together
    processes: int = 64
    cpu_s: int = 3600
    readable: tuple[str, ...] = ()  # folders, beside the system's own


def _checked(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def new_init() -> int:
    """Fork into new namespaces: 0 in the child, which is their first process, else the child's id."""
    uid, gid = os.getuid(), os.getgid()
    machine = os.uname().machine
    if machine not in _CLONE:
        raise OSError(errno.ENOSYS, f"new namespaces on {machine}: not supported")
    flags = _NEW_USER | _NEW_NS | _NEW_PID | _NEW_IPC | signal.SIGCHLD
    api = ctypes.pythonapi
    api.PyOS_BeforeFork()
    pid = int(_python_libc.syscall(_CLONE[machine], flags, 0, 0, 0, 0))
    if pid == 0:
        api.PyOS_AfterFork_Child()
        show_to_children()  # else its files in /proc belong to root and it cannot map its user
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
        return 0
    number = ctypes.get_errno()
    api.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(number, f"new namespaces: {os.strerror(number)}")
    return pid


def own_files(folders: tuple[str, ...], rights: Rights) -> None:
    """A fresh, empty file system, shared by these folders, and a /proc that shows this namespace only.

    Where root started the sandbox, the kernel refuses the latter, for bubblewrap has covered parts of /proc. The old
    one stays: it shows the zygote's number, but `hide_from_children` keeps everything about it shut.

    What may be read and lies in one of the folders (a course in /tmp, say) is there again afterwards.
    """
    hidden = [path for path in rights.readable if any(Path(path).is_relative_to(folder) for folder in folders)]
    kept = [(path, os.open(path, os.O_PATH)) for path in hidden if os.path.isdir(path)]
    _checked(_libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None), "private mounts")
    _libc.mount(b"proc", b"/proc", b"proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, None)
    first, *others = folders
    limits = f"size={rights.file_bytes},nr_inodes={_MOST_FILES},mode=700".encode()
    _checked(_libc.mount(b"tmpfs", first.encode(), b"tmpfs", _MS_NOSUID | _MS_NODEV, limits), f"mount {first}")
    for folder in (*others, first):  # the first one last: it hides the others' second door
        part = f"{first}/{folder.replace('/', '_')}"
        os.mkdir(part, 0o700)
        _checked(_libc.mount(part.encode(), folder.encode(), None, _MS_BIND, None), f"mount {folder}")
    for path, opened in kept:
        os.makedirs(path, 0o700, exist_ok=True)
        old = f"/proc/self/fd/{opened}".encode()
        _checked(_libc.mount(old, path.encode(), None, _MS_BIND | _MS_REC, None), f"mount {path}")
        os.close(opened)


def show_to_children() -> None:
    """Undo `hide_from_children`."""
    _libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)


def hide_from_children() -> None:
    """Nobody of the same user may look into this process."""
    _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def lock(writable: tuple[str, ...], rights: Rights) -> None:
    """Give up all that a submission does not need; there is no way back. OSError if a step is refused."""
    memory = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    for name, most in (
        (resource.RLIMIT_AS, memory + rights.memory_bytes),
        (resource.RLIMIT_FSIZE, rights.file_bytes),
        (resource.RLIMIT_NPROC, rights.processes),
        (resource.RLIMIT_CPU, rights.cpu_s),
        (resource.RLIMIT_NOFILE, 512),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ):
        resource.setrlimit(name, (most, most))
    for capability in range(64):
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    none = ctypes.create_string_buffer(24)  # no capability at all
    header = ctypes.create_string_buffer(struct.pack("Ii", 0x20080522, 0))
    _checked(_libc.capset(header, none), "capset")
    _checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    _landlock(writable, rights)
    syscalls.refuse(_libc)


def _landlock(writable: tuple[str, ...], rights: Rights) -> None:
    """Files outside the folders given cannot be opened, whatever is mounted; no signal leaves, no socket connects.

    Kernels before 5.13 have no Landlock; there the mounts alone must do, and they do.
    """
    version = _libc.syscall(_LANDLOCK_CREATE, None, 0, 1)
    if version < 1:
        return
    every = _EVERYTHING | (1 << 13 if version >= 2 else 0)  # from version 2 on: moving files between folders
    attributes = struct.pack("QQQ", every, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = _libc.syscall(_LANDLOCK_CREATE, attributes, size, 0)
    if ruleset < 0:
        _checked(ruleset, "landlock")
    system = ("/usr", "/lib", "/lib64", "/bin", "/etc", "/proc", "/sys", "/dev/fd")
    for path in (*system, *rights.readable):
        _allow(ruleset, path, _READ)
    for path in _DEVICES:
        _allow(ruleset, path, 0b110)  # write and read a file
    for path in writable:
        _allow(ruleset, path, every)
    _checked(_libc.syscall(_LANDLOCK_RESTRICT, ruleset, 0), "landlock")
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        opened = os.open(path, os.O_PATH)
    except FileNotFoundError:
        return
    if not os.path.isdir(path):
        rights &= 0b111  # a file has no folder's rights
    _checked(_libc.syscall(_LANDLOCK_ADD, ruleset, 1, struct.pack("=Qi", rights, opened), 0), f"landlock {path}")
    os.close(opened)
