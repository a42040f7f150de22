"""Each probe is tried without isolation, where it succeeds, and in a run, where it is stopped."""

import errno
import os
import socket
import sys
import threading

import pyseccomp
import pytest

from tests.worker.sandbox.runs import call_job, is_root, returned
from worker.sandbox import filter as filter_
from worker.sandbox import probes
from worker.sandbox.environment import TEMPLATE_ENVIRONMENT
from worker.sandbox.job import Status
from worker.sandbox.launch import PROJECT

pytestmark = pytest.mark.sandbox

STOPPED = [name for name in probes.PROBES if name != "write_scratch"]
LISTING = """
    import os
    def f(x):
        found = []
        for folder, _, files in os.walk('/'):
            if not folder.startswith(('/python', '/usr/lib', '/usr/share/zoneinfo')):
                found += [os.path.join(folder, name) for name in files]
        return sorted(found)
"""


def in_a_run(runner, body):
    """What the statements return inside a run."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return returned(runner.run(call_job(f"def f(x):\n{lines}\n")))


@pytest.mark.parametrize("name", probes.PROBES)
def test_probe_succeeds_without_isolation(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    # Not even without isolation may anyone but root write there.
    expected = "EACCES" if name in {"write_outside", "write_root"} and not is_root() else "done"
    assert probes.attempt(probes.PROBES[name]) == expected


@pytest.mark.parametrize("name", STOPPED)
def test_probe_is_stopped_in_a_run(runner, name):
    layers = {layer["name"]: layer for layer in runner.status()["layers"]}

    assert f"{name} done" not in " ".join(layer["detail"] for layer in layers.values())
    assert f"{name} E" in " ".join(layer["detail"] for layer in layers.values())


def test_every_required_layer_is_tight_or_substituted(runner):
    layers = runner.status()["layers"]

    assert [layer["name"] for layer in layers if layer["state"] == "open"] == []
    assert len(layers) == 11


def test_environment_is_the_fixed_one(runner, monkeypatch):
    monkeypatch.setenv("PLANTED", "canary")

    found = in_a_run(runner, "import os\nreturn dict(os.environ)")

    assert found == TEMPLATE_ENVIRONMENT
    assert not in_a_run(runner, "import os\nreturn os.path.exists('/proc/self/environ')")


def test_descriptors_are_the_allowed_ones_and_none_is_a_folder_or_socket(runner):
    body = """
import os, stat
found = {}
for number in range(1024):
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        continue
    found[str(number)] = 'pipe' if stat.S_ISFIFO(mode) else 'device' if stat.S_ISCHR(mode) else 'other'
