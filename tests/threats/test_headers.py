"""What browsers and caches are told with every answer of the site."""

import pytest
from django.urls import reverse

from exercises.models import Asset
from tests.access import is_loose
from tests.factories import make_course, make_member

pytestmark = pytest.mark.django_db

ADDRESSES = ("/", "/account/login/", "/api/v1/courses/", "/nothing/", "/healthz", "/search/?q=x", "/metrics")


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_answer_can_be_framed_guessed_at_or_kept(client, address):
    """Of each kind one; tests/test_access.py asks the same of every answer to every role."""
    client.force_login(make_member(make_course()))
    answer = client.get(address)

    assert not is_loose(answer)
    for header in ("X-Frame-Options", "X-Content-Type-Options", "Content-Security-Policy", "Cache-Control"):
        loose = client.get(address)
        del loose[header]
        assert is_loose(loose), header


@pytest.mark.parametrize(
    ("media_type", "is_shown"),
    [
        ("image/png", True),
        ("image/svg+xml", False),
        ("text/html", False),
        ("application/pdf", False),
        ("application/x-ipynb+json", False),
        ("text/csv", False),
    ],
)
def test_files_of_a_course_are_shown_or_saved_by_what_they_are(client, media_type, is_shown):
    course = make_course()
    Asset.objects.create(course=course, path="file", media_type=media_type, digest="d", content=b"<script>1</script>")
    client.force_login(make_member(course))

    answer = client.get(reverse("learn:asset", args=[course.slug, "file"]))

    assert answer["Content-Type"] == media_type
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert (answer.get("Content-Disposition") is None) == is_shown
    assert ("sandbox" in answer["Content-Security-Policy"]) != is_shown
