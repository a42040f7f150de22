"""An exercise is taken back while somebody writes: what they wrote stays, and they are told."""

import pytest

from exercises.models import Draft, Refusal
from exercises.services import save_draft
from exercises.services.versions import take_away
from tests.factories import make_exercise, make_member

HTMX = {"HX-Request": "true"}


@pytest.fixture
def exercise(student, course):
    """Taken back after the student's first draft."""
    exercise = make_exercise(course)
    save_draft(student, exercise, source="first", revision=0)
    take_away(exercise)
    return exercise


@pytest.fixture
def base(exercise):
    return f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/"


def test_draft_is_saved_still(client, base):
    assert client.post(f"{base}draft/", {"source": "second", "revision": "1"}).status_code == 200
    assert Draft.objects.get().source == "second"


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_hand_in_is_refused_and_kept(client, base, course, headers):
    response = client.post(f"{base}submit/", {"source": "second", "version": "1"}, headers=headers)

    assert response.status_code == 409
    assert "takes no submissions any more" in response.content.decode()
    assert Refusal.objects.get().source == "second"
    if not headers:
        assert response.context["back_url"] == f"/courses/{course.slug}/"


def test_run_is_refused_with_the_reason(client, base):
    response = client.post(f"{base}run/", {"source": "second"}, headers=HTMX)

    assert (response.status_code, "nothing to run" in response.content.decode()) == (409, True)


def test_page_is_gone_and_who_never_met_the_exercise_learns_nothing(client, base, course):
    assert client.get(base).status_code == 404
    client.force_login(make_member(course))
    for action in ("draft/", "submit/", "run/"):
        assert client.post(f"{base}{action}", {"source": "x", "revision": "0"}).status_code == 404
