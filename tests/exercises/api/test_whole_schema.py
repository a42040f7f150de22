"""Every call of the API with parameters and bodies that fit its schema and that do not: never a fault of ours, never an
answer of another form than the schema says.

What fits the schema may still be refused: two answers at once, a version that there is not.
"""

import os

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from knox.models import AuthToken
from schemathesis.specs.openapi.checks import positive_data_acceptance

from exercises.choices import Kind, RunKind
from quizsite.wsgi import application
from tests.factories import make_exercise, make_graded, make_lesson, make_run

SCHEMA = schemathesis.openapi.from_wsgi("/api/v1/schema/", application)
# Few in `make test`; `make verify` asks for many.
EXAMPLES = settings(
    max_examples=int(os.environ.get("SCHEMA_EXAMPLES", "5")),
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    database=None,
)

pytestmark = pytest.mark.django_db


@schemathesis.serializer("application/zip")
def written_zip(_context, value):
    """Bytes as they were made up: hardly ever a zip."""
    return value if isinstance(value, bytes) else str(value).encode()


@pytest.fixture(autouse=True)
def one_connection():
    """The application leaves the test's connection to the database open, as Django's own test client has it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def there(people, course):
    """What addresses can name: a course with its exercises and what the student did there."""
    exercise = make_exercise(course)
    make_exercise(course, kind=Kind.CHOICE)
    make_lesson(course)
    graded, run = make_graded(people["owner"], exercise), make_run(people["owner"], kind=RunKind.FREE)
    return {
        "submissions": {"id": graded.pk},
        "runs": {"id": run.pk},
        "": {"course": course.slug, "slug": exercise.slug},
    }


def headers_of(user):
    # Uncompressed: this client takes what comes as it is.
    return {"Authorization": f"Token {AuthToken.objects.create(user=user)[1]}", "Accept-Encoding": "identity"}


@SCHEMA.parametrize()
@EXAMPLES
def test_made_up_address_is_answered_as_the_schema_says(case, people):
    case.call_and_validate(headers=headers_of(people["owner"]), excluded_checks=[positive_data_acceptance])


@pytest.mark.parametrize("who", ["owner", "teacher"])
@SCHEMA.parametrize()
@EXAMPLES
def test_address_of_what_is_there_is_answered_as_the_schema_says(case, people, there, who):
    name = case.path.removeprefix("/api/v1/").split("/")[0]
    names = there.get(name, there[""])
    case.path_parameters.update({key: names[key] for key in case.path_parameters if key in names})

    case.call_and_validate(headers=headers_of(people[who]), excluded_checks=[positive_data_acceptance])
