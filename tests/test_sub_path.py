"""The site below a path of somebody else's host, whose proxy takes the path off each request."""

import re
from html import unescape

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.test import Client
from django.urls import reverse, set_script_prefix

from exercises.choices import Role
from exercises.models import Notice
from exercises.services import create_join_link, create_sign_in_link, submit, tell
from quizsite.sub_path import OWN, BelowPath, read_sub_path
from tests.access import Furniture, routes
from tests.factories import make_member, make_user

PREFIX = "/learn/torch"
# Whatever in a page leads somewhere: links, forms, files, fragments, streams, and addresses that scripts read.
ADDRESSES = re.compile(r"""\s([a-z:-]+)=["'](/[^"'\s]*)["']""")
# What only looks like an address: a key to type, a drawing, a random word, the text of a field.
NO_ADDRESSES = {"data-type", "d", "nonce", "value"}
MOST_PAGES = 60


@pytest.fixture
def below(settings):
    """What `QUIZSITE_SUB_PATH` makes of the settings that pages are written by."""
    settings.SUB_PATH = settings.FORCE_SCRIPT_NAME = PREFIX
    settings.STATIC_URL = f"{PREFIX}/static/"
    settings.SESSION_COOKIE_PATH = settings.CSRF_COOKIE_PATH = PREFIX
    settings.MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
    set_script_prefix(f"{PREFIX}/")
    yield
    set_script_prefix("/")


def addresses_in(text):
    found = {(name, unescape(address)) for name, address in ADDRESSES.findall(text)}
    return {address for name, address in found if name not in NO_ADDRESSES}


class Reader:
    """Somebody who follows links, through a proxy that takes the path off."""

    def __init__(self, user):
        self._client = Client()
        self._client.force_login(user)
        self.outside, self.seen = set(), set()

    def read(self, start):
        waiting = [start]
        while waiting and len(self.seen) < MOST_PAGES:
            address = waiting.pop(0).partition("#")[0]
            if address in self.seen or address.startswith((f"{PREFIX}/static/", f"{PREFIX}/events/")):
                continue
            self.seen.add(address)
            waiting += sorted(self._found_at(address))

    def _found_at(self, address):
        answer = self._client.get(address.removeprefix(PREFIX))
        found = {answer["Location"]} if "Location" in answer else set()
        if answer.get("Content-Type", "").startswith("text/html"):
            found |= addresses_in(answer.content.decode())
        elsewhere = {it for it in found if it.startswith("/") and not it.startswith(f"{PREFIX}/")}
        self.outside |= {(address, it) for it in elsewhere}
        return {it for it in found if it.startswith(f"{PREFIX}/") and "logout" not in it}


@pytest.mark.django_db
@pytest.mark.parametrize("role", [Role.STUDENT, Role.INSTRUCTOR])
def test_every_address_on_every_page_has_the_path(role, below):
    furniture = Furniture()
    person = furniture.student if role == Role.STUDENT else make_member(furniture.course, role=role)
    reader = Reader(person)

    reader.read(f"{PREFIX}/")

    assert reader.outside == set()
    assert len(reader.seen) > 20
    assert reverse("learn:exercise", args=(furniture.course.slug, furniture.exercise.slug)) in reader.seen


@pytest.mark.django_db
def test_who_is_not_signed_in_is_led_to_the_sign_in_below_the_path(below):
    client = Client()

    answer = client.get("/account/")
    page = client.get("/account/login/")

    assert answer["Location"].startswith(f"{PREFIX}/account/login/?next={PREFIX}/")
    assert all(address.startswith(f"{PREFIX}/") for address in addresses_in(page.content.decode()))
    assert {cookie["path"] for cookie in page.cookies.values()} == {PREFIX}


@pytest.mark.django_db
def test_links_that_are_handed_out_and_events_have_the_path(below):
    furniture = Furniture()
    instructor = make_member(furniture.course, role=Role.INSTRUCTOR)
    signing_in = reverse("learn:sign-in-link", args=(create_sign_in_link(instructor),))
    joining = reverse("learn:join", args=(create_join_link(furniture.course, Role.STUDENT, created_by=None),))
    client = Client()

    answer = client.post(signing_in.removeprefix(PREFIX))
    paths = {cookie["path"] for cookie in answer.cookies.values()}
    client.force_login(furniture.student)
    waiting = submit(furniture.student, furniture.exercise, source="x = 1\n")
    submission = client.get(f"/api/v1/submissions/{waiting.pk}/").json()

    assert joining.startswith(f"{PREFIX}/join/")
    assert answer["Location"].startswith(f"{PREFIX}/")
    assert paths == {PREFIX}
    assert submission["events_url"].startswith(f"{PREFIX}/events/")


@pytest.mark.django_db
def test_notice_leads_to_its_page_wherever_the_site_lies(below, settings):
    notice = tell(make_user().pk, "Judged.", url=f"{PREFIX}/submissions/1/")

    here = Notice.objects.get(url=f"{PREFIX}/submissions/1/")
    settings.SUB_PATH = ""
    elsewhere = Notice.objects.get(url="/submissions/1/")

    assert (here.pk, here.url) == (notice.pk, f"{PREFIX}/submissions/1/")
    assert (elsewhere.pk, elsewhere.url) == (notice.pk, "/submissions/1/")


@pytest.mark.django_db
@pytest.mark.parametrize("error", [RuntimeError("ours"), OperationalError("away")])
def test_page_of_a_fault_leads_to_the_site_and_not_to_the_host(error, below, monkeypatch):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("exercises.learn.views.courses.visible_courses", fail)
    client = Client(raise_request_exception=False)
    client.force_login(make_user())

    page = client.get("/courses/attention/").content.decode()

    assert f'href="{PREFIX}/"' in page
    assert all(address.startswith(f"{PREFIX}/") for address in addresses_in(page))


@pytest.mark.parametrize("text", ["/learn/torch", "/learn/torch/", "/a.b-c_d~e"])
def test_path_is_taken_without_its_last_slash(text):
    assert read_sub_path(text) == text.rstrip("/")


@pytest.mark.parametrize("text", ["", "/"])
def test_no_path_is_the_root(text):
    assert read_sub_path(text) == ""


@pytest.mark.parametrize(
    "text",
    ["learn", "//learn", "/learn//torch", "/..", "/a/../b", "/a b", "/a?b", "/a;b", "/ä", "/api", "/courses/torch"],
)
def test_what_is_no_path_or_is_one_of_our_own_is_refused(text):
    with pytest.raises(ImproperlyConfigured, match="QUIZSITE_SUB_PATH"):
        read_sub_path(text)


def test_every_address_of_ours_begins_with_a_word_that_no_path_may_begin_with():
    firsts = set()
    for route, arguments in routes():
        address = reverse(route, kwargs=dict.fromkeys(arguments, "1"))
        firsts.add(address.split("/")[1])

    assert firsts - {""} <= OWN


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (f"{PREFIX}/courses/", "/courses/"),
        ("/courses/", "/courses/"),
        (PREFIX, "/"),
        (f"{PREFIX}s/courses/", f"{PREFIX}s/courses/"),
    ],
)
def test_request_is_understood_whether_or_not_the_proxy_has_cut_the_path_off(asked, told):
    heard = []
    application = BelowPath(lambda environ, _: heard.append(environ["PATH_INFO"]) or [], PREFIX)

    application({"PATH_INFO": asked}, lambda *_: None)

    assert heard == [told]
