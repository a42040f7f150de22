"""The Linux calls that Python 3.11 does not offer, each as one function that raises `OSError`.

Source of the numbers: linux/sched.h, linux/mount.h, linux/prctl.h, linux/capability.h, linux/seccomp.h (Linux 6.18).
Importing this module works on every system; calling does not.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import sys
from collections.abc import Callable
from enum import IntFlag
from functools import cache

IS_LINUX = sys.platform == "linux"
_MACHINE = platform.machine()
_libc = ctypes.CDLL(None, use_errno=True)
# The same, keeping the interpreter's lock over a call: a copy of this process must have it too.
_locked_libc = ctypes.PyDLL(None, use_errno=True)


class Namespace(IntFlag):
    """Kinds of namespace, as `unshare` and `setns` take them."""

    MOUNT = 0x0002_0000
    CGROUP = 0x0200_0000
    UTS = 0x0400_0000
    IPC = 0x0800_0000
    USER = 0x1000_0000
    PID = 0x2000_0000
    NET = 0x4000_0000


class Capability(IntFlag):
    """Those that maker and template keep, as bits of a set."""

    DAC_OVERRIDE = 1 << 1
    KILL = 1 << 5
    SETGID = 1 << 6
    SETUID = 1 << 7
    SYS_CHROOT = 1 << 18
    SYS_PTRACE = 1 << 19
    SYS_ADMIN = 1 << 21
    SETFCAP = 1 << 31


class Mount(IntFlag):
    """Flags of `mount` and `umount2`."""

    READ_ONLY = 1
    NO_SUID = 2
    NO_DEV = 4
    NO_EXEC = 8
    BIND = 4096
    RECURSIVE = 16384
    PRIVATE = 1 << 18


DETACH = 2
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_SYS_MOUNT_SETATTR = 442
_SYS_CLOSE_RANGE = 436
_SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_SYS_CLONE = {"x86_64": 56, "aarch64": 220}
_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_NAME = 15
_PR_SET_SECCOMP = 22
_PR_CAPBSET_READ = 23
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_SECCOMP_MODE_FILTER = 2
# Source: linux/mman.h (the second: Linux 6.1).
_MADV_DONTNEED, _MADV_COLLAPSE = 4, 25
_CAPABILITY_VERSION_3 = 0x2008_0522
_BPF_INSTRUCTION_BYTES = 8


class _MountAttributes(ctypes.Structure):
    _fields_ = (
        ("attr_set", ctypes.c_uint64),
        ("attr_clr", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("userns_fd", ctypes.c_uint64),
    )


# Source: capset(2). Named, so that the types are made once, not in each run.
_CapabilityHeader, _CapabilitySets = ctypes.c_uint32 * 2, ctypes.c_uint32 * 6


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def _check(result: int, call: str, detail: object = None) -> None:
    """Raise what the call said; `detail` becomes text only then: to name a set of flags takes longer than the call."""
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, f"{call}: {os.strerror(code)}", None if detail is None else str(detail))


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else os.fsencode(text)


def fork() -> int:
    """Fork: 0 in the child, its number here.

    Only for a process of one thread: what Python's modules do after a fork for the sake of others is left out.
    """
    pid = _locked_libc.fork()
    _check(pid, "fork")
    return int(pid)


def fork_into(kinds: Namespace) -> int:
    """Fork as `fork` does, the child into fresh namespaces; what libraries do after a fork is left out too."""
    number = _number(_SYS_CLONE, "clone")
    flags = ctypes.c_ulong(int(kinds) | int(signal.SIGCHLD))
    pid = _locked_libc.syscall(ctypes.c_long(number), flags, *[ctypes.c_void_p()] * 4)
    _check(pid, "clone", kinds)
    return int(pid)


def _number(numbers: dict[str, int], call: str) -> int:
    """The number of a system call on this machine. Raises: OSError where it is not known."""
    number = numbers.get(_MACHINE)
    if number is None:
        raise OSError(f"{call}: its number on {_MACHINE} is not known")
    return number


def unshare(kinds: Namespace) -> None:
    """Move this process into fresh namespaces (for PID: its next child)."""
    _check(_libc.unshare(ctypes.c_int(kinds)), "unshare", kinds)


def setns(descriptor: int, kinds: Namespace) -> None:
    """Join the namespaces of the process behind a pidfd (for PID: this process's next child does)."""
    _check(_libc.setns(ctypes.c_int(descriptor), ctypes.c_int(kinds)), "setns", kinds)


def mount(source: str | None, target: str, kind: str | None, flags: int = 0, *, options: str = "") -> None:
    """Mount as mount(2) does."""
    result = _libc.mount(
        _bytes(source),
        os.fsencode(target),
        _bytes(kind),
        ctypes.c_ulong(flags),
        os.fsencode(options) if options else None,
    )
    _check(result, "mount", target)


def restrict_mount(target: str, flags: Mount, *, recursive: bool = True) -> None:
    """Add flags to a mount (and all below it), and leave those it has (Linux 5.12)."""
    attributes = _MountAttributes(attr_set=int(flags))
    result = _libc.syscall(
        ctypes.c_long(_SYS_MOUNT_SETATTR),
        ctypes.c_int(_AT_FDCWD),
        os.fsencode(target),
        ctypes.c_uint(_AT_RECURSIVE if recursive else 0),
        ctypes.byref(attributes),
        ctypes.c_size_t(ctypes.sizeof(attributes)),
    )
    _check(result, "mount_setattr", target)


def unmount(target: str) -> None:
    """Detach a mount and all below it."""
    _check(_libc.umount2(os.fsencode(target), ctypes.c_int(DETACH)), "umount2", target)


def pivot_root(new_root: str, put_old: str) -> None:
    """Make `new_root` the root of this mount namespace."""
    number = _number(_SYS_PIVOT_ROOT, "pivot_root")
    _check(_libc.syscall(ctypes.c_long(number), os.fsencode(new_root), os.fsencode(put_old)), "pivot_root", new_root)


def _prctl(option: int, value: int = 0, other: int = 0) -> None:
    _check(_prctl_of_numbers()(option, value, other, 0, 0), "prctl", option)


@cache
def _prctl_of_numbers() -> Callable[..., int]:
    """The call for numbers alone: a run makes fifty of them."""
    call = ctypes.CDLL(None, use_errno=True).prctl
    call.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    return call


def die_with_parent(signal_number: int) -> None:
    """Have the kernel send this signal when the parent ends; forgotten at a change of credentials."""
    _prctl(_PR_SET_PDEATHSIG, signal_number)


def set_dumpable(allowed: bool) -> None:
    """Allow or forbid core files and tracing by equals."""
    _prctl(_PR_SET_DUMPABLE, int(allowed))


def set_name(name: str) -> None:
    """Set the name that `ps` shows, at most 15 bytes."""
    _check(_libc.prctl(_PR_SET_NAME, name.encode()[:15], 0, 0, 0), "prctl", name)


def forbid_new_privileges() -> None:
    """From now on no exec gives more rights than this process has."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def limit_capabilities(keep: int = 0) -> None:
    """Drop all capabilities but those of the bit mask `keep`, in every set; inheritable and ambient are emptied.

    Raises: OSError when a set cannot be changed.
    """
    _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    for number in range(_last_capability() + 1):
        if not keep >> number & 1:
            _prctl(_PR_CAPBSET_DROP, number)
    header = _CapabilityHeader(_CAPABILITY_VERSION_3, 0)
    low, high = keep & 0xFFFF_FFFF, keep >> 32
    sets = _CapabilitySets(low, low, 0, high, high, 0)
    _check(_libc.capset(header, sets), "capset")


@cache
def _last_capability() -> int:
    """The highest number that this kernel knows: reading a bound beyond it fails (there may be no proc here)."""
    known = [number for number in range(64) if _libc.prctl(_PR_CAPBSET_READ, number, 0, 0, 0) != -1]
    return known[-1]


def close_from(lowest: int) -> None:
    """Close every descriptor from `lowest` on (Linux 5.9)."""
    result = _libc.syscall(
        ctypes.c_long(_SYS_CLOSE_RANGE), ctypes.c_uint(lowest), ctypes.c_uint(0xFFFF_FFFF), ctypes.c_uint(0)
    )
    _check(result, "close_range")


def collapse(address: int, size: int) -> bool:
    """Whether these bytes of this process now lie in huge pages."""
    return bool(_libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), ctypes.c_int(_MADV_COLLAPSE)) == 0)


def forget_file_pages(address: int, size: int) -> bool:
    """Whether these bytes are mapped in no more, until they are needed. What is no file's would be lost."""
    return bool(_libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), ctypes.c_int(_MADV_DONTNEED)) == 0)


def load_filter(program: bytes) -> None:
    """Load a compiled system-call filter for this thread and its children. Needs `forbid_new_privileges`."""
    compiled = _FilterProgram(len(program) // _BPF_INSTRUCTION_BYTES, program)
    pointer = ctypes.byref(compiled)
    _check(
        _libc.prctl(ctypes.c_int(_PR_SET_SECCOMP), ctypes.c_ulong(_SECCOMP_MODE_FILTER), pointer, 0, 0),
        "prctl",
        "filter",
    )
