"""What makes a container, seen from inside: the root that its first process builds, and how a run enters it.

The order is that of docs/sandbox.md; each step is a function so that a failure names its layer.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import stat
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from worker.sandbox import kernel, processes
from worker.sandbox.kernel import Mount, Namespace

STAGING = "/proc"  # every system has it, and the new root hides it from nobody: the mounts are this container's own
SCRATCH = "/tmp"  # noqa: S108  (inside the container, a file system of its own)
INSIDE_ID = 1000
DESCRIPTORS = 64
COMMANDS, RESULTS = 3, 4
KEPT_DESCRIPTORS = (0, 1, 2, COMMANDS, RESULTS)
HOST_NAME = "sandbox"
ENTERED = Namespace.MOUNT | Namespace.NET | Namespace.IPC | Namespace.UTS | Namespace.CGROUP
_DEVICES = ("null", "zero", "random", "urandom")
_ROOT_OPTIONS = "size=1m,nr_inodes=1024,mode=755"
_RESTRICTED = Mount.READ_ONLY | Mount.NO_SUID | Mount.NO_DEV
_LIBRARY_FOLDERS = ("/lib", "/lib64", "/usr/lib64")
_LINKS = ("/lib", "/lib64")
_FILES = ("/etc/ld.so.cache", "/usr/share/zoneinfo")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scratch:
    """How much a run may write."""

    size_bytes: int
    inodes: int


def read_only_paths(search_path: list[str], *, project: Path) -> list[str]:
    """What a run may read: standard library, packages, shared libraries; never the project itself.

    Each path is real (no links in it), exists, and lies below no other of the list.
    """
    folders = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *search_path]
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    folders += [f"{parent}/{multiarch}" for parent in ("/lib", "/usr/lib") if multiarch]
    folders += [folder for folder in _LIBRARY_FOLDERS if folder != "/lib"]
    folders += _shared_interpreter() + list(_FILES)
    real = {os.path.realpath(folder) for folder in folders if folder and os.path.exists(folder)}
    kept = real - {"/", os.path.realpath(project)}
    return sorted(path for path in kept if not any(_is_below(path, other) for other in kept))


def _shared_interpreter() -> list[str]:
    name = sysconfig.get_config_var("INSTSONAME") or ""
    return [f"{sys.base_prefix}/lib/{name}"] if ".so" in name else []


def _is_below(path: str, other: str) -> bool:
    return path != other and Path(path).is_relative_to(other)


def build_root(paths: list[str], scratch: Scratch) -> None:
    """Give this process new namespaces and a read-only root that holds `paths`, four devices and the scratch.

    Raises: OSError naming the call that failed.
    """
    kernel.unshare(ENTERED)
    socket.sethostname(HOST_NAME)
    kernel.mount(None, "/", None, Mount.PRIVATE | Mount.RECURSIVE)
    kernel.mount("root", STAGING, "tmpfs", Mount.NO_SUID | Mount.NO_DEV, options=_ROOT_OPTIONS)
    os.umask(0o022)
    for path in paths:
        _bind(path, _RESTRICTED)
    for device in _DEVICES:
        _bind(f"/dev/{device}", Mount.READ_ONLY | Mount.NO_SUID | Mount.NO_EXEC)
    for link in _LINKS:
        _copy_link(link)
    _mount_scratch(scratch)
    _pivot()


def _bind(path: str, flags: Mount) -> None:
    target = STAGING + path
    if stat.S_ISDIR(os.stat(path).st_mode):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o444))
    kernel.mount(path, target, None, Mount.BIND | Mount.RECURSIVE)
    kernel.restrict_mount(target, flags)


def _copy_link(path: str) -> None:
    """Where `/lib` is a link on the machine (to `usr/lib`), make it one here."""
    if os.path.islink(path) and not os.path.lexists(STAGING + path):
        os.symlink(os.readlink(path), STAGING + path)


def _mount_scratch(scratch: Scratch) -> None:
    target = STAGING + SCRATCH
    os.makedirs(target, exist_ok=True)
    flags = Mount.NO_SUID | Mount.NO_DEV | Mount.NO_EXEC
    options = f"size={scratch.size_bytes},nr_inodes={scratch.inodes},mode=1777"
    kernel.mount("scratch", target, "tmpfs", flags, options=options)


def _pivot() -> None:
    os.chdir(STAGING)
    kernel.pivot_root(".", ".")
    # The old root now lies on top of the new one, at the same place.
    kernel.unmount(".")
    os.chdir("/")
    kernel.restrict_mount("/", _RESTRICTED, recursive=False)


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
    kernel.setns(container, Namespace.USER)
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
    """Close all but the given ones, which become 0 (`/dev/null`), 1, 2, 3 and 4; verified by count.

    Takes: the write ends of output and error, the read end of commands, the write end of results.
    """
    null = os.open("/dev/null", os.O_RDONLY)
    # First out of the way of the places that they will get, then into them.
    high = [_duplicate_above(descriptor) for descriptor in (null, *kept)]
    for place, descriptor in enumerate(high):
        os.dup2(descriptor, place, inheritable=True)
    processes.close_from(len(high))
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
    """Every open descriptor of this process, found without a proc file system, below twice the limit."""
    return [descriptor for descriptor in range(4 * DESCRIPTORS) if _is_open(descriptor)]


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def reset_process() -> None:
    """A session of its own, signals as at the start of a program, files for its owner alone."""
    os.setsid()
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        # Those that the interpreter ignores stay ignored: a full file or a closed pipe is an exception, not a death.
        if signal.getsignal(number) not in (signal.SIG_DFL, signal.SIG_IGN, None):
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.umask(0o077)


def stay_outside(folder: str) -> None:
    """With reduced isolation: no container, only a folder to work in and no way to more rights."""
    os.chdir(folder)
    if kernel.IS_LINUX:
        kernel.forbid_new_privileges()
        kernel.set_dumpable(False)
