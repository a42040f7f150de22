"""Which warm program is forked from: what happens as one grows old, dies, or is replaced."""

import os
import selectors
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tests.worker.sandbox.test_pool import SETTING, stub_program
from worker.sandbox import templates as templates_
from worker.sandbox.launch import LaunchError, Program
from worker.sandbox.layout import Layout
from worker.sandbox.templates import Templates


class Owner:
    """Notes what it is told."""

    def __init__(self):
        self.told = []

    def template_said(self, message):
        self.told.append(("said", message.kind))

    def template_ready(self):
        self.told.append("ready")

    def template_retired(self, program):
        self.told.append("retired")

    def template_died(self, program):
        self.told.append("died")


@pytest.fixture
def parts(monkeypatch):
    """Templates whose programs are stubs, their owner, and the other ends of the channels, in order."""
    ends, owner = [], Owner()

    def launch(*_, **__):
        program, end = stub_program()
        ends.append(end)
        return program

    monkeypatch.setattr(templates_, "launch", launch)
    with selectors.DefaultSelector() as selector:
        kept = Templates(SETTING, owner, selector=selector, groups=None)
        yield kept, owner, ends
        kept.close()
    for end in ends:
        end.close()


def ready(kept, warm, end):
    """The program says that it is warm, and is heard."""
    end.send("ready", facts={"torch_version": "2"})
    kept.hear(warm)


def with_next(parts):
    """An old template and the next one, still warming up."""
    kept, _, ends = parts
    kept.start(Layout(binds=()))
    ready(kept, kept._warm, ends[0])
    kept._warm.forks = templates_.TEMPLATE_FORKS
    kept.renew()
    return kept._warm, kept._next


def test_nothing_is_known_before_the_first_one(parts):
    kept, _, _ = parts

    assert (kept.facts, kept.status()) == ({}, {"template_age_seconds": 0.0, "template_forks": 0})
    kept.renew()
    assert kept._next is None


def test_first_one_is_told_its_setting_and_tells_its_facts(parts):
    kept, owner, ends = parts
    kept.start(Layout(binds=()))
    assert ends[0].receive().values["packages"] is None

    ready(kept, kept._warm, ends[0])
    kept.count_fork(kept.current)
    kept.renew()

    assert (kept.facts, kept.status()["template_forks"], owner.told) == ({"torch_version": "2"}, 1, ["ready"])
    assert kept._next is None


def test_template_in_a_root_of_its_own_is_told_its_packages(parts):
    kept, _, ends = parts

    kept.start(Layout(binds=(), executable="/python/bin/python3", packages=("/packages/0",)))

    assert ends[0].receive().values["packages"] == ["/packages/0"]


def test_old_one_is_replaced_and_ended_after_its_last_run(parts):
    old, following = with_next(parts)
    kept, owner, ends = parts
    kept.renew()
    assert len(ends) == 2

    ready(kept, following, ends[1])
    assert (kept.current, owner.told) == (following.program, ["ready", "retired", "ready"])
    kept.end_unused({id(old.program)})
    assert kept._retired == [old]
    kept.end_unused(set())

    assert (kept._retired, old.program.process.returncode) == ([], -9)


@pytest.fixture
def places(monkeypatch):
    """Process and niceness of each program that is given one, in order, by a runner that may stand before others."""
    given = []
    monkeypatch.setattr(templates_, "own_niceness", lambda: -10)
    monkeypatch.setattr(templates_, "usual_niceness", lambda: 0)
    monkeypatch.setattr(Program, "stand_at", lambda program, niceness: given.append((program, niceness)))
    return given


def test_next_one_warms_up_behind_others_and_serves_beside_them(places, parts):
    old, following = with_next(parts)
    kept, _, ends = parts

    ready(kept, following, ends[1])

    first, second = old.program, following.program
    assert places == [(first, -10), (first, 0), (second, 10), (second, 0)]


def test_one_that_everybody_waits_for_is_hurried(places, parts):
    old, following = with_next(parts)
    kept, _, ends = parts
    places.clear()
    ends[0].close()

    kept.hear(old)

    assert places == [(following.program, -10)]


def test_next_one_stands_beside_others_where_it_could_not_come_back(places, parts, monkeypatch):
    monkeypatch.setattr(templates_, "own_niceness", lambda: 0)

    _, following = with_next(parts)

    assert [niceness for program, niceness in places if program is following.program] == []


def test_template_grows_old_by_time(parts):
    kept, _, ends = parts
    kept.start(Layout(binds=()))
    ready(kept, kept._warm, ends[0])

    kept._warm.started = time.monotonic() - templates_.TEMPLATE_SECONDS - 1

    assert kept._warm.is_old


def test_word_of_a_run_is_handed_on(parts):
    kept, owner, ends = parts
    kept.start(Layout(binds=()))
    ends[0].send("forked", name="run-1")

    kept._selector.get_key(kept.current.channel).data()

    assert owner.told == [("said", "forked")]


def test_next_one_that_dies_is_forgotten(parts):
    old, following = with_next(parts)
    kept, owner, ends = parts
    ends[1].close()

    kept.hear(following)

    assert (kept._warm, kept._next, owner.told[-1]) == (old, None, "died")


