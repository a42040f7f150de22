"""How tight the sandbox is on this machine: every layer tried on a real container, judged, with the remedy."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from worker.sandbox.environment import TEMPLATE_ENVIRONMENT
from worker.sandbox.isolation import KEPT_DESCRIPTORS
from worker.sandbox.job import SandboxError
from worker.sandbox.machine import Machine, Mode
from worker.sandbox.probes import DONE
from worker.sandbox.processes import PROC

NAMESPACES = ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup")
_NAMESPACE_REMEDY = (
    "Let the runner make namespaces: on Ubuntu 24.04 and later "
    "`sysctl kernel.apparmor_restrict_unprivileged_userns=0` or an AppArmor profile with `userns,`; on Debian and "
    "RHEL-like hosts `sysctl user.max_user_namespaces=15000`; in a container the seccomp profile of docs/sandbox.md."
)
_GROUP_REMEDY = (
    "Start the runner as root, or under systemd with `Delegate=yes`, so that it may make control groups; until then a "
    "watchdog counts instead."
)
_FILTER_REMEDY = "Install libseccomp (Debian: `libseccomp2`) and a kernel with CONFIG_SECCOMP_FILTER."
_FAULT_REMEDY = "This should not happen: please report it with the output of `sandbox_check --json`."


class State(StrEnum):
    """How a layer is."""

    TIGHT = "tight"
    SUBSTITUTED = "substituted"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer of isolation as found; `remedy` is for one that is not tight."""

    name: str
    state: State
    detail: str
    remedy: str = ""
    required: bool = True

    @property
    def is_in_the_way(self) -> bool:
        """Whether no student's code may run like this."""
        return self.required and self.state == State.OPEN


