"""The roster as pages: looked at, imported, links shown once, members changed."""

import csv
import io
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from exercises.choices import Role
from exercises.models import SignInLink, User
from exercises.services import redeem_sign_in_link
from tests.factories import make_course, make_member, make_user

pytestmark = pytest.mark.django_db

LIST = "username;Last Name;First name;Section\nada;Lind;Ada;Monday\nbad name;x;y;\n=cmd;A;B;\n"
HIDDEN = re.compile(r'name="(list|digest|links)" value="([^"]*)"')


class Roster:
    def __init__(self, client):
        self.client = client
        self.course = make_course()
        self.instructor = make_member(self.course, role=Role.INSTRUCTOR)
        client.force_login(self.instructor)

    def address(self, name, *args):
        return reverse(f"teach:{name}", args=(self.course.slug, *args))

    def send(self, text, encoding="utf-8"):
        file = SimpleUploadedFile("class.csv", text.encode(encoding))
        return self.client.post(self.address("roster-import"), {"file": file})

    def take(self, page):
        sent = {name: unescaped(value) for name, value in HIDDEN.findall(page.content.decode())}
        return self.client.post(self.address("take-roster"), {name: sent[name] for name in ("list", "digest")})

    def member(self, user):
        return self.course.memberships.get(user=user).pk


