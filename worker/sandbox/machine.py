"""What this machine and this user may do: decided once, before the runner starts anything."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from worker.sandbox import kernel
from worker.sandbox.cgroups import Groups
from worker.sandbox.filter import FilterUnavailableError, compiled_filter
from worker.sandbox.hierarchies import find_groups
from worker.sandbox.kernel import Namespace
from worker.sandbox.processes import PROC

# Ids outside what people and distributions use. A thousand for each runner: more than it can have containers.
_FIRST_ID = 700_000_000
_IDS_EACH = 1_000
_RUNNERS = 1_000_000
_LAST_ID = _FIRST_ID + _IDS_EACH * _RUNNERS
_CONTAINER_MARKS = ("/.dockerenv", "/run/.containerenv")


class Mode(StrEnum):
    """How a runner isolates."""

    ROOT = "root"
    USER = "user"
    CONTAINER = "container"
    REDUCED = "reduced"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What was found. `outer_base` is the first of this runner's own ids, where it may use more than one."""

    mode: Mode
    groups: Groups | None
    filter_program: bytes
    filter_error: str = ""
    namespace_error: str = ""
    outer_base: int | None = None
    has_groups: bool = False


def explore(*, proc: Path = PROC) -> Machine:
    """Find out what can be had; as anyone but root, this process enters a user namespace for good."""
    program, filter_error = _filter()
    if not kernel.IS_LINUX:
        error = f"{platform.system()} has no namespaces"
        return Machine(
            mode=Mode.REDUCED, groups=None, filter_program=program, filter_error=filter_error, namespace_error=error
        )
    groups = find_groups(proc=proc)
    if os.geteuid() == 0 and _maps_many(proc):
        return Machine(
            mode=Mode.ROOT,
            groups=groups,
            filter_program=program,
            filter_error=filter_error,
            outer_base=_FIRST_ID + os.getpid() % _RUNNERS * _IDS_EACH,
            has_groups=(proc / "self/setgroups").read_text().strip() == "allow",
        )
    error = _enter_user_namespace(proc)
    mode = Mode.REDUCED if error else _unprivileged_mode()
    return Machine(mode=mode, groups=groups, filter_program=program, filter_error=filter_error, namespace_error=error)


def _filter() -> tuple[bytes, str]:
    try:
        return compiled_filter(), ""
    except FilterUnavailableError as error:
        return b"", str(error)


def _maps_many(proc: Path) -> bool:
    """Whether ids up to our last one exist in this user namespace."""
    ranges = [[int(number) for number in line.split()] for line in (proc / "self/uid_map").read_text().splitlines()]
    return any(inside <= _FIRST_ID and inside + count > _LAST_ID for inside, _, count in ranges)


def _unprivileged_mode() -> Mode:
    return Mode.CONTAINER if any(os.path.exists(mark) for mark in _CONTAINER_MARKS) else Mode.USER


def _enter_user_namespace(proc: Path) -> str:
    """Become root over one's own id alone. Gives back what stood in the way, or nothing."""
    uid, gid = os.geteuid(), os.getegid()
    try:
        kernel.unshare(Namespace.USER)
        (proc / "self/setgroups").write_text("deny")
        (proc / "self/uid_map").write_text(f"0 {uid} 1")
        (proc / "self/gid_map").write_text(f"0 {gid} 1")
    except OSError as error:
        return str(error)
    return ""