def test_current_one_that_dies_is_replaced_by_the_next(parts):
    old, following = with_next(parts)
    kept, owner, ends = parts
    ends[0].close()

    kept.hear(old)

    assert (kept._warm, kept._next, owner.told[-1]) == (following, None, "died")


def test_only_one_that_dies_is_started_again(parts):
    kept, owner, ends = parts
    kept.start(Layout(binds=()))
    first = kept._warm
    ends[0].close()

    kept.hear(first)

    assert (kept._warm is first, len(ends), owner.told) == (False, 2, ["died"])


def test_retired_one_that_dies_is_forgotten(parts):
    old, following = with_next(parts)
    kept, owner, ends = parts
    ready(kept, following, ends[1])
    ends[0].close()

    kept.hear(old)

    assert (kept._retired, kept._warm, owner.told[-1]) == ([], following, "died")


def test_template_is_put_into_a_group_of_its_own(parts, tmp_path):
    kept, _, _ = parts
    limits = []
    group = SimpleNamespace(
        limit=lambda **given: limits.append(given),
        entry_descriptors=lambda: [os.open(tmp_path / "procs", os.O_WRONLY | os.O_CREAT)],
        remove=lambda: True,
    )
    kept._groups = SimpleNamespace(make=lambda name: group)

    kept.start(Layout(binds=()))

    assert (tmp_path / "procs").read_text() == str(kept.current.process.pid)
    assert kept._warm.group is group
    assert limits == [{"memory_bytes": templates_.TEMPLATE_MEMORY_BYTES, "tasks": templates_.TEMPLATE_TASKS}]


class StubGroup:
    """A group that nobody enters, gone when it was asked so often."""

    def __init__(self, tries):
        self.tries = tries

    def limit(self, **_):
        pass

    def entry_descriptors(self):
        return []

    def remove(self):
        self.tries -= 1
        return self.tries <= 0


def test_group_of_a_template_that_ended_is_removed_once_it_is_empty(parts):
    kept, _, ends = parts
    group = StubGroup(tries=3)
    kept._groups = SimpleNamespace(make=lambda name: group)
    old, following = with_next(parts)
    following.group = None
    ready(kept, following, ends[1])

    kept.end_unused({id(old.program)})
    assert group.tries == 3
    tries = []
    while kept._retired or kept._groups_left:
        kept.end_unused(set())
        tries.append(group.tries)
    kept.end_unused(set())

    assert (tries, group.tries) == ([2, 1, 0], 0)


@pytest.mark.parametrize("error", [OSError(24, "Too many open files"), LaunchError("no room")])
def test_next_one_that_cannot_be_started_is_tried_again_later(parts, monkeypatch, caplog, error):
    kept, owner, ends = parts
    kept.start(Layout(binds=()))
    ready(kept, kept._warm, ends[0])
    kept._warm.forks = templates_.TEMPLATE_FORKS
    started = []

    def refuse(*_):
        started.append(1)
        raise error

    monkeypatch.setattr(kept, "_cap" if isinstance(error, OSError) else "_launch_program", refuse)
    kept.renew()
    kept.renew()

    assert (len(started), kept._next, owner.told) == (1, None, ["ready"])
    assert "no new warm program for now" in caplog.text


def test_only_one_that_cannot_be_started_ends_the_runner(parts, monkeypatch):
    kept, _, ends = parts
    kept.start(Layout(binds=()))
    monkeypatch.setattr(kept, "_cap", lambda _: os.close(-1))
    ends[0].close()

    with pytest.raises(LaunchError, match="could not be set up"):
        kept.hear(kept._warm)
    monkeypatch.undo()
    kept._warm = None


def test_template_that_is_dead_at_once_is_heard_in_the_loop(parts, monkeypatch):
    kept, _, ends = parts
    monkeypatch.setattr(kept, "_cap", lambda _: ends[0].close())

    kept.start(Layout(binds=()))

    assert kept._selector.get_key(kept.current.channel).fd == kept.current.channel.fileno()


def test_template_that_died_cannot_enter_its_group(parts, monkeypatch):
    kept, _, _ = parts
    reader, writer = os.pipe()
    group = StubGroup(tries=1)
    group.entry_descriptors = lambda: [writer]
    kept._groups = SimpleNamespace(make=lambda name: group)

    def refuse(*_):
        raise ProcessLookupError

    with monkeypatch.context() as patch:
        patch.setattr(templates_.os, "write", refuse)
        kept.start(Layout(binds=()))

    # The entry was closed: nobody else holds that end.
    assert os.read(reader, 1) == b""
    os.close(reader)


@pytest.mark.parametrize(("slots", "processors", "threads"), [(1, 1, 1), (2, 1, 1), (2, 2, 1), (2, 8, 2), (2, 4, 2)])
def test_run_has_threads_for_its_share_of_the_processors(monkeypatch, slots, processors, threads):
    monkeypatch.setattr(templates_, "processors", lambda: processors)

    assert replace(SETTING, slots=slots).threads == threads
