"""Code as a link: opened as text, never run by itself."""

import random
import string

import pytest
from django.core import signing

from exercises.blobs import pack
from exercises.choices import RunKind, State
from exercises.errors import LinkError
from exercises.learn.shared import shared_source, shared_url
from exercises.models import Run
from tests.factories import make_exercise, make_lesson, make_run

HTMX = {"HX-Request": "true"}
SOURCE = "import torch\n\nprint('</textarea><b>')\n"
DONE = {"state": State.GRADED, "verdict": "accepted", "result": pack({"stdout": "1\n", "error": None})}


def token_of(url):
    return url.rstrip("/").split("/")[-1]


def test_link_opens_the_code_as_text_and_runs_nothing(client, student):
    text = client.get(shared_url(SOURCE)).content.decode()

    assert "print(&#x27;&lt;/textarea&gt;&lt;b&gt;&#x27;)" in text
    assert "Read it before you run it" in text
    assert not Run.objects.exists()


def test_shared_code_has_a_draft_of_its_own(client, student):
    mine = client.get("/playground/").content.decode()
    shared = client.get(shared_url(SOURCE)).content.decode()

    assert 'data-local-draft="playground"' in mine
    assert 'data-local-draft="shared-' in shared


def test_link_is_for_people_who_are_signed_in(client):
    assert client.get(shared_url(SOURCE))["Location"].startswith("/account/login/")


@pytest.mark.parametrize("change", [lambda token: token[:-1], lambda token: f"x{token}", lambda token: "nothing"])
def test_link_that_was_changed_is_refused(client, student, change):
    address = f"/playground/shared/{change(token_of(shared_url(SOURCE)))}/"

    page = client.get(address)

    assert page.status_code == 409
    assert "not complete" in page.content.decode()


def test_token_of_another_purpose_is_refused():
    with pytest.raises(LinkError):
        shared_source(signing.dumps(SOURCE, salt="something else"))


def test_share_gives_a_link_to_copy(client, student):
    text = client.post("/playground/share/", {"source": SOURCE.replace("\n", "\r\n")}, headers=HTMX).content.decode()

    url = text.split('value="')[1].split('"')[0]
    assert url.startswith("http://testserver/playground/shared/")
    assert shared_source(token_of(url)) == SOURCE


def test_share_without_a_script_shows_the_link_on_the_playground(client, student):
    page = client.post("/playground/share/", {"source": SOURCE})

    assert page.context["source"] == SOURCE
    assert "/playground/shared/" in page.content.decode()


def test_what_is_too_long_for_a_link_is_refused(client, student):
    noise = "".join(random.Random(1).choices(string.ascii_letters, k=6000))

    page = client.post("/playground/share/", {"source": noise}, headers=HTMX)

    assert page.status_code == 400
    assert "too long for a link" in page.content.decode()
    assert shared_url(noise) == ""


def test_nothing_cannot_be_shared(client, student):
    assert client.post("/playground/share/", {"source": " \n"}, headers=HTMX).status_code == 400


def test_run_offers_a_link_once_it_is_done(client, student):
    waiting = make_run(student)
    done = make_run(student, source=SOURCE, **DONE)

    assert "Link to this code" not in client.get(f"/runs/{waiting.pk}/panel/").content.decode()
    assert shared_source(token_of(client.get(f"/runs/{done.pk}/panel/").context["panel"].shared_url)) == SOURCE


@pytest.mark.parametrize(("is_fresh", "source"), [(False, "a = 1\n\nb = a"), (True, "b = a")])
def test_link_of_a_snippet_holds_what_ran_before_it(client, student, course, is_fresh, source):
    snippets = [{"source": "a = 1\n", "fresh": False}, {"source": "print(a)\n", "fresh": is_fresh}]
    lesson = make_lesson(course, snippets=snippets)
    run = make_run(student, kind=RunKind.SNIPPET, lesson=lesson, snippet=1, source="b = a", **DONE)

    assert shared_source(token_of(client.get(f"/runs/{run.pk}/panel/").context["panel"].shared_url)) == source


def test_work_on_an_exercise_is_no_link(client, student, course):
    exercise = make_exercise(course)
    run = make_run(student, kind=RunKind.CASES, version=exercise.published, source=SOURCE, **DONE)

    assert client.get(f"/runs/{run.pk}/panel/").context["panel"].shared_url == ""