return found
""".strip()

    assert in_a_run(runner, body) == {"0": "device", "1": "pipe", "2": "pipe", "3": "pipe", "4": "pipe"}


def test_run_sees_itself_and_the_waiter_alone(runner):
    assert in_a_run(runner, "import os\nreturn [os.getpid(), os.path.exists('/proc'), os.path.exists('/sys')]") == [
        2,
        False,
        False,
    ]


def test_identity_is_unprivileged(runner):
    assert in_a_run(runner, "import os\nreturn [os.getuid(), os.getgid()]") == [1000, 1000]


def test_host_name_is_not_the_machines(runner):
    assert in_a_run(runner, "import os\nreturn os.uname().nodename") == "sandbox"


def test_listener_on_loopback_hears_nothing(runner):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        port = listener.getsockname()[1]

        connect = f"import socket\ntry:\n    socket.create_connection(('127.0.0.1', {port}))"
        said = in_a_run(runner, f"{connect}\nexcept OSError as error:\n    return str(error)")

        assert "not supported" in said
        with pytest.raises(TimeoutError):
            listener.accept()


@pytest.mark.parametrize(
    "body",
    [
        "os.fork()",
        "os.execv('/bin/sh', ['sh'])",
        "os.posix_spawn('/bin/sh', ['sh'], {})",
        "os.kill(1, 9)",
        "os.kill(-1, 9)",
        "os.setuid(0)",
        "os.memfd_create('x')",
        "os.symlink('/etc/passwd', '/tmp/link')",
        "os.link('/tmp', '/tmp/link')",
        "os.chmod('/tmp', 0o777)",
        "os.mkfifo('/tmp/fifo')",
        "os.sendfile(1, 0, 0, 10)",
        "os.splice(0, 1, 10)",
        "os.sched_setaffinity(0, [0])",
        "os.nice(-5)",
        "__import__('fcntl').flock(1, 2)",
        "__import__('resource').setrlimit(__import__('resource').RLIMIT_CORE, (1, 1))",
        "__import__('socket').socket()",
        "__import__('socket').socket(__import__('socket').AF_UNIX)",
        "open(os.__file__, 'r+')",
        "open('/new', 'w')",
        "os.mkdir('/usr/new')",
    ],
)
def test_call_is_refused_with_an_error_that_can_be_caught(runner, body):
    said = in_a_run(
        runner, f"import os\ntry:\n    {body}\nexcept (OSError, ValueError) as error:\n    return 1\nreturn 'done'"
    )

    assert said == 1


@pytest.mark.parametrize(
    "body",
    [
        "import asyncio\nasync def g():\n    await asyncio.sleep(0)\n    return 1\nreturn asyncio.run(g())",
        "import tempfile\nwith tempfile.TemporaryFile() as file:\n    return file.write(b'1')",
        "import threading\nfound = []\n"
        "t = threading.Thread(target=found.append, args=(1,))\nt.start()\nt.join()\nreturn found[0]",
        "import torch\ntorch.set_num_threads(2)\na = torch.ones(600, 600)\nreturn int((a @ a)[0, 0] == 600)",
        "import numpy as np\nreturn int((np.ones((300, 300)) @ np.ones((300, 300)))[0, 0] == 300)",
        "import os\nreturn int(os.getpgrp() == os.getpid())",
        "import os\nopen('/tmp/a', 'w').close()\n"
        "os.rename('/tmp/a', '/tmp/b')\nreturn os.listdir('/tmp') == ['b'] and 1",
        "import subprocess, multiprocessing, getpass\nreturn 1",
        "import signal\nsignal.setitimer(signal.ITIMER_REAL, 10)\nreturn 1",
        "import torch\nreturn int(torch.compile(lambda a: a + 1)(torch.zeros(())))",
        "import torch\nm = torch.nn.Linear(2, 1)\no = torch.optim.AdamW(m.parameters())\n"
        "m(torch.ones(1, 2)).sum().backward()\no.step()\nreturn 1",
        "import gc\nfor _ in range(20): gc.collect()\nreturn 1",
        "import zoneinfo\nreturn int(zoneinfo.ZoneInfo('Europe/Berlin').key == 'Europe/Berlin')",
    ],
)
def test_honest_use_passes(runner, body):
    assert in_a_run(runner, body) == 1


def test_files_of_the_service_and_of_others_are_not_there(runner):
    found = returned(runner.run(call_job(LISTING)))

    assert [path for path in found if not path.startswith(("/dev/", "/etc/ld.so.cache"))] == []
    ours = ["/", "/app", str(PROJECT)]
    assert not in_a_run(
        runner, f"import os\nreturn any(os.path.exists(os.path.join(path, 'manage.py')) for path in {ours})"
    )


def test_no_path_of_the_machine_is_told(runner):
    body = (
        "import gc, os, sys, types, numpy, torch\n"
        "paths = [*sys.path, sys.prefix, sys.base_prefix, sys.executable, os.getcwd(), *sys.orig_argv, *os.environ]\n"
        "paths += [getattr(module, '__file__', None) or '' for module in list(sys.modules.values())]\n"
        "paths += [f.__code__.co_filename for f in gc.get_objects() if isinstance(f, types.FunctionType)]\n"
        "return sorted(set(paths))"
    )

    told = in_a_run(runner, body)

    mine = {os.path.realpath(path) for path in (sys.prefix, sys.base_prefix, os.path.expanduser("~"), PROJECT)}
    assert "/python/bin" in {os.path.dirname(path) for path in told}
    assert [path for path in told if any(path.startswith(f"{one}/") for one in mine - {"/usr", "/"})] == []


def test_project_cannot_be_imported(runner):
    assert in_a_run(runner, "try:\n    import quizsite\nexcept ImportError:\n    return 'absent'") == "absent"


def test_every_call_number_gets_the_answer_of_the_table(runner):
    """Each number of the machine is called with zero arguments in a run of its own kind: refused, killed or allowed."""

    kill, absent = numbers(pyseccomp, filter_.NEVER_LEGITIMATE), numbers(pyseccomp, filter_.NOT_IMPLEMENTED)
    known = (
        UPROBES
        | numbers(pyseccomp, filter_.ALLOWED)
        | kill
        | numbers(pyseccomp, ARGUMENTS)
        | numbers(pyseccomp, ("socket",))
    )
    body = f"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
answers = {{}}
for number in range(600):
    if number not in {known!r}:
        ctypes.set_errno(0)
        answers[str(number)] = libc.syscall(number, 0, 0, 0, 0, 0, 0) == -1 and ctypes.get_errno()
return answers
""".strip()

    answers = in_a_run(runner, body)

    assert {int(number) for number, answer in answers.items() if answer == 38} == absent
    assert {answer for number, answer in answers.items() if int(number) not in absent} == {1}