def unescaped(value):
    for escaped, plain in (("&quot;", '"'), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        value = value.replace(escaped, plain)
    return value


@pytest.fixture
def roster(client):
    return Roster(client)


def test_looking_shows_what_would_be_done_and_does_nothing(roster):
    page = roster.send(LIST).content.decode()

    assert "Added, with a new account" in page
    assert "Enter a valid username" in page
    assert "Do the rest, without the 2 refused lines" in page
    assert not User.objects.filter(username="ada").exists()


def test_whose_account_would_be_added_is_told(roster):
    made = make_user(username="ada", first_name="Somebody", last_name="Else")

    page = roster.send("username,last name,role\nada,Lind,assistant\nbo,Moen,\n").content.decode()

    assert f"account of Somebody Else since {made.date_joined:%Y-%m-%d}" in page
    assert page.count("account of ") == 1


def test_guess_of_the_encoding_is_told(roster):
    page = roster.send("username,last name\nada,Åström\n", encoding="cp1252").content.decode()

    assert "was read as Windows-1252" in page
    assert "Åström" in page


@pytest.mark.parametrize("text", ["", "nothing,here\n1,2\n"])
def test_what_is_no_list_is_refused_in_words(roster, text):
    assert roster.send(text).status_code == 400


def test_without_a_file_it_is_said(roster):
    answer = roster.client.post(roster.address("roster-import"))

    assert (answer.status_code, "Choose a file first." in answer.content.decode()) == (400, True)


def test_taking_shows_each_link_once_and_saves_them_as_csv(roster):
    page = roster.take(roster.send(LIST))

    text = page.content.decode()
    (url,) = re.findall(r"http://testserver/sign-in/[\w-]+/", text)
    (signed,) = [unescaped(value) for name, value in HIDDEN.findall(text) if name == "links"]
    saved = roster.client.post(roster.address("roster-links-csv"), {"links": signed})
    (line,) = csv.DictReader(io.StringIO(b"".join(saved.streaming_content).decode("utf-8-sig")))
    assert (line["username"], line["section"], line["link"]) == ("ada", "Monday", url)
    assert redeem_sign_in_link(url.split("/")[-2]).username == "ada"
    assert url not in roster.client.get(roster.address("roster")).content.decode()


def test_links_of_another_course_or_made_up_ones_are_not_written(roster, client):
    page = roster.take(roster.send(LIST)).content.decode()
    (signed,) = [value for name, value in HIDDEN.findall(page) if name == "links"]
    other = Roster(client)

    for links in (signed, "made up", ""):
        assert other.client.post(other.address("roster-links-csv"), {"links": links}).status_code == 400


def test_what_has_changed_meanwhile_is_shown_again(roster):
    page = roster.send(LIST)
    make_member(roster.course, username="ada")

    answer = roster.take(page)

    assert answer.status_code == 409
    assert "Look at the list again." in answer.content.decode()
    assert not SignInLink.objects.exists()


def test_list_with_nothing_new_offers_nothing_to_do(roster):
    make_member(roster.course, username="ada", last_name="Lind")

    page = roster.send("username\nada\n").content.decode()

    assert "It would change nothing." in page
    assert 'name="digest"' not in page


def test_members_are_found_by_section_role_and_words(roster):
    ada, bo = make_member(roster.course, username="ada"), make_member(roster.course, username="bobo")
    roster.course.memberships.filter(user=ada).update(section="Monday", external_id="0041")
    make_member(roster.course, username="preview-1", role=Role.PREVIEW)

    def shown(**query):
        page = roster.client.get(roster.address("roster"), query).content.decode()
        return [name for name in ("ada", "bobo", roster.instructor.username, "preview-1") if f"<td>{name}</td>" in page]

    assert shown() == ["ada", "bobo", roster.instructor.username]
    assert shown(section="Monday") == shown(q="0041") == shown(q="ADA") == ["ada"]
    assert shown(role="instructor") == [roster.instructor.username]
    assert bo.username == "bobo"


def test_roster_as_csv_can_be_imported_again_and_changes_nothing(roster):
    ada = make_member(roster.course, username="ada", first_name="Ada", last_name="Lind")
    roster.course.memberships.filter(user=ada).update(section="Monday", external_id="0041")
    answer = roster.client.get(roster.address("roster-csv"))

    page = roster.send(b"".join(answer.streaming_content).decode("utf-8-sig")).content.decode()

    assert "It would change nothing." in page


def test_ticked_members_are_moved(roster):
    ada = make_member(roster.course)

    roster.client.post(
        roster.address("move-to-section"), {"member": [roster.member(ada), "x", "9" * 5000], "section": " Monday "}
    )

    assert ada.memberships.get().section == "Monday"


def test_member_is_changed_and_taken_out(roster):
    ada = make_member(roster.course)
    pk = roster.member(ada)

    changed = roster.client.post(roster.address("member", pk), {"role": "assistant", "section": "", "external_id": "7"})
    refused = roster.client.post(roster.address("member", pk), {"role": "preview", "section": "", "external_id": "7"})

    assert (changed.status_code, refused.status_code) == (302, 400)
    assert ada.memberships.get().role == Role.ASSISTANT
    assert roster.client.post(roster.address("remove-member", pk)).status_code == 302
    assert not ada.memberships.exists()


def test_reset_shows_a_link_once(roster):
    ada = make_member(roster.course)

    page = roster.client.post(roster.address("reset-member", roster.member(ada))).content.decode()

    (token,) = re.findall(r"/sign-in/([\w-]+)/", page)
    assert redeem_sign_in_link(token) == ada


def test_reset_of_staff_is_refused_in_words(roster):
    other = make_member(roster.course, role=Role.INSTRUCTOR)

    answer = roster.client.post(roster.address("reset-member", roster.member(other)))

    assert (answer.status_code, "more than a student" in answer.content.decode()) == (409, True)


def test_assistants_look_and_make_links_for_students_alone(roster):
    assistant = make_member(roster.course, role=Role.ASSISTANT)
    roster.client.force_login(assistant)

    page = roster.client.get(roster.address("roster")).content.decode()

    assert "Import a class list" not in page
    assert roster.client.post(roster.address("roster-link"), {"role": "student"}).status_code == 200
    assert roster.client.post(roster.address("roster-link"), {"role": "instructor"}).status_code == 409
    assert roster.client.post(roster.address("roster-link"), {"role": "preview"}).status_code == 400


def test_page_costs_the_same_queries_for_few_and_for_many(roster, django_assert_max_num_queries):
    for _ in range(3):
        with django_assert_max_num_queries(12):
            roster.client.get(roster.address("roster"))
        make_member(roster.course)
