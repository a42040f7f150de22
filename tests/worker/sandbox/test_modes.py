"""The same runs without privilege, and where the machine forbids a layer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.worker.sandbox.runs import is_root
from worker.sandbox.launch import PROJECT

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

EXPECTED = {
    "honest": "finished",
    "odd name": "finished",
    "loop": "timed_out",
    "sleep": "timed_out",
    "memory": "out_of_memory",
    "threads": "task_limit",
    "filter": "filter_killed",
    "flood": "output_too_large",
    "exit": "exited",
    "crash": "crashed",
}
SOME_RUNS = [sys.executable, "-m", "tests.worker.sandbox.some_runs"]
OTHER_ID = "54321"
NO_NETWORKS = 'echo 0 > /proc/sys/user/max_net_namespaces && exec "$@"'


def said_by(command, folder):
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(folder)}
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def unprivileged(command):
    """The command as another user without any capability, in a mount namespace where it can reach the interpreter."""
    base = Path(sys.base_prefix)
    closed = [str(folder) for folder in (base, *base.parents) if not folder.stat().st_mode & 0o001]
    steps = ["set -e"]
    if closed:
        steps += [
            "stash=$(mktemp -d)",
            f"mount --bind {base} $stash",
            f"mount -t tmpfs -o mode=755 none {closed[-1]}",
            f"mkdir -p {base}",
            f"mount --bind $stash {base}",
            "umount -l $stash",
            "rmdir $stash",
        ]
    drop = f"setpriv --reuid {OTHER_ID} --regid {OTHER_ID} --clear-groups --bounding-set=-all --inh-caps=-all"
    steps.append(f'exec {drop} "$@"')
    return ["unshare", "--mount", "sh", "-c", "\n".join(steps), "sh", *command]


@pytest.fixture
def open_folder():
    """A folder in which another user may write; its path is short, since that of a socket may have 108 bytes only."""
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    folder.chmod(0o777)
    yield folder
    subprocess.run(["rm", "-r", str(folder)], check=True)


@pytest.mark.skipif(not is_root(), reason="becomes another user; as anyone else all other tests run unprivileged")
def test_unprivileged_user_gets_the_same_verdicts(open_folder):
    said = said_by(unprivileged(SOME_RUNS), open_folder)

    assert said["mode"] in {"user", "container"}
    assert said["layers"]["namespaces"] == "tight"
    assert said["has_neutral_paths"]
    assert said["layers"]["own id per slot"] == "substituted"
    assert said["layers"]["control group per run"] == "substituted"
    assert said["runs"] == EXPECTED


def without_network_namespaces(command):
    return ["unshare", "--user", "--map-root-user", "sh", "-c", NO_NETWORKS, "sh", *command]


def test_runner_refuses_where_namespaces_are_forbidden_and_names_layer_and_remedy(open_folder):
    said = said_by(without_network_namespaces(SOME_RUNS), open_folder)

    assert "namespaces: open" in said["refused"]
    assert "max_user_namespaces" in said["refused"]


def test_reduced_isolation_serves_where_it_is_allowed(open_folder):
    said = said_by(without_network_namespaces([*SOME_RUNS, "reduced"]), open_folder)

    assert said["mode"] == "reduced"
    assert not said["has_neutral_paths"]
    assert said["layers"]["namespaces"] == "open"
    assert said["layers"]["system-call filter"] == "tight"
    assert said["runs"] == EXPECTED


@pytest.mark.parametrize(("prepare", "status"), [(list, 0), (without_network_namespaces, 1)])
def test_sandbox_check_says_how_tight_it_is(prepare, status, open_folder):
    command = prepare([sys.executable, "manage.py", "sandbox_check", "--json"])
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(open_folder), "DATA": str(open_folder)}

    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=110)

    assert done.returncode == status, done.stderr
    said = json.loads(done.stdout)
    assert said["tight"] == (status == 0)
    open_layers = [layer for layer in said["layers"] if layer["state"] == "open"]
    assert bool(open_layers) == (status == 1)
    assert all(layer["remedy"] for layer in open_layers)
