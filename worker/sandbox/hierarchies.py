"""Where a runner makes its control groups: found in what is mounted, and swept of what killed runners left.

A runner owns one folder of groups, `quizsite-<pid>-<start time>-<number>`; so two runners never meet, and what a killed
runner left can be told from what lives.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from worker.sandbox.cgroups import Groups, GroupsV1, GroupsV2, read_file, remove_group, write_file
from worker.sandbox.processes import PROC

PREFIX = "quizsite-"
_V1_CONTROLLERS = ("memory", "pids", "cpuacct", "freezer")
_V2_CONTROLLERS = ("memory", "pids", "cpu")
_serial = itertools.count(1)


def find_groups(*, proc: Path = PROC) -> Groups | None:
    """Groups of this process's own, below the group it is in; None where the machine lets it make none."""
    mounts, places = _hierarchies(proc), _own_places(proc)
    name = f"{PREFIX}{os.getpid()}-{start_time(os.getpid(), proc=proc)}-{next(_serial)}"
    return _find_v1(mounts, places, name) or _find_v2(mounts, places, name)


def start_time(pid: int, *, proc: Path = PROC) -> int:
    """When a process started, in clock ticks since boot; 0 when there is none."""
    try:
        # Bytes: a process gives itself what name it likes.
        stat = (proc / str(pid) / "stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(stat.rpartition(b")")[2].split()[19])


def _hierarchies(proc: Path) -> dict[str, tuple[str, Path]]:
    """Controller (or "" for version 2) → root shown and folder of its mount."""
    found: dict[str, tuple[str, Path]] = {}
    for line in (proc / "self" / "mountinfo").read_text().splitlines():
        fields, _, kind_fields = line.partition(" - ")
        root, folder = fields.split()[3:5]
        kind, _, options = kind_fields.split()[:3]
        if kind == "cgroup2":
            found.setdefault("", (root, Path(folder)))
        elif kind == "cgroup":
            for option in options.split(","):
                found.setdefault(option, (root, Path(folder)))
    return found


def _own_places(proc: Path) -> dict[str, str]:
    places: dict[str, str] = {}
    for line in (proc / "self" / "cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            places[controller] = path
    return places


def _folder_of(mounts: dict[str, tuple[str, Path]], places: dict[str, str], controller: str) -> Path | None:
    """The folder of the group this process is in, or the mount itself where the group lies outside what is mounted."""
    if controller not in mounts or controller not in places:
        return None
    root, folder = mounts[controller]
    own = folder / os.path.relpath(places[controller], root)
    return own if own.is_dir() and ".." not in own.parts else folder


def _find_v1(mounts: dict[str, tuple[str, Path]], places: dict[str, str], name: str) -> GroupsV1 | None:
    parents = {controller: _folder_of(mounts, places, controller) for controller in _V1_CONTROLLERS}
    bases = {controller: parent / name for controller, parent in parents.items() if parent is not None}
    if len(bases) < len(_V1_CONTROLLERS):
        return None
    for base in bases.values():
        sweep(base.parent)
    return GroupsV1(bases) if _make_folders(list(bases.values())) else None


def _make_folders(folders: list[Path]) -> bool:
    made: list[Path] = []
    try:
        for folder in folders:
            folder.mkdir()
            made.append(folder)
    except OSError:
        for folder in made:
            folder.rmdir()
        return False
    return True


def _find_v2(mounts: dict[str, tuple[str, Path]], places: dict[str, str], name: str) -> GroupsV2 | None:
    parent = _folder_of(mounts, places, "")
    if parent is None:
        return None
    sweep(parent)
    base = parent / name
    if not _make_folders([base]):
        return None
    if _delegate(parent) and _delegate(base):
        return GroupsV2(base)
    base.rmdir()
    return None


def _delegate(folder: Path) -> bool:
    """Whether the groups below `folder` may use our controllers; moves this process aside where it stands in the way.

    Only a group without processes may hand its controllers down. So a runner that is alone in its group moves into a
    leaf of it; where others are in it too, groups cannot be had.
    """
    wanted = " ".join(f"+{controller}" for controller in _V2_CONTROLLERS)
    try:
        if set(_V2_CONTROLLERS) <= set(read_file(folder / "cgroup.subtree_control").split()):
            return True
        members = read_file(folder / "cgroup.procs").split()
        if members == [str(os.getpid())]:
            leaf = folder / f"{PREFIX}supervisor"
            leaf.mkdir(exist_ok=True)
            write_file(leaf / "cgroup.procs", "0")
        write_file(folder / "cgroup.subtree_control", wanted)
    except OSError:
        return False
    return True


def sweep(parent: Path) -> None:
    """Remove the empty groups of runners that are no more: those whose process is gone, or is another by now.

    Nothing is killed here: a runner of another pid namespace may look dead from here.
    """
    for folder in parent.glob(f"{PREFIX}*-*"):
        pid, started, *_ = folder.name.removeprefix(PREFIX).split("-")
        if pid.isdecimal() and started.isdecimal() and start_time(int(pid)) != int(started):
            for group in (*(path for path in folder.iterdir() if path.is_dir()), folder):
                remove_group(group)
