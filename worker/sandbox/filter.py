"""The system-call filter of a run: what is not named here is refused.

The lists were found by running a mixed work load of torch under ever tighter filters (docs/sandbox.md). Names of calls
that an architecture does not have are skipped by libseccomp.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
import tempfile
from functools import cache

from worker.sandbox import kernel
from worker.sandbox.job import SandboxError


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ALLOWED = _names(
    "read readv pread64 write writev pwrite64 lseek close dup dup2 dup3 fstat newfstatat stat lstat statx access "
    "faccessat faccessat2 readlink readlinkat openat open getcwd getdents64 chdir ftruncate unlink unlinkat mkdir "
    "mkdirat rmdir rename renameat renameat2 umask pipe pipe2 brk mmap munmap mremap madvise mprotect futex "
    "set_robust_list get_robust_list rseq set_tid_address gettid getpid getppid getuid geteuid getgid getegid getpgrp "
    "getgroups rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack rt_sigtimedwait tgkill clock_gettime clock_getres "
    "clock_nanosleep nanosleep gettimeofday time times getrusage sched_yield sched_getaffinity getcpu getrandom uname "
    "sysinfo getrlimit poll ppoll select pselect6 epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd2 "
    "restart_syscall exit exit_group alarm setitimer getitimer pause"
)
# Keyrings are not among them: who asks for one is told EPERM, as engines of containers do, and learns nothing.
NEVER_LEGITIMATE = _names(
    "ptrace process_vm_readv process_vm_writev kcmp mount umount2 pivot_root chroot "
    "move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr unshare setns bpf perf_event_open userfaultfd "
    "init_module finit_module delete_module kexec_load kexec_file_load name_to_handle_at open_by_handle_at"
)
NOT_IMPLEMENTED = ("clone3", "io_uring_setup", "io_uring_enter", "io_uring_register")
NO_SUCH_FAMILY = ("socket",)

# Source: asm-generic/ioctls.h; the four that temporary files, asyncio and isatty need.
_IOCTL_REQUESTS = (0x5401, 0x541B, 0x5451, 0x5421)  # TCGETS, FIONREAD, FIOCLEX, FIONBIO
# Source: asm-generic/fcntl.h: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC.
_FCNTL_COMMANDS = (0, 1, 2, 3, 4, 1030)
_PRCTL_OPTIONS = (15, 16)  # PR_SET_NAME, PR_GET_NAME
_CLONE_THREAD = 0x0001_0000
_CLONE_NAMESPACES = sum(kernel.Namespace) | 0x0000_0080  # and CLONE_NEWTIME
_AF_UNIX = 1
# Source: seccomp_attr_set(3) (libseccomp 2.5).
_AS_TREE = 2

# Source: linux/filter.h, linux/seccomp.h and linux/audit.h; numbers of `ioctl` from asm/unistd.h.
_LOAD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06
_OFFSET_NUMBER, _OFFSET_ARCHITECTURE, _OFFSET_SECOND_ARGUMENT = 0, 4, 24
_RETURN_ALLOW, _RETURN_ERROR = 0x7FFF_0000, 0x0005_0000
_IOCTL_NUMBERS = {"x86_64": (0xC000_003E, 16), "aarch64": (0xC000_00B7, 29)}


class FilterUnavailableError(SandboxError):
    """This machine has no libseccomp, or cannot build the filter."""


@cache
def compiled_filter() -> bytes:
    """The filter as a program for `kernel.load_filter`.

    Raises:
        FilterUnavailableError: no libseccomp here, or it refused a rule.
    """
    try:
        import pyseccomp as seccomp  # noqa: PLC0415  (fails where there is no libseccomp, e.g. on macOS)
    except (ImportError, OSError, RuntimeError) as error:
        raise FilterUnavailableError(f"libseccomp cannot be loaded: {error}") from error
    rules = seccomp.SyscallFilter(defaction=seccomp.ERRNO(errno.EPERM))
    rules.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    # A tree of comparisons in place of a row: the kernel goes through it for each number there is when a run loads it.
    rules.set_attr(seccomp.Attr.CTL_OPTIMIZE, _AS_TREE)
    for action, names in (
        (seccomp.ALLOW, ALLOWED),
        (seccomp.KILL_PROCESS, NEVER_LEGITIMATE),
        (seccomp.ERRNO(errno.ENOSYS), NOT_IMPLEMENTED),
        (seccomp.ERRNO(errno.EAFNOSUPPORT), NO_SUCH_FAMILY),
    ):
        for name in names:
            rules.add_rule(action, name)
    _add_argument_rules(seccomp, rules)
    return ioctl_rule(platform.machine()) + _exported(rules)


def ioctl_rule(machine: str) -> bytes:
    """Instructions before all others: other requests of `ioctl` answer "not a terminal", as any plain file does.

    By hand, since a rule of libseccomp cannot compare one argument with several values. Empty for a machine whose
    numbers are not known here: there they answer EPERM. Needs a little-endian machine, as both known ones are.
    """
    if machine not in _IOCTL_NUMBERS:
        return b""
    architecture, number = _IOCTL_NUMBERS[machine]
    count = len(_IOCTL_REQUESTS)
    instructions = [
        (_LOAD, 0, 0, _OFFSET_ARCHITECTURE),
        (_JUMP_EQUAL, 0, count + 5, architecture),
        (_LOAD, 0, 0, _OFFSET_NUMBER),
        (_JUMP_EQUAL, 0, count + 3, number),
        (_LOAD, 0, 0, _OFFSET_SECOND_ARGUMENT),
        *((_JUMP_EQUAL, count - place, 0, request) for place, request in enumerate(_IOCTL_REQUESTS)),
        (_RETURN, 0, 0, _RETURN_ERROR | errno.ENOTTY),
        (_RETURN, 0, 0, _RETURN_ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)


def _add_argument_rules(seccomp: object, rules: object) -> None:
    """Calls that are allowed with certain arguments only; 32-bit arguments are compared by their low half."""
    low_half = 0xFFFF_FFFF
    arg, allow, equal = seccomp.Arg, seccomp.ALLOW, seccomp.MASKED_EQ  # type: ignore[attr-defined]
    add = rules.add_rule  # type: ignore[attr-defined]
    for request in _IOCTL_REQUESTS:
        add(allow, "ioctl", arg(1, equal, low_half, request))
    for command in _FCNTL_COMMANDS:
        add(allow, "fcntl", arg(1, equal, low_half, command))
    for option in _PRCTL_OPTIONS:
        add(allow, "prctl", arg(0, equal, low_half, option))
    add(allow, "clone", arg(0, equal, _CLONE_THREAD | _CLONE_NAMESPACES, _CLONE_THREAD))
    add(allow, "socketpair", arg(0, equal, low_half, _AF_UNIX))
    # Reading its own limits: pid 0 and no new value. Others' limits and changes stay refused.
    add(allow, "prlimit64", arg(0, equal, low_half, 0), arg(2, seccomp.EQ, 0))  # type: ignore[attr-defined]


def _exported(rules: object) -> bytes:
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)  # type: ignore[attr-defined]
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        return file.read()
