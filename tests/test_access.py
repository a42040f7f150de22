"""Every address × method × role × own and foreign object: a route without its rows in the table fails."""

import pytest
from django.db import transaction

from tests.access import ROLES, TABLE, World, routes, statuses, table, without_forbidden, written

ROUTES = dict(routes())


@pytest.fixture(scope="module")
def same_world(django_db_setup, django_db_blocker):
    """One for all routes: what a request changes is undone."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield World()
        transaction.set_rollback(True)


@pytest.fixture
def world(same_world):
    same_world.loose.clear()
    return same_world


@pytest.mark.parametrize("route", ROUTES)
def test_each_role_is_answered_as_the_table_says(world, route):
    unknown = [name for name in ROUTES[route] if name not in world.home.arguments(route)]
    assert not unknown, f"tests/access.py, Furniture.arguments: what is to be put in for {unknown}?"

    found = without_forbidden(statuses(world, route, ROUTES[route]))

    wanted = table().get(route)
    assert found == wanted, f"Is this what {TABLE.name} should say ({', '.join(ROLES)})?\n{written(route, found)}"
    assert world.loose == []


def test_table_has_no_rows_of_routes_that_are_gone():
    assert set(table()) - set(ROUTES) == set()


def test_no_row_of_the_table_is_a_fault_of_ours():
    faulty = {route for route, rows in table().items() for codes in rows.values() if max(codes) >= 500}

    # There is no broker in these tests, and /readyz says so.
    assert faulty == {"readyz"}
