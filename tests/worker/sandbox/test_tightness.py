from dataclasses import replace

import pytest

from worker.sandbox.cgroups import GroupsV2
from worker.sandbox.environment import TEMPLATE_ENVIRONMENT
from worker.sandbox.job import SandboxError
from worker.sandbox.machine import Machine, Mode
from worker.sandbox.tightness import (
    NAMESPACES,
    Findings,
    OpenLayerError,
    State,
    judge,
    layers_from_json,
    layers_json,
    layers_without_namespaces,
    look_at,
)

ROOT = Machine(mode=Mode.ROOT, groups=GroupsV2("/nowhere"), filter_program=b"x", outer_base=700_000_000)
USER = replace(ROOT, mode=Mode.USER, groups=None, outer_base=None)
NO_RIGHTS = dict.fromkeys(("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"), "0000000000000000")
TIGHT = Findings(
    namespaces=dict.fromkeys(NAMESPACES, True),
    status={**NO_RIGHTS, "NoNewPrivs": "1", "Seccomp": "2"},
    root_options="ro,nosuid,nodev",
    descriptors=[0, 1, 2, 3, 4],
    joined_group=True,
    attempts={
        "write_outside": "EROFS",
        "write_root": "EROFS",
        "write_scratch": "done",
        "open_socket": "EAFNOSUPPORT",
        "start_process": "EPERM",
        "see_processes": "ENOENT",
        "signal_init": "EPERM",
    },
    environment=list(TEMPLATE_ENVIRONMENT),
    end_signal=31,
    uid=700_000_003,
)


def opened(findings, machine=ROOT):
    return [layer.name for layer in judge(findings, machine) if layer.state == State.OPEN]


def attempts(**changes):
    return replace(TIGHT, attempts={**TIGHT.attempts, **changes})


def test_tight_findings_leave_nothing_open():
    assert opened(TIGHT) == []
    assert all(layer.state == State.TIGHT and not layer.remedy for layer in judge(TIGHT, ROOT))


@pytest.mark.parametrize(
    ("findings", "layers"),
    [
        (replace(TIGHT, namespaces={**TIGHT.namespaces, "ipc": False}), ["namespaces"]),
        (replace(TIGHT, namespaces={**TIGHT.namespaces, "net": False}), ["namespaces", "no network"]),
        (replace(TIGHT, namespaces={**TIGHT.namespaces, "mnt": False}), ["namespaces", "capped scratch"]),
        (replace(TIGHT, root_options="rw,nosuid"), ["read-only root"]),
        (attempts(write_root="done"), ["read-only root"]),
        (attempts(write_outside="done"), ["read-only root"]),
        (attempts(open_socket="done"), ["no network"]),
        (attempts(start_process="done"), ["no other processes"]),
        (attempts(see_processes="done"), ["no other processes"]),
        (attempts(signal_init="done"), ["no other processes"]),
        (attempts(write_scratch="EROFS"), ["capped scratch"]),
        (replace(TIGHT, status={**TIGHT.status, "CapBnd": "000001ffffffffff"}), ["no rights"]),
        (replace(TIGHT, status={**TIGHT.status, "NoNewPrivs": "0"}), ["no rights"]),
        (replace(TIGHT, status={"NoNewPrivs": "1", "Seccomp": "2"}), ["no rights"]),
        (replace(TIGHT, descriptors=[0, 1, 2, 3, 4, 9]), ["closed descriptors"]),
        (replace(TIGHT, status={**TIGHT.status, "Seccomp": "0"}), ["system-call filter"]),
        (replace(TIGHT, end_signal=0), ["system-call filter"]),
        (replace(TIGHT, uid=0), ["own id per slot"]),
        (replace(TIGHT, joined_group=False), ["control group per run"]),
        (replace(TIGHT, environment=["HOME", "SECRET"]), ["empty environment"]),
    ],
)
def test_each_layer_that_is_missing_is_named_with_a_remedy(findings, layers):
    assert opened(findings) == layers
    with pytest.raises(OpenLayerError, match=f"{layers[0]}: open") as refusal:
        raise OpenLayerError(judge(findings, ROOT))
    assert all(layer.remedy for layer in refusal.value.layers if layer.state == State.OPEN)


def test_machine_without_filter_is_named():
    machine = replace(ROOT, filter_error="no libseccomp", filter_program=b"")

    assert opened(TIGHT, machine) == ["system-call filter"]


def test_root_without_control_groups_is_refused():
    assert opened(TIGHT, replace(ROOT, groups=None)) == ["control group per run"]
    assert [layer.name for layer in judge(TIGHT, replace(ROOT, groups=None)) if layer.is_in_the_way]


def test_user_has_substitutes():
    layers = {layer.name: layer for layer in judge(TIGHT, USER)}

    assert layers["own id per slot"].state == State.SUBSTITUTED
    assert layers["control group per run"].state == State.SUBSTITUTED
    assert not any(layer.is_in_the_way for layer in layers.values())


def test_reduced_mode_shares_the_runners_id():
    layers = {layer.name: layer for layer in judge(TIGHT, replace(USER, mode=Mode.REDUCED))}

    assert layers["own id per slot"].state == State.OPEN


def test_without_a_container_all_that_needs_one_is_open():
    layers = layers_without_namespaces(replace(USER, filter_error="none here"), "unshare: not permitted")

    assert {layer.state for layer in layers} == {State.OPEN}
    assert layers[0].detail == "unshare: not permitted"


def test_layers_pass_through_json():
    layers = judge(TIGHT, USER)

    assert layers_from_json(layers_json(layers)) == layers


def test_probe_run_that_said_half_is_our_fault(tmp_path):
    with pytest.raises(SandboxError, match="probe run said"):
        look_at(1, b'{"attempts"', joined_group=True, proc=tmp_path)
