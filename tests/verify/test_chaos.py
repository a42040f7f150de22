"""A short `make chaos` on the embedded default: each part killed and stopped twice, broker wiped, database away."""

import pytest

from tests.chaos.__main__ import Plan, chaos

pytestmark = [pytest.mark.verify, pytest.mark.sandbox, pytest.mark.enable_socket, pytest.mark.timeout(1800)]


def test_killed_parts_lose_nothing_and_leave_nothing(tmp_path):
    told = chaos(tmp_path, Plan(submissions=40, students=10, kills=2, wipes=1))

    assert {claim: against for claim, against in told.claims.items() if against} == {}
    assert sum(told.done.values()) == 30
