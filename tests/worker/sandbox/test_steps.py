"""Each step of shutting in by itself; that a run has gone through all of them is tested in test_isolation."""

import errno
import json
import os
import signal
import subprocess
import sys

import pytest

from tests.worker.sandbox.measuring import measured
from tests.worker.sandbox.steps import KEPT
from worker.sandbox import isolation, kernel
from worker.sandbox.launch import PROJECT

pytestmark = pytest.mark.sandbox


def step(name):
    """What a program says after this step."""
    command = [sys.executable, "-m", "tests.worker.sandbox.steps", name]
    return json.loads(subprocess.check_output(command, cwd=PROJECT, env=measured({"LANG": "C.UTF-8"}), timeout=100))


def test_root_is_read_only_and_holds_what_runs_need():
    found = step("root")

    assert {"dev", "etc", "lib", "tmp", "usr"} <= set(found["entries"])
    assert {"proc", "sys", "home", "var"} & set(found["entries"]) == set()
    assert found["links"] == found["links_outside"]
    assert (found["write_root"], found["write_library"]) == (errno.EROFS, errno.EROFS)
    assert found["write_scratch"] == 0
    assert found["host_name"] == "sandbox"


def test_root_of_the_warm_program_holds_nothing_of_the_machine_and_has_no_network():
    found = step("template_root")

    assert {"proc", "python", "service"} <= set(found["entries"])
    assert {"root", "home", "var", "opt", "sys"} & set(found["entries"]) == set()
    assert found["service"] == ["__init__.py", "sandbox"]
    assert found["write_root"] == errno.EROFS
    assert (found["has_proc"], found["interfaces"], found["project"]) == (True, ["lo"], False)


def test_rights_are_given_up():
    found = step("rights")

    assert int(found["kept"], 16) == KEPT
    assert {int(found[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {0}
    assert (found["NoNewPrivs"], found["Seccomp"]) == ("1", "2")
    assert found["socket"] == errno.EAFNOSUPPORT


def test_process_starts_afresh_with_its_limits():
    assert step("process") == {
        "terminate": True,
        "pipe": True,
        "file_bytes": 10_000_000,
        "core": 0,
        "descriptors": isolation.DESCRIPTORS,
        "folder": True,
        "dumpable": 0,
        "at_parents_death": signal.SIGKILL,
        "no_new_privileges": "1",
        "name": "a-step-of-tests",
    }


def test_limits_are_set_where_there_is_only_posix():
    assert step("elsewhere") == {"file_bytes": 10_000_000, "folder": "/"}


@pytest.mark.parametrize("name", ["descriptors", "descriptors_elsewhere"])
def test_five_descriptors_stay(name):
    assert step(name) == {"open": [0, 1, 2, 3, 4]}


def test_descriptors_that_did_not_close_are_noticed():
    one_more = os.dup(1)

    with pytest.raises(OSError, match="descriptors: expected"):
        isolation.require_only_kept()

    os.close(one_more)


def test_groups_are_joined_by_writing_to_them():
    assert step("groups") == {"said": ["0", "0"]}


@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        (kernel.unmount, ("/does/not/exist",), errno.ENOENT),
        (kernel.mount, ("a", "/does/not/exist", "tmpfs"), errno.ENOENT),
        (kernel.restrict_mount, ("/does/not/exist", kernel.Mount.READ_ONLY), errno.ENOENT),
        (kernel.pivot_root, ("/does/not/exist", "/does/not/exist"), errno.ENOENT),
        (kernel.setns, (-1, kernel.Namespace.UTS), errno.EBADF),
        # With a file system shared (CLONE_FS), which no fork into other mounts may have: no child is born.
        (kernel.fork_into, (kernel.Namespace.MOUNT | 0x200,), errno.EINVAL),
    ],
)
def test_refused_call_is_named(call, arguments, expected):
    with pytest.raises(OSError, match=r"\w+: ") as refusal:
        call(*arguments)

    assert refusal.value.errno in {expected, errno.EPERM}


@pytest.mark.parametrize(
    ("call", "arguments"), [(kernel.pivot_root, ("/", "/")), (kernel.fork_into, (kernel.Namespace.UTS,))]
)
def test_machine_without_a_number_for_a_call_is_named(call, arguments, monkeypatch):
    monkeypatch.setattr(kernel, "_MACHINE", "riscv64")

    with pytest.raises(OSError, match="its number on riscv64 is not known"):
        call(*arguments)


def test_folder_that_is_no_link_is_not_made_one():
    isolation._copy_link("/proc", "/proc")

    assert not os.path.lexists("/proc/proc")
