"""The warm program by itself: forks for whoever holds its channel, and says what became of each fork."""

import base64
import builtins
import gc
import os
import sys

import pytest

from tests.worker.sandbox.measuring import measured
from worker.sandbox import template
from worker.sandbox.channel import Message, channel_pair, inherited_channel, read_exactly
from worker.sandbox.commands import job_frames
from worker.sandbox.environment import TEMPLATE_ENVIRONMENT
from worker.sandbox.filter import compiled_filter
from worker.sandbox.frames import encode_frame
from worker.sandbox.job import CasesProgram, Job
from worker.sandbox.launch import launch
from worker.sandbox.template import Setting, Template, read_fork

SETUP = {
    "filter_program": base64.b64encode(compiled_filter()).decode(),
    "has_groups": False,
    "is_contained": False,
    "threads": 1,
    "packages": None,
}
FORK = {"name": "run-1", "file_bytes": 10_000_000, "is_probe": False, "folder": "/tmp"}


@pytest.fixture(scope="module", params=["worker.sandbox.template", "tests.worker.sandbox.elsewhere"])
def program(request):
    """A template that forks without containers; it ends by itself, so that its lines count."""
    started = launch(request.param, environment=measured(TEMPLATE_ENVIRONMENT, patch=()))
    started.channel.send("setup", **SETUP)
    ready = started.channel.receive()
    assert (ready.kind, sorted(ready.values["facts"])) == (
        "ready",
        ["cpu_capability", "numpy_version", "torch_version"],
    )
    yield started
    started.channel.close()
    assert started.process.wait(timeout=60) == 0


def forked(program, **changes):
    """The message that answers, and the ends of commands and results."""
    commands, results = os.pipe(), os.pipe()
    with open(os.devnull, "wb") as null:
        theirs = (null.fileno(), null.fileno(), commands[0], results[1])
        program.channel.send("fork", **{**FORK, **changes}, descriptors=theirs)
        message = program.channel.receive()
    os.close(commands[0])
    os.close(results[1])
    return message, commands[1], results[0]


def test_template_serves_forks_one_after_the_other(program):
    for number in range(2):
        message, commands, results = forked(program, name=f"run-{number}")
        frame = job_frames(Job(id="a", program=CasesProgram(source="def visible(): return []", seeds=())))[0]
        os.write(commands, encode_frame(frame))
        os.close(commands)
        said = read_exactly(results, 1 << 16)
        os.close(results)
        ended = program.channel.receive()

        assert (message.kind, message.values["name"]) == ("forked", f"run-{number}")
        assert said[:1] == template.READY
        assert b"ended" in said
        assert (ended.kind, ended.values["name"], ended.values["status"]) == ("ended", f"run-{number}", 0)
        for descriptor in message.descriptors:
            os.close(descriptor)


def test_fork_that_cannot_be_set_up_says_why(program):
    message, commands, results = forked(program, folder="/does/not/exist")

    assert b"No such file" in read_exactly(results, 1 << 16)
    assert program.channel.receive().values["status"] == 70 << 8
    for descriptor in (commands, results, *message.descriptors):
        os.close(descriptor)


@pytest.fixture
def unserved():
    """A template in this process, and the other end of its channel."""
    channel, theirs = channel_pair()
    other = inherited_channel(theirs)
    yield Template(channel, Setting(filter_program=b"", has_groups=False, is_contained=True, threads=1)), other
    channel.close()
    other.close()


def test_template_that_may_not_fork_says_so(unserved, monkeypatch):
    def refuse():
        raise template.NotSingleThreadedError("2 tasks")

    monkeypatch.setattr(template, "require_one_task", refuse)
    made, other = unserved

    made._answer(Message(kind="fork", values=FORK, descriptors=tuple(os.dup(1) for _ in range(5))))

    answer = other.receive()
    assert (answer.kind, answer.values) == ("failed", {"name": "run-1", "error": "2 tasks"})


