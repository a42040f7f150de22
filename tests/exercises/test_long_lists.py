"""Lists that grow without end: each row can be reached, and a list never comes all at once."""

import re

import pytest
from django.urls import reverse
from knox.models import AuthToken

from exercises.choices import AuditAction, RefusalReason
from exercises.learn import refused
from exercises.learn.views import account, conversations
from exercises.models import Question, Refusal
from exercises.services import close_question, record_action
from exercises.teach import conversations as taught
from exercises.teach.authoring.views import courses, history, publishing
from tests.factories import make_assignment, make_exercise, make_revision

NEXT = re.compile(r'href="(\?[^"#]*)[^"]*" rel="next"')


def pages(client, address):
    """All pages from the address on, as they lead from one to the next."""
    found, query = [], ""
    while query is not None:
        text = client.get(f"{address}{query}").content.decode()
        found.append(text)
        match = NEXT.search(text)
        query = match and match[1].replace("&amp;", "&")
    return found


def told(texts, words):
    """On each page, in the order of the page, which of the words stand there."""
    return [sorted((word for word in words if word in text), key=text.index) for text in texts]


@pytest.fixture
def asked(people, course):
    words = ["the first", "the second", "the third"]
    for word in words:
        Question.objects.create(course=course, student=people["owner"], text=word)
    return words


def test_of_open_questions_the_one_that_waits_longest_comes_first(client, people, course, asked, monkeypatch):
    monkeypatch.setattr(taught, "SHOWN", 2)
    client.force_login(people["teacher"])
    address = reverse("teach:questions", args=(course.slug,))

    found = told(pages(client, address), asked)

    assert found == [["the first", "the second"], ["the third"]]
    assert "The oldest" in client.get(f"{address}?before=99999").content.decode()


def test_answered_questions_come_newest_first_and_none_is_cut_off(client, people, course, asked, monkeypatch):
    monkeypatch.setattr(taught, "SHOWN", 2)
    for question in Question.objects.all():
        close_question(question, by=people["teacher"])
    client.force_login(people["teacher"])
    address = reverse("teach:questions", args=(course.slug,))

    first = client.get(f"{address}?show=answered").content.decode()
    second = client.get(address + NEXT.search(first)[1].replace("&amp;", "&")).content.decode()

    assert told([first, second], asked) == [["the third", "the second"], ["the first"]]


def test_own_questions_can_all_be_reached(client, people, asked, monkeypatch):
    monkeypatch.setattr(conversations, "SHOWN", 2)
    client.force_login(people["owner"])

    found = told(pages(client, reverse("learn:questions")), asked)

    assert found == [["the third", "the second"], ["the first"]]


def test_record_of_a_course_can_be_read_to_its_beginning(client, people, course, monkeypatch):
    monkeypatch.setattr(courses, "ENTRIES", 2)
    monkeypatch.setattr(publishing, "ENTRIES", 2)
    exercise = make_exercise(course)
    reasons = ["for one", "for two", "for three"]
    for reason in reasons:
        details = {"reason": reason}
        record_action(course, AuditAction.PUBLISHED, actor=people["teacher"], target=exercise.slug, details=details)
    client.force_login(people["teacher"])

    address = reverse("authoring:record", args=(course.slug,))
    found = told(pages(client, address), reasons)

    assert found == [["for three", "for two"], ["for one"]]
    page = client.get(reverse("authoring:publish", args=(course.slug, exercise.slug))).content.decode()
    assert told([page], reasons) == [["for three", "for two"]]
    assert "What is older stands in the record" in page


def test_revisions_can_all_be_reached(client, people, course, monkeypatch):
    monkeypatch.setattr(history, "REVISIONS", 2)
    exercise = make_exercise(course)
    for number in range(3):
        make_revision(exercise, based_on=number)
    client.force_login(people["teacher"])

    found = pages(client, reverse("authoring:history", args=(course.slug, exercise.slug)))

    numbers = [f"older=r{before}&amp;newer=r{before + 1}" for before in (2, 1)]
    assert [[number in text for number in numbers] for text in found] == [[True, True], [False, False]]
    assert "Revision 1" in found[1]


@pytest.mark.parametrize("who", ["owner", "teacher"])
def test_hand_ins_that_were_not_taken_can_all_be_reached(client, people, course, monkeypatch, who):
    monkeypatch.setattr(refused, "SHOWN", 2)
    exercise = make_exercise(course)
    assignment = make_assignment(exercise)
    texts = ["one = 1", "two = 2", "three = 3"]
    for text in texts:
        fields = {"exercise": exercise, "assignment": assignment, "reason": RefusalReason.CLOSED, "source": text}
        Refusal.objects.create(student=people["owner"], **fields)
    client.force_login(people[who])
    addresses = {
        "owner": reverse("learn:exercise", args=(course.slug, exercise.slug)),
        "teacher": reverse("teach:assignment", args=(course.slug, assignment.slug)),
    }

    found = told(pages(client, addresses[who]), texts)

    assert found == [["three = 3", "two = 2"], ["one = 1"]]


def test_every_token_can_be_revoked(client, people, monkeypatch):
    monkeypatch.setattr(account, "TOKENS_A_PAGE", 2)
    keys = [AuthToken.objects.create(user=people["owner"])[0].token_key for _ in range(3)]
    client.force_login(people["owner"])

    first, second = (client.get(reverse("learn:account"), {"page": page}).content.decode() for page in (1, 2))

    assert told([first, second], keys) == [[keys[2], keys[1]], [keys[0]]]
    assert "Page 1 of 2, 3 tokens" in " ".join(first.split())
