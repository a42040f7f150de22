"""What makes a container, seen from inside: the root that its first process builds, and how a run enters it.

The order is that of docs/sandbox.md; each step is a function so that a failure names its layer.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import stat
from dataclasses import dataclass

from worker.sandbox import kernel, processes
from worker.sandbox.kernel import Mount, Namespace

STAGING = "/proc"  # every system has it, and the new root hides it from nobody: the mounts are this process's own
SCRATCH = "/tmp"  # noqa: S108  (inside the container, a file system of its own)
INSIDE_ID = 1000
DESCRIPTORS = 64
COMMANDS, RESULTS = 3, 4
KEPT_DESCRIPTORS = (0, 1, 2, COMMANDS, RESULTS)
HOST_NAME = "sandbox"
ENTERED = Namespace.MOUNT | Namespace.NET | Namespace.IPC | Namespace.UTS | Namespace.CGROUP
# Looked up and joined once: in a fork that takes longer than the call.
_USER = Namespace.USER
_SCRATCH_FLAGS = Mount.NO_SUID | Mount.NO_DEV | Mount.NO_EXEC
_DEVICES = ("null", "zero", "random", "urandom")
_ROOT_OPTIONS = "size=1m,nr_inodes=1024,mode=755"
_RESTRICTED = Mount.READ_ONLY | Mount.NO_SUID | Mount.NO_DEV
_LINKS = ("/lib", "/lib64")
# Every system has it too, and it hides nothing that the warm program needs.
_TEMPLATE_STAGING = "/sys"
# A path on the machine and its place inside.
Binds = tuple[tuple[str, str], ...]


_LOOKED_AT = 4 * DESCRIPTORS


def _look_at(numbers: range) -> select.poll:
    look = select.poll()
    for number in numbers:
        look.register(number, 0)
    return look


# Which descriptors are open is asked of many at once, of no more than a process may have.
_LOOKS = [_look_at(range(first, first + DESCRIPTORS)) for first in range(0, _LOOKED_AT, DESCRIPTORS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scratch:
    """How much a run may write."""

    size_bytes: int
    inodes: int


_TEMPLATE_SCRATCH = Scratch(size_bytes=1 << 20, inodes=64)


def prepare_root(binds: Binds) -> None:
    """Move this process into the read-only root of containers: `binds` and four devices, and no mount of the machine.

    Whoever forks from here into a mount namespace has a copy of it to complete.
    Raises: OSError naming the call that failed.
    """
    kernel.unshare(Namespace.MOUNT)
    _fill_root(binds, STAGING)
    os.makedirs(STAGING + SCRATCH, exist_ok=True)
    _pivot(STAGING)
    kernel.restrict_mount("/", _RESTRICTED, recursive=False)


def complete_root(scratch: Scratch) -> None:
    """In fresh namespaces, forked within such a root: name the host, mount the scratch.

    Raises: OSError naming the call that failed.
    """
    socket.sethostname(HOST_NAME)
    _mount_scratch(scratch, "")


def build_template_root(binds: Binds) -> None:
    """Likewise for the warm program: no network, a little scratch, and the machine's `/proc`, which it must ask.

    Raises: OSError naming the call that failed.
    """
    kernel.unshare(Namespace.MOUNT | Namespace.NET)
    _fill_root(binds, _TEMPLATE_STAGING)
    os.mkdir(_TEMPLATE_STAGING + STAGING)
    kernel.mount(STAGING, _TEMPLATE_STAGING + STAGING, None, Mount.BIND | Mount.RECURSIVE)
    os.makedirs(_TEMPLATE_STAGING + SCRATCH, exist_ok=True)
    _mount_scratch(_TEMPLATE_SCRATCH, _TEMPLATE_STAGING)
    _pivot(_TEMPLATE_STAGING)
    kernel.restrict_mount("/", _RESTRICTED, recursive=False)


def _fill_root(binds: Binds, staging: str) -> None:
    kernel.mount(None, "/", None, Mount.PRIVATE | Mount.RECURSIVE)
    kernel.mount("root", staging, "tmpfs", Mount.NO_SUID | Mount.NO_DEV, options=_ROOT_OPTIONS)
    os.umask(0o022)
    for path, place in binds:
        _bind(path, staging + place, _RESTRICTED)
    for device in _DEVICES:
        _bind(f"/dev/{device}", f"{staging}/dev/{device}", Mount.READ_ONLY | Mount.NO_SUID | Mount.NO_EXEC)
    for link in _LINKS:
        _copy_link(link, staging)


def _bind(path: str, target: str, flags: Mount) -> None:
    if stat.S_ISDIR(os.stat(path).st_mode):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o444))
    kernel.mount(path, target, None, Mount.BIND | Mount.RECURSIVE)
    kernel.restrict_mount(target, flags)


def _copy_link(path: str, staging: str) -> None:
    """Where `/lib` is a link on the machine (to `usr/lib`), make it one here."""
    if os.path.islink(path) and not os.path.lexists(staging + path):
        os.symlink(os.readlink(path), staging + path)


def _mount_scratch(scratch: Scratch, staging: str) -> None:
    options = f"size={scratch.size_bytes},nr_inodes={scratch.inodes},mode=1777"
    kernel.mount("scratch", staging + SCRATCH, "tmpfs", _SCRATCH_FLAGS, options=options)


def _pivot(staging: str) -> None:
    os.chdir(staging)
    kernel.pivot_root(".", ".")
    # The old root now lies on top of the new one, at the same place.
    kernel.unmount(".")
    os.chdir("/")


def become_inside_id() -> None:  # pragma: no cover  (for good; probe: test_isolation, sandbox_check "no rights")
    """Take the one id that the user namespace maps, then drop every capability for good."""
    os.setresgid(INSIDE_ID, INSIDE_ID, INSIDE_ID)
    os.setresuid(INSIDE_ID, INSIDE_ID, INSIDE_ID)
    kernel.limit_capabilities(0)
    kernel.forbid_new_privileges()
    kernel.set_dumpable(False)


def join_groups(entries: list[int]) -> None:
    """Move this process into the control groups behind these descriptors."""
    for entry in entries:
        os.write(entry, b"0")


def enter(container: int, *, has_groups: bool) -> None:  # pragma: no cover  (for good; probe: every job)
    """Go into all namespaces of the container behind this pidfd and become its unprivileged id.

    The pid namespace was entered by being born. `has_groups` says whether supplementary groups can be dropped: inside
    a user namespace of one id they cannot, and reach nothing there.
    """
    if has_groups:
        os.setgroups([])
    kernel.setns(container, ENTERED)
    kernel.setns(container, _USER)
    become_inside_id()
    os.chdir(SCRATCH)


def limit_resources(*, file_bytes: int) -> None:
    """The limits that the kernel keeps for a process by itself; those of a job are set from outside later."""
    fixed = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: DESCRIPTORS,
        resource.RLIMIT_FSIZE: file_bytes,
        resource.RLIMIT_MEMLOCK: 0,
    }
    if hasattr(resource, "RLIMIT_MSGQUEUE"):
        fixed[resource.RLIMIT_MSGQUEUE] = 0
    for kind, value in fixed.items():
        resource.setrlimit(kind, (value, value))


def keep_descriptors(kept: tuple[int, ...]) -> None:
    """Close all but the given ones, which become 0 (`/dev/null`), 1, 2, 3 and 4.

    Takes: the write ends of output and error, the read end of commands, the write end of results.
    """
    null = os.open("/dev/null", os.O_RDONLY)
    # First out of the way of the places that they will get, then into them.
    high = [_duplicate_above(descriptor) for descriptor in (null, *kept)]
    for place, descriptor in enumerate(high):
        os.dup2(descriptor, place, inheritable=True)
    processes.close_from(len(high))


def require_only_kept() -> None:
    """Nothing, if no other descriptor is open. Raises: OSError naming what is."""
    if open_descriptors() != list(KEPT_DESCRIPTORS):
        raise OSError(f"descriptors: expected {KEPT_DESCRIPTORS}, found {open_descriptors()}")


def _duplicate_above(descriptor: int) -> int:
    duplicates = [os.dup(descriptor)]
    while duplicates[-1] <= max(KEPT_DESCRIPTORS):
        duplicates.append(os.dup(descriptor))
    for low in duplicates[:-1]:
        os.close(low)
    return duplicates[-1]


def open_descriptors() -> list[int]:
    """Every open descriptor of this process, found without a proc file system, below four times the limit."""
    closed = {number for look in _LOOKS for number, event in look.poll(0) if event & select.POLLNVAL}
    return [number for number in range(_LOOKED_AT) if number not in closed]


def reset_process() -> None:
    """Signals as at the start of a program, files for its owner alone: for the warm program, whose runs inherit it.

    Signals that the interpreter ignores stay ignored: a full file or a closed pipe is an exception, not a death.
    """
    usual = (signal.SIG_DFL, signal.SIG_IGN, None)
    for number in signal.valid_signals():
        if signal.getsignal(number) not in usual:
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.umask(0o077)


def stay_outside(folder: str) -> None:
    """With reduced isolation: no container, only a folder to work in and no way to more rights."""
    os.chdir(folder)
    if kernel.IS_LINUX:
        # No first process of a container takes it with it, should runner and template be killed.
        kernel.die_with_parent(signal.SIGKILL)
        kernel.forbid_new_privileges()
        kernel.set_dumpable(False)
