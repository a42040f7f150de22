"""Requests that would cost us more than their sender: refused, or answered with no more than a page of it."""

import pytest
from django.urls import reverse

from exercises.models import Submission
from tests.exercises.api.client import Caller
from tests.factories import make_course, make_exercise, make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def exercise():
    return make_exercise(make_course())


@pytest.fixture
def signed_in(client, exercise):
    client.force_login(make_member(exercise.course))
    return client


def submit_page(exercise):
    return reverse("learn:submit", args=[exercise.course.slug, exercise.slug])


@pytest.mark.parametrize(("fields", "status"), [(1001, 400), (900, 302)])
def test_form_with_thousands_of_fields_is_refused(signed_in, exercise, fields, status):
    body = "source=x&" + "&".join(f"f{number}=" for number in range(fields))

    answer = signed_in.post(submit_page(exercise), body, content_type="application/x-www-form-urlencoded")

    assert (answer.status_code, Submission.objects.count()) == (status, int(status == 302))


@pytest.mark.parametrize(("files", "status"), [(101, 400), (1, 302)])
def test_form_with_hundreds_of_files_is_refused(signed_in, exercise, files, status):
    part = '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nx\r\n'
    source = '--b\r\nContent-Disposition: form-data; name="source"\r\n\r\nx\r\n'

    answer = signed_in.post(
        submit_page(exercise), source + part * files + "--b--\r\n", content_type="multipart/form-data; boundary=b"
    )

    assert (answer.status_code, Submission.objects.count()) == (status, int(status == 302))


@pytest.mark.parametrize(("size", "status"), [(3 * 1024 * 1024, 400), (200_000, 302)])
def test_form_of_megabytes_is_refused(signed_in, exercise, size, status):
    answer = signed_in.post(submit_page(exercise), {"source": "x" * size})

    assert answer.status_code == status
    assert Submission.objects.count() == int(status == 302)


@pytest.mark.parametrize(("text", "status"), [(b"[" * 100_000, 400), (b'{"source": "print(1)"}', 202)])
def test_json_that_is_nested_deep_is_refused(exercise, text, status):
    caller = Caller(make_member(exercise.course))

    answer = caller.post("runs/", text)

    assert answer.status_code == status


def test_many_fields_of_json_are_named_and_nothing_is_stored(exercise):
    caller = Caller(make_member(exercise.course))
    body = {f"f{number}": 1 for number in range(5000)}

    answer = caller.post("runs/", body)

    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("number", "status"), [("9" * 20, 200), ("-1", 200), ("1e9", 200), ("\u0663", 200), ("%00", 400)]
)
def test_no_number_in_an_address_makes_a_page_fail_or_long(client, exercise, number, status):
    client.force_login(make_member(exercise.course, role="instructor"))
    query = "&".join(f"{name}={number}" for name in ("page", "before", "size", "limit", "page_size", "version"))

    for route in ("teach:class", "teach:roster", "teach:gradebook", "teach:matrix"):
        assert client.get(f"{reverse(route, args=[exercise.course.slug])}?{query}").status_code == status


def test_long_search_is_answered(signed_in):
    for words in ("x" * 20_000, " ".join("ab" for _ in range(2000)), "%" * 500, "(" * 500):
        assert signed_in.get(reverse("learn:search"), {"q": words}).status_code == 200