def test_fork_is_born_in_the_container(unserved, monkeypatch):
    entered = []
    monkeypatch.setattr(template, "require_one_task", lambda: None)
    monkeypatch.setattr(template.kernel, "setns", lambda *arguments: entered.append(arguments))
    monkeypatch.setattr(template.kernel, "fork", os.getpid)
    made, _ = unserved

    run = made._fork(Message(kind="fork", values=FORK, descriptors=(7, 1, 2, 3, 4, 5)))

    os.close(run.descriptor)
    assert run.pid == os.getpid()
    assert entered == [(7, template.Namespace.PID)]


def test_fork_without_a_container_has_its_descriptors_and_groups():
    fork = read_fork(Message(kind="fork", values=FORK, descriptors=(1, 2, 3, 4, 5, 6)), is_contained=False)

    assert (fork.container, fork.kept, fork.groups) == (None, (1, 2, 3, 4), [5, 6])


@pytest.fixture
def as_before():
    """What getting warm changes in this process, put back."""
    folder, path, variables = os.getcwd(), list(sys.path), dict(os.environ)
    names = {name: vars(builtins)[name] for name in ("quit", "exit", "copyright", "credits", "license", "help")}
    yield
    gc.unfreeze()
    os.chdir(folder)
    sys.path[:] = path
    os.environ.clear()
    os.environ.update(variables)
    vars(builtins).update(names)


@pytest.fixture
def warmed(monkeypatch, as_before):
    """What of getting warm would change this process for good, left out."""
    monkeypatch.setattr(template.warmup, "warm_up", lambda: None)
    monkeypatch.setattr(template.child, "prepare", lambda: None)
    monkeypatch.setattr(template.rehearsal, "rehearse", lambda **_: None)
    monkeypatch.setattr(template, "fill_holes", list)
    monkeypatch.setattr(template, "join_pages", lambda: 0)
    monkeypatch.setattr(template, "hand_on_code", lambda _: 0)
    monkeypatch.setattr(template, "require_one_task", lambda: None)


@pytest.mark.usefixtures("warmed")
def test_warm_program_in_a_root_of_its_own_finds_packages_last_and_forgets_how_it_was_started(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/service")
    for name in ("quit", "copyright", "help"):
        monkeypatch.delattr(builtins, name)
    sys.path[:] = ["", "/packages/0", "/python", str(template.PROJECT)]

    template.get_warm(["/packages/0", "/packages/1"])

    assert (os.getcwd(), sys.path) == ("/", ["/python", "/packages/0", "/packages/1"])
    assert "PYTHONPATH" not in os.environ
    assert {"quit", "copyright", "help"} <= set(vars(builtins))


@pytest.mark.usefixtures("warmed")
def test_warm_program_elsewhere_keeps_its_path(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/service")
    sys.path[:] = ["", "/python"]

    template.get_warm(None)

    assert (sys.path, os.environ["PYTHONPATH"]) == (["/python"], "/service")


@pytest.mark.parametrize(
    ("is_contained", "given_up"), [(True, ["signals", template.KEPT, "no new privileges"]), (False, ["signals"])]
)
def test_warm_program_gives_up_rights_before_it_is_ready_and_ends_with_its_runner(monkeypatch, is_contained, given_up):
    said = []
    channel, theirs = channel_pair()
    inherited = inherited_channel(theirs)
    monkeypatch.setattr(template, "inherited_channel", lambda _: inherited)
    monkeypatch.setattr(template.kernel, "set_name", lambda _: None)
    monkeypatch.setattr(template.kernel, "die_with_parent", lambda _: None)
    monkeypatch.setattr(template.isolation, "reset_process", lambda: said.append("signals"))
    monkeypatch.setattr(template.kernel, "limit_capabilities", said.append)
    monkeypatch.setattr(template.kernel, "forbid_new_privileges", lambda: said.append("no new privileges"))
    monkeypatch.setattr(template, "get_warm", lambda _: None)
    monkeypatch.setattr(template.warmup, "versions", lambda: said.append("ready") or {})
    channel.send("setup", **{**SETUP, "is_contained": is_contained})
    monkeypatch.setattr(Template, "serve", lambda _: channel.close())

    assert template.main(["7"]) == 0

    inherited.close()
    assert said == [*given_up, "ready"]
