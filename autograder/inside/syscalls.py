"""System calls that a submission has no use for, refused by the kernel (seccomp). Linux on x86-64 and 64-bit ARM.

Namespaces and Landlock already shut files, processes and the network. What they leave, and this shuts: new namespaces,
in which a process has every capability again; sockets that no network namespace holds (AF_VSOCK reaches a virtual
machine's host) or that only widen the kernel's face; the keys of whoever grades; memory that no limit counts (memfd,
System V segments); other processes' memory; io_uring, bpf, perf and userfaultfd, with which kernels were broken.

A refused call fails with EPERM, as it does in a container. Other machines have no filter: `refuse` does nothing there.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_REFUSED = {  # name: (number on x86-64, number on 64-bit ARM)
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "fanotify_init": (300, 262),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "msgget": (68, 186),
    "semget": (64, 190), "mq_open": (240, 180),
}  # fmt: skip
_CLONE, _CLONE3, _SOCKET = (56, 220), (435, 435), (41, 198)
_NEW_NAMESPACES = 0x7E020000  # the flags of clone that make one
_FAMILIES = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6
_FOREIGN_NUMBERS = 0x40000000  # from here on: x32's

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # BPF's instructions
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # where the kernel puts them
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


def program(machine: str) -> bytes:
    """The filter, in BPF; b"" where we do not know the numbers."""
    if machine not in _ARCHITECTURES:
        return b""
    column = list(_ARCHITECTURES).index(machine)
    steps = [_step(_LOAD, _ARCHITECTURE), _step(_EQUAL, _ARCHITECTURES[machine], 1), _step(_RETURN, _KILL)]
    steps += [_step(_LOAD, _NUMBER)]
    steps += [_step(_AT_LEAST, _FOREIGN_NUMBERS, 0, 1), _step(_RETURN, _FAIL | errno.ENOSYS)]
    for numbers in _REFUSED.values():
        steps += [_step(_EQUAL, numbers[column], 0, 1), _step(_RETURN, _FAIL | errno.EPERM)]
    # The C library falls back to clone, whose flags can be read here; clone3's lie in memory.
    steps += [_step(_EQUAL, _CLONE3[column], 0, 1), _step(_RETURN, _FAIL | errno.ENOSYS)]
    steps += [_step(_EQUAL, _CLONE[column], 0, 4), _step(_LOAD, _FIRST_ARGUMENT)]
    steps += [_step(_ANY_BIT, _NEW_NAMESPACES, 0, 1), _step(_RETURN, _FAIL | errno.EPERM), _step(_RETURN, _ALLOW)]
    steps += [_step(_EQUAL, _SOCKET[column], 0, 2 + len(_FAMILIES)), _step(_LOAD, _FIRST_ARGUMENT)]
    for index, family in enumerate(_FAMILIES):
        steps.append(_step(_EQUAL, family, len(_FAMILIES) - index))
    return b"".join([*steps, _step(_RETURN, _FAIL | errno.EAFNOSUPPORT), _step(_RETURN, _ALLOW)])


_PROGRAM = program(os.uname().machine)


def refuse(libc: ctypes.CDLL) -> None:
    """From now on these calls fail, here and in every process that comes from here. Needs no_new_privs."""
    if not _PROGRAM:
        return
    held = ctypes.create_string_buffer(_PROGRAM, len(_PROGRAM))
    header = struct.pack("HxxxxxxP", len(_PROGRAM) // 8, ctypes.addressof(held))
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.create_string_buffer(header, len(header)), 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {os.strerror(number)}")
