import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.exercises.learn.people import make_people

HTMX = {"HX-Request": "true"}


@pytest.fixture
def people(db):
    return make_people()


@pytest.fixture
def course(people):
    return people["course"]


@pytest.fixture
def student(client, people):
    """The owner of what the test makes, signed in."""
    client.force_login(people["owner"])
    return people["owner"]


@pytest.fixture
def queries_of(client):
    """How many queries a page takes."""

    def count(address):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            response = client.get(address)
        assert response.status_code == 200
        return len(queries)

    return count
