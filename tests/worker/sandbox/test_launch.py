"""Where a started program stands among others."""

import pytest

from tests.worker.sandbox.test_pool import stub_program
from worker.sandbox import launch


@pytest.mark.parametrize(("now", "asked", "then"), [(-10, 0, 0), (0, 10, 10), (5, 0, 5), (19, 10, 19)])
def test_program_is_put_behind_others_and_never_before_where_it_was(monkeypatch, now, asked, then):
    program, end = stub_program()
    given = []
    monkeypatch.setattr(launch.os, "getpriority", lambda *_: now)
    monkeypatch.setattr(launch.os, "setpriority", lambda *arguments: given.append(arguments))

    program.stand_behind(asked)

    assert given == [(launch.os.PRIO_PROCESS, program.process.pid, then)]
    program.end()
    end.close()
