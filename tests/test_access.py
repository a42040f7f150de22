"""Every address × method × role × own and foreign object: a route without its rows in the table fails."""

import pytest

from tests.access import ROLES, TABLE, World, routes, statuses, table, without_forbidden, written

ROUTES = dict(routes())


@pytest.mark.django_db
@pytest.mark.parametrize("route", ROUTES)
def test_each_role_is_answered_as_the_table_says(route):
    world = World()
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
