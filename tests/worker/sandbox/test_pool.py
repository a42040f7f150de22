"""The reserve by itself: what it does where maker, template or a child fails at an awkward moment."""

import contextlib
import errno
import os
import selectors
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from worker.sandbox import containers
from worker.sandbox.channel import Message, channel_pair, inherited_channel
from worker.sandbox.containers import Phase
from worker.sandbox.launch import Program
from worker.sandbox.pool import Pool
from worker.sandbox.templates import PoolSetting, Warm

SETTING = PoolSetting(slots=1, is_contained=True, has_groups=False, outer_base=None, filter_program=b"")


class Owner:
    """Notes what it is told."""

    def __init__(self):
        self.told = []

    def container_ready(self, container):
        self.told.append(("ready", container.name))

    def container_failed(self, name, error, *, is_probe):
        self.told.append(("failed", error))

    def child_ended(self, container):
        self.told.append(("ended", container.name))

    def container_lost(self, container):
        self.told.append(("lost", container.name))


def stub_program():
    """A program that does nothing, and the other end of its channel."""
    channel, theirs = channel_pair()
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    return Program(process, channel), inherited_channel(theirs)


@pytest.fixture
def parts():
    """A pool whose maker and template are stubs, its owner, and the other ends of their channels."""
    owner = Owner()
    with selectors.DefaultSelector() as selector:
        pool = Pool(SETTING, owner, selector=selector, groups=None)
        pool._maker, makers_end = stub_program()
        template, templates_end = stub_program()
        pool._templates._warm = Warm(template, time.monotonic(), facts={"torch_version": "2"})
        yield pool, owner, makers_end, templates_end
        for container in pool._containers.values():
            container.close()
            container.forget()
        for program in (pool._maker, template):
            program.end()
        makers_end.close()
        templates_end.close()


