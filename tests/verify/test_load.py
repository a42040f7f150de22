"""A short `make load` on the embedded default, with as many web processes as cores."""

import pytest

from tests.load.__main__ import Plan, claims, load

pytestmark = [pytest.mark.verify, pytest.mark.sandbox, pytest.mark.enable_socket, pytest.mark.timeout(1800)]


def test_class_that_hands_in_at_once_is_served_whole(tmp_path):
    # Whether it is quick depends on what else the machine does.
    plan = Plan(students=50, within=5, graded=900)

    held = claims(load(tmp_path, plan), plan)

    assert {claim: against for claim, against in held.items() if against} == {}