class OpenLayerError(SandboxError):
    """A required layer is open: the runner must not serve."""

    def __init__(self, layers: list[Layer]) -> None:
        self.layers = layers
        lines = [f"{layer.name}: open ({layer.detail}). {layer.remedy}" for layer in layers if layer.is_in_the_way]
        super().__init__("The sandbox is not tight on this machine.\n" + "\n".join(lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What was seen of a probe run: from outside in its proc entry, from inside by trying, and at its end."""

    namespaces: dict[str, bool]
    status: dict[str, str]
    root_options: str
    descriptors: list[int]
    joined_group: bool
    attempts: dict[str, str]
    environment: list[str]
    end_signal: int = 0
    uid: int = 0
    limits: dict[str, str] = field(default_factory=dict)


def look_at(pid: int, said: bytes, *, joined_group: bool, proc: Path = PROC) -> Findings:
    """What the proc entry of a living probe run shows, together with what it said of its attempts.

    Raises: SandboxError when it did not say it in full.
    """
    folder = proc / str(pid)
    try:
        spoken = json.loads(said)
    except ValueError as error:
        raise SandboxError(f"the probe run said {said[:200]!r}") from error
    status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
    status = {name: value.strip() for name, value in status.items()}
    return Findings(
        namespaces={name: _differs(folder / "ns" / name, proc / "self/ns" / name) for name in NAMESPACES},
        status=status,
        root_options=_root_options((folder / "mountinfo").read_text()),
        descriptors=sorted(int(name) for name in os.listdir(folder / "fd")),
        joined_group=joined_group,
        attempts=spoken["attempts"],
        environment=spoken["environment"],
        uid=int(status["Uid"].split()[0]),
        limits=_limits((folder / "limits").read_text()),
    )


def _differs(one: Path, other: Path) -> bool:
    return os.readlink(one) != os.readlink(other)


def _root_options(mountinfo: str) -> str:
    roots = [line.split()[5] for line in mountinfo.splitlines() if line.split()[4] == "/"]
    return roots[-1] if roots else ""


def _limits(text: str) -> dict[str, str]:
    return {line[:26].strip(): line[26:47].strip() for line in text.splitlines()[1:]}


def judge(findings: Findings, machine: Machine) -> list[Layer]:
    """Every layer of the table in docs/sandbox.md, in its order."""
    return [
        _namespaces(findings),
        _root(findings),
        _network(findings),
        _processes(findings),
        _rights(findings),
        _descriptors(findings),
        _filter(findings, machine),
        _scratch(findings),
        _own_id(findings, machine),
        _groups(findings, machine),
        _environment(findings),
    ]


def _layer(name: str, is_tight: bool, detail: str, remedy: str) -> Layer:
    state = State.TIGHT if is_tight else State.OPEN
    return Layer(name=name, state=state, detail=detail, remedy="" if is_tight else remedy)


def _namespaces(findings: Findings) -> Layer:
    shared = [name for name, differs in findings.namespaces.items() if not differs]
    detail = f"shared with the machine: {', '.join(shared)}" if shared else "own " + ", ".join(NAMESPACES)
    return _layer("namespaces", not shared, detail, _NAMESPACE_REMEDY)


def _root(findings: Findings) -> Layer:
    tried = {name: findings.attempts.get(name, "not tried") for name in ("write_root", "write_outside")}
    is_tight = DONE not in tried.values() and "ro" in findings.root_options.split(",")
    return _layer("read-only root", is_tight, f"root {findings.root_options}; {_words(tried)}", _NAMESPACE_REMEDY)


def _network(findings: Findings) -> Layer:
    tried = findings.attempts.get("open_socket", "not tried")
    is_tight = findings.namespaces.get("net", False) and tried != DONE
    return _layer("no network", is_tight, f"open_socket {tried}", _NAMESPACE_REMEDY)


def _processes(findings: Findings) -> Layer:
    tried = {
        name: findings.attempts.get(name, "not tried") for name in ("see_processes", "signal_init", "start_process")
    }
    return _layer("no other processes", DONE not in tried.values(), _words(tried), _NAMESPACE_REMEDY)


def _rights(findings: Findings) -> Layer:
    sets = {name: findings.status.get(name, "?") for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
    is_tight = all(int(value, 16) == 0 for value in sets.values() if value != "?") and "?" not in sets.values()
    is_tight = is_tight and findings.status.get("NoNewPrivs") == "1"
    return _layer(
        "no rights", is_tight, f"{_words(sets)}, NoNewPrivs {findings.status.get('NoNewPrivs')}", _FAULT_REMEDY
    )


def _descriptors(findings: Findings) -> Layer:
    found = ", ".join(str(number) for number in findings.descriptors)
    return _layer("closed descriptors", findings.descriptors == list(KEPT_DESCRIPTORS), f"open: {found}", _FAULT_REMEDY)


def _filter(findings: Findings, machine: Machine) -> Layer:
    if machine.filter_error:
        return _layer("system-call filter", False, machine.filter_error, _FILTER_REMEDY)
    is_tight = findings.status.get("Seccomp") == "2" and findings.end_signal == 31
    detail = f"mode {findings.status.get('Seccomp')}; a forbidden call ended the run by signal {findings.end_signal}"
    return _layer("system-call filter", is_tight, detail, _FILTER_REMEDY)


def _scratch(findings: Findings) -> Layer:
    tried = findings.attempts.get("write_scratch", "not tried")
    is_tight = tried == DONE and findings.namespaces.get("mnt", False)
    return _layer("capped scratch", is_tight, f"write_scratch {tried}", _NAMESPACE_REMEDY)


def _own_id(findings: Findings, machine: Machine) -> Layer:
    if machine.outer_base is not None:
        is_own = findings.uid >= machine.outer_base
        return _layer("own id per slot", is_own, f"user id {findings.uid}", _FAULT_REMEDY)
    return Layer(
        name="own id per slot",
        state=State.SUBSTITUTED if machine.mode != Mode.REDUCED else State.OPEN,
        detail="a user namespace per run" if machine.mode != Mode.REDUCED else "runs share the id of the runner",
        remedy="Start the runner as root to give each slot an id of its own.",
        required=False,
    )


def _groups(findings: Findings, machine: Machine) -> Layer:
    if machine.groups is not None:
        detail = "memory, tasks and CPU time counted by a fresh group"
        return _layer("control group per run", findings.joined_group, detail, _FAULT_REMEDY)
    is_required = machine.mode == Mode.ROOT
    return Layer(
        name="control group per run",
        state=State.OPEN if is_required else State.SUBSTITUTED,
        detail="a watchdog on resident size and tasks, RLIMIT_CPU and RLIMIT_NPROC",
        remedy=_GROUP_REMEDY,
        required=is_required,
    )


def _environment(findings: Findings) -> Layer:
    strange = sorted(set(findings.environment) - set(TEMPLATE_ENVIRONMENT))
    detail = f"not ours: {', '.join(strange)}" if strange else f"{len(findings.environment)} fixed variables"
    return _layer("empty environment", not strange, detail, _FAULT_REMEDY)


def _words(pairs: dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in pairs.items())


def layers_without_namespaces(machine: Machine, error: str) -> list[Layer]:
    """The table where not even one container could be made."""
    names = ("namespaces", "read-only root", "no network", "no other processes", "capped scratch")
    layers = [
        Layer(
            name=name,
            state=State.OPEN,
            detail=error if name == "namespaces" else "needs namespaces",
            remedy=_NAMESPACE_REMEDY,
        )
        for name in names
    ]
    detail = machine.filter_error or "loaded in every run"
    layers.append(_layer("system-call filter", not machine.filter_error, detail, _FILTER_REMEDY))
    return layers


def layers_json(layers: list[Layer]) -> list[dict[str, Any]]:
    """The layers as JSON objects."""
    return [asdict(layer) for layer in layers]


def layers_from_json(data: list[dict[str, Any]]) -> list[Layer]:
    """The layers in JSON objects that a runner sent."""
    return [Layer(**{**item, "state": State(item["state"])}) for item in data]