@pytest.fixture
def first_process():
    """A pidfd of a process that only waits, and the process."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        descriptor = os.pidfd_open(process.pid)
        yield descriptor, process
        process.kill()
        with contextlib.suppress(OSError):
            os.close(descriptor)


def made(descriptor):
    return Message(kind="made", values={}, descriptors=(descriptor,))


def test_container_asked_of_a_dead_maker_is_closed(parts):
    pool, _, makers_end, _ = parts
    makers_end.close()

    assert pool.build().phase == Phase.CLOSING


def no_pipes(monkeypatch):
    def refuse():
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(containers, "open_pipes", refuse)


class StubGroups:
    """Makes groups of names alone."""

    def __init__(self):
        self.here = []

    def make(self, name):
        self.here.append(name)
        return SimpleNamespace(
            remove=lambda: self.here.remove(name) or True,
            entry_descriptors=lambda: self._refuse(),
            kill=lambda: None,
        )

    def _refuse(self):
        raise OSError(errno.EMFILE, "Too many open files")


def test_container_without_descriptors_fails_and_leaves_nothing(parts, monkeypatch):
    pool, owner, _, _ = parts
    pool._groups = groups = StubGroups()
    no_pipes(monkeypatch)

    assert pool.build() is None

    assert owner.told == [("failed", "[Errno 24] Too many open files")]
    assert (groups.here, pool._containers) == ([], {})


def test_reserve_that_cannot_be_filled_is_asked_for_once_and_again_after_a_pause(parts, monkeypatch):
    pool, owner, _, _ = parts
    pool.is_filling, pool.reserve = True, 4
    no_pipes(monkeypatch)

    pool.fill()
    pool.fill()
    assert len(owner.told) == 1
    pool._paused_until = 0.0
    pool.fill()

    assert len(owner.told) == 2


def test_reserve_stays_smaller_while_there_are_containers_to_serve_with(parts, monkeypatch, caplog):
    pool, owner, _, _ = parts
    container = pool.build()
    container.phase = Phase.RUNNING
    no_pipes(monkeypatch)

    for _ in range(2):
        assert pool.build() is None

    assert (owner.told, caplog.text.count("stays smaller")) == ([], 1)


def test_container_that_cannot_be_forked_into_fails(parts, first_process):
    pool, owner, _, _ = parts
    descriptor, process = first_process
    pool._groups = StubGroups()
    container = pool.build()

    pool._made(container, made(descriptor))

    assert process.wait(timeout=20) == -9
    assert owner.told == [("failed", "[Errno 24] Too many open files")]
    assert (container.phase, container.child_lives) == (Phase.CLOSING, False)


def test_container_whose_descriptor_had_no_room_fails(parts):
    pool, owner, _, _ = parts
    container = pool.build()

    pool._made(container, Message(kind="made"))

    assert owner.told == [("failed", "there was no descriptor left for it")]


def test_container_that_cannot_be_asked_for_fails(parts, monkeypatch):
    pool, owner, _, _ = parts
    monkeypatch.setattr(pool, "_make", lambda _: os.mkdir("/dev/null/folder"))

    assert pool.build() is None

    assert len(owner.told) == 1


def test_maker_that_is_dead_at_once_is_heard_in_the_loop(parts, monkeypatch):
    pool, _, makers_end, _ = parts
    fresh, end = stub_program()
    end.close()
    pool._maker.end()
    monkeypatch.setattr("worker.sandbox.pool.launch", lambda *_, **__: fresh)

    pool._start_maker()

    assert pool._selector.get_key(fresh.channel).data == pool._hear_maker


def test_container_that_is_made_too_late_is_killed(parts, first_process):
    pool, _, _, _ = parts
    descriptor, process = first_process
    container = pool.build()
    pool.discard(container)

    pool._made(container, made(descriptor))

    assert process.wait(timeout=20) == -9


def test_container_that_a_dead_template_should_fork_into_is_closed(parts, first_process):
    pool, _, _, templates_end = parts
    descriptor, process = first_process
    container = pool.build()
    templates_end.close()

    pool._made(container, made(descriptor))

    assert (container.phase, container.child_lives) == (Phase.CLOSING, False)


def test_child_that_is_forked_too_late_is_killed(parts, first_process):
    pool, _, _, _ = parts
    descriptor, process = first_process
    container = pool.build()
    pool._made(container, made(descriptor))
    container.close()
    process.wait(timeout=20)

    pool._forked(container, Message(kind="forked", values={"pid": process.pid}))

    assert container.phase == Phase.CLOSING


def test_fork_that_failed_is_told_once(parts):
    pool, owner, _, _ = parts
    container = pool.build()
    failed = Message(kind="failed", values={"name": container.name, "error": "2 tasks"})

    pool.template_said(failed)
    pool.template_said(failed)

    assert owner.told == [("failed", "2 tasks")]
    assert container.phase == Phase.CLOSING


@pytest.mark.parametrize(("word", "error"), [(b'F"no"', '"no"'), (b"", "the child ended while it was set up")])
def test_child_that_could_not_be_set_up_is_told(parts, word, error):
    pool, owner, _, _ = parts
    container = pool.build()
    pool._forked(container, Message(kind="forked", values={"pid": 2**22 + 1}))
    os.write(container.pipes.childs[3], word)
    container.give_away()

    pool.child_spoke(container)

    assert owner.told == [("failed", error)]


def test_words_after_the_first_fail_a_waiting_child(parts):
    pool, owner, _, _ = parts
    container = pool.build()
    pool._forked(container, Message(kind="forked", values={"pid": 2**22 + 1}))
    for _ in range(2):
        os.write(container.pipes.childs[3], b"R")
        pool.child_spoke(container)

    assert [kind for kind, _ in owner.told] == ["ready", "failed"]


def test_child_that_ended_before_it_was_known_has_no_meter(parts):
    pool, owner, _, _ = parts
    container = pool.build()

    pool.template_said(Message(kind="ended", values={"name": container.name, "status": 9}))

    assert (container.wait_status, container.child_lives, owner.told) == (9, False, [])


def test_run_without_a_container_does_not_outlive_its_template(parts):
    pool, owner, _, _ = parts
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True) as run:
        container = pool.build()
        pool._forked(container, Message(kind="forked", values={"pid": run.pid}))
        pool._selector.unregister(container.pipes.results)
        container.phase = Phase.RUNNING

        pool.template_died(container.template)

        assert run.wait(timeout=20) == -9
    assert ("lost", container.name) in owner.told


def test_dead_template_takes_its_waiting_and_running_containers(parts):
    pool, owner, _, _ = parts
    running, waiting = pool.build(), pool.build()
    for container in (running, waiting):
        pool._forked(container, Message(kind="forked", values={"pid": 2**22 + 1}))
        os.write(container.pipes.childs[3], b"R")
        pool.child_spoke(container)
    pool.claim(running)

    pool.template_died(running.template)

    assert ("lost", running.name) in owner.told
    assert {running.phase, waiting.phase} == {Phase.CLOSING}