# The kernel lets these past every filter, and ends whoever calls them outside a probe (Linux 6.11).
UPROBES = {335, 336}
ARGUMENTS = ("ioctl", "fcntl", "prctl", "clone", "socketpair", "prlimit64")


def numbers(seccomp, names):
    found = {seccomp.resolve_syscall(seccomp.system_arch(), name) for name in names}
    return {number for number in found if number >= 0}


@pytest.mark.parametrize("name", filter_.NEVER_LEGITIMATE)
def test_never_legitimate_call_ends_the_run(runner, name):

    number = pyseccomp.resolve_syscall(pyseccomp.system_arch(), name)

    report = runner.run(
        call_job(f"import ctypes\ndef f(x):\n    ctypes.CDLL(None).syscall({number}, 0, 0, 0, 0, 0, 0)\n")
    )

    assert report.status == Status.FILTER_KILLED


@pytest.mark.parametrize("name", ["add_key", "request_key", "keyctl"])
def test_keyring_is_refused_and_the_run_goes_on(runner, name):
    number = pyseccomp.resolve_syscall(pyseccomp.system_arch(), name)
    body = f"import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nlibc.syscall({number}, 0, 0, 0, 0, 0)\n"

    assert in_a_run(runner, body + "return ctypes.get_errno()") == errno.EPERM


@pytest.mark.parametrize(
    ("request_number", "expected"), [(0x5401, errno.ENOTTY), (0x5451, 0), (0x5412, errno.ENOTTY), (0, errno.ENOTTY)]
)
def test_other_requests_of_ioctl_answer_as_a_plain_file_does(runner, request_number, expected):
    body = (
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nfile = open('/tmp/a', 'w')\nctypes.set_errno(0)\n"
        f"libc.ioctl(file.fileno(), {request_number}, ctypes.create_string_buffer(99))\n"
    )

    assert in_a_run(runner, body + "return ctypes.get_errno()") == expected


def test_rule_for_ioctl_is_left_out_where_its_number_is_not_known():
    assert filter_.ioctl_rule("riscv64") == b""
    assert len(filter_.ioctl_rule("aarch64")) == len(filter_.ioctl_rule("x86_64")) > 0


def test_threads_of_the_test_are_those_before(runner):
    before = threading.active_count()

    in_a_run(runner, "return 1")

    assert threading.active_count() == before
