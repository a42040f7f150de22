import pytest
from django.db import OperationalError

from tests.factories import make_user

pytestmark = pytest.mark.django_db

FULL = OperationalError("database or disk is full")


@pytest.fixture
def failing(client, monkeypatch):
    """A signed-in client, and a way to let the question for its courses fail, by page and API alike."""
    client.force_login(make_user())
    client.raise_request_exception = False

    def fail_with(error):
        for module in ("exercises.api.views", "exercises.learn.views.courses"):
            monkeypatch.setattr(f"{module}.visible_courses", Raising(error))
        return client

    return fail_with


class Raising:
    """Raises when it is called."""

    def __init__(self, error):
        self._error = error

    def __call__(self, *_, **__):
        raise self._error


@pytest.mark.parametrize(("error", "status"), [(FULL, 503), (RuntimeError("a secret detail"), 500)])
def test_failure_is_told_to_a_program_in_json(failing, error, status):
    answer = failing(error).get("/api/v1/courses/")

    assert (answer.status_code, answer.json().keys()) == (status, {"detail", "request_id"})
    assert answer.json()["request_id"] == answer.headers["X-Request-ID"]
    assert str(error) not in answer.content.decode()


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [(FULL, 503, "For a moment not available"), (RuntimeError("a secret detail"), 500, "A fault of ours")],
)
def test_failure_is_told_to_a_person_on_a_page(failing, error, status, words):
    answer = failing(error).get("/courses/attention/")

    assert answer.status_code == status
    assert words in answer.content.decode()
    assert answer.headers["X-Request-ID"] in answer.content.decode()
    assert str(error) not in answer.content.decode()


@pytest.mark.parametrize(("error", "seconds"), [(FULL, "5"), (RuntimeError(), None)])
def test_time_to_try_again_is_told_where_trying_again_helps(failing, error, seconds):
    assert failing(error).get("/api/v1/courses/").get("Retry-After") == seconds
