"""What lies where for a run: interpreter and packages under names that tell nothing of the machine.

Standard library and interpreter go to `/python` as they lie below their prefix, every other folder of the search path
to `/python/packages/<number>`. Shared libraries of the system stay where they are: the loader looks for them there.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import sysconfig
from dataclasses import asdict, dataclass
from pathlib import Path

from worker.sandbox.environment import MAKER_ENVIRONMENT
from worker.sandbox.launch import PROJECT

log = logging.getLogger(__name__)

PYTHON = "/python"
SERVICE = "/service"
_SYSTEM_FOLDERS = ("/lib64", "/usr/lib64")
_SYSTEM_FILES = ("/etc/ld.so.cache", "/usr/share/zoneinfo")
_OWN_PARTS = ("worker/__init__.py", "worker/sandbox")
_CHECK_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Pairs of a path on the machine and its place inside, all read-only.

    `executable` and `packages` (the search path but for the standard library) are places inside. Without an executable
    everything lies where it lies on the machine.
    """

    binds: tuple[tuple[str, str], ...]
    packages: tuple[str, ...] = ()
    executable: str = ""

    def to_json(self) -> str:
        """For `read_layout`."""
        return json.dumps(asdict(self))

    def with_service(self) -> Layout:
        """What the warm program needs besides: the modules of the sandbox themselves."""
        own = tuple((str(PROJECT / part), f"{SERVICE}/{part}") for part in _OWN_PARTS)
        return Layout(binds=self.binds + own, packages=self.packages, executable=self.executable)


def read_layout(text: str) -> Layout:
    """The layout that `to_json` wrote."""
    data = json.loads(text)
    binds = tuple((source, target) for source, target in data["binds"])
    return Layout(binds=binds, packages=tuple(data["packages"]), executable=data["executable"])


def choose_layout(search_path: list[str]) -> Layout:
    """The neutral layout where the interpreter starts from it, else the machine's own."""
    neutral = neutral_layout(search_path)
    command = [sys.executable, "-s", "-m", "worker.sandbox.entrance", neutral.with_service().to_json()]
    done = subprocess.run(
        command, cwd=PROJECT, env=MAKER_ENVIRONMENT, capture_output=True, text=True, timeout=_CHECK_SECONDS, check=False
    )
    if done.returncode == 0:
        return neutral
    log.warning("runs see packages at the paths of this machine: %s", done.stderr.strip()[-500:])
    return machines_layout(search_path)


def machines_layout(search_path: list[str]) -> Layout:
    """Everything where it lies on the machine."""
    library, folders = sysconfig.get_path("stdlib"), [folder for folder, _ in _placed(search_path)]
    shared = [source for source, _ in _shared_interpreter()]
    return Layout(binds=_outermost({path: path for path in _real([library, *folders, *shared, *_system_paths()])}))


def neutral_layout(search_path: list[str]) -> Layout:
    """Interpreter, standard library and packages under neutral names; never the project itself."""
    executable = os.path.realpath(sys.executable)
    inside = f"{PYTHON}/bin/{os.path.basename(executable)}"
    library = os.path.realpath(sysconfig.get_path("stdlib"))
    placed = _placed(search_path)
    places = {path: path for path in _real(_system_paths())}
    places |= {executable: inside, library: _below_prefix(library), **dict(_shared_interpreter()), **dict(placed)}
    packages = tuple(place for folder, place in placed if folder != library and _is_packages(folder))
    return Layout(binds=_outermost(places), packages=packages, executable=inside)


def _is_packages(folder: str) -> bool:
    """Whether the interpreter does not find this folder below its standard library by itself."""
    return os.path.basename(folder) != "lib-dynload"


def _below_prefix(path: str) -> str:
    return f"{PYTHON}/{os.path.relpath(path, os.path.realpath(sys.base_prefix))}"


def _placed(search_path: list[str]) -> list[tuple[str, str]]:
    """Real path and place inside of each folder of the search path, but for the project."""
    library = Path(os.path.realpath(sysconfig.get_path("stdlib")))
    project = os.path.realpath(PROJECT)
    found: dict[str, str] = {}
    for folder in _real(search_path):
        if folder in ("/", project):
            continue
        is_librarys = Path(folder).is_relative_to(library) or not _is_packages(folder)
        found[folder] = _below_prefix(folder) if is_librarys else f"{PYTHON}/packages/{len(found)}"
    return list(found.items())


def _system_paths() -> list[str]:
    multiarch = sysconfig.get_config_var("MULTIARCH")
    folders = [f"{parent}/{multiarch}" for parent in ("/lib", "/usr/lib") if multiarch]
    return [*folders, *_SYSTEM_FOLDERS, *_SYSTEM_FILES]


def _shared_interpreter() -> list[tuple[str, str]]:
    """The interpreter's own library, where it is one, and its place."""
    name = sysconfig.get_config_var("INSTSONAME") or ""
    path = os.path.realpath(f"{sys.base_prefix}/lib/{name}")
    return [(path, f"{PYTHON}/lib/{name}")] if ".so" in name and os.path.exists(path) else []


def _real(paths: list[str]) -> list[str]:
    return list(dict.fromkeys(os.path.realpath(path) for path in paths if path and os.path.exists(path)))


def _outermost(places: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Without what comes along with a folder above it, sorted by place."""
    kept = [
        (source, place)
        for source, place in places.items()
        if not any(
            Path(source).is_relative_to(other) and place == above + source[len(other) :]
            for other, above in places.items()
            if other != source
        )
    ]
    return tuple(sorted(kept, key=lambda pair: pair[1]))
