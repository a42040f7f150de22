import re
from datetime import timedelta
from html import unescape

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from exercises import live
from exercises.choices import Kind, Shown
from exercises.models import JoinLink
from exercises.services import RunFacts, claim_next, record_outcome, submit
from exercises.teach.classes import analysis, views
from graders.outcomes import Verdict
from tests.exercises.learn.people import expecting
from tests.factories import make_assignment, make_exercise, make_graded, make_member, make_outcome, make_submission

WRONG = {"verdict": Verdict.WRONG_ANSWER, "score": 1}


def address_of(course):
    return f"/teach/{course.slug}/"


@expecting(owner=404, classmate=404, stranger=404, teacher=200)
def test_class_is_for_its_staff(client, people, course, who, status):
    client.force_login(people[who])

    assert client.get(address_of(course)).status_code == status


def test_class_names_who_is_at_risk_and_why(client, people, course):
    for _ in range(3):
        exercise = make_exercise(course)
        for _ in range(3):
            make_graded(people["owner"], exercise, outcome=make_outcome(**WRONG))
    client.force_login(people["teacher"])

    overview = client.get(address_of(course)).context["overview"]

    assert [(line.name, line.reasons) for line in overview.risks] == [(str(people["owner"]), ["stuck at 3 exercises"])]


def test_class_tells_of_each_assignment_what_students_see(client, people, course):
    make_assignment(make_exercise(course), is_hidden=True, outcomes_shown=Shown.RELEASED)
    closed = {"closes_at": timezone.now() - timedelta(days=1)}
    make_assignment(make_exercise(course), **closed)
    client.force_login(people["teacher"])

    hidden, shown = client.get(address_of(course)).context["overview"].assignments

    assert (hidden.is_hidden, hidden.mark.word, hidden.outcomes) == (True, "Open", "once released")
    assert (shown.is_hidden, shown.mark.word, shown.outcomes, shown.solutions) == (False, "Closed", "shown", "shown")


@expecting(owner=404, classmate=404, stranger=404, teacher=200)
def test_live_panel_is_for_staff_and_a_fragment(client, people, course, who, status):
    client.force_login(people[who])

    panel = client.get(f"{address_of(course)}panel/")

    assert panel.status_code == status
    assert b"<html" not in panel.content or status == 404


def test_panel_follows_the_course(client, people, course):
    client.force_login(people["teacher"])

    panel = client.get(f"{address_of(course)}panel/").content.decode()

    token = re.search(r'data-events="/events/([^/]+)/"', panel)[1]
    assert live.topic_of(unescape(token)) == course.topic


def test_class_names_what_we_failed_to_judge(client, people, course):
    submission = make_submission(people["owner"], make_exercise(course))
    record_outcome(claim_next("test"), make_outcome(verdict=Verdict.INTERNAL_ERROR, score=0), facts=RunFacts())
    client.force_login(people["teacher"])

    assert submission.receipt in client.get(address_of(course)).content.decode()


def test_class_without_students_says_what_to_do(client, people, course):
    course.memberships.filter(role="student").delete()
    client.force_login(people["teacher"])

    assert "Nobody has joined yet." in client.get(address_of(course)).content.decode()


def test_class_takes_as_many_queries_for_three_students(client, people, course, queries_of):
    exercise = make_exercise(course)
    make_graded(people["owner"], exercise)
    client.force_login(people["teacher"])
    queries_of(address_of(course))
    one = queries_of(address_of(course))
    for _ in range(2):
        make_graded(make_member(course), make_exercise(course))

    assert queries_of(address_of(course)) == one


@expecting(owner=404, classmate=404, stranger=404, teacher=200)
def test_join_links_are_made_by_staff(client, people, course, who, status):
    client.force_login(people[who])

    response = client.post(f"{address_of(course)}join-link/")

    assert response.status_code == status
    assert JoinLink.objects.count() == (status == 200)


def test_join_link_is_shown_and_works(client, people, course):
    client.force_login(people["teacher"])

    page = client.post(f"{address_of(course)}join-link/", headers={"HX-Request": "true"})

    address = page.context["join_url"].removeprefix("http://testserver")
    client.force_login(people["outsider"])
    assert client.post(address).status_code == 302
    assert course.memberships.get(user=people["outsider"]).role == "student"


def test_analysis_is_of_the_version_that_is_named_and_of_nothing_that_is_no_number(client, people, course):
    exercise = make_exercise(course)
    address = reverse("teach:exercise-analysis", args=[course.slug, exercise.slug])
    client.force_login(people["teacher"])

    found = [client.get(address, {"version": version}).status_code for version in ("1", "x", "9" * 5000)]

    assert found == [200, 400, 400]


def test_hand_ins_of_a_student_come_in_pages_and_without_their_texts(client, people, course, monkeypatch):
    monkeypatch.setattr(views, "ATTEMPTS_A_PAGE", 2)
    exercise = make_exercise(course)
    texts = [f"x = {number}  # of attempt {number}\n" for number in range(3)]
    handed_in = [make_graded(people["owner"], exercise, source=text) for text in texts]
    address = reverse("teach:attempts", args=[course.slug, people["owner"].pk, exercise.slug])
    client.force_login(people["teacher"])

    with CaptureQueriesContext(connection) as queries:
        pages = [client.get(address, {"page": number}).context for number in (1, 2)]

    lines = [[(line.number, line.receipt) for line in page["attempts"]] for page in pages]
    first, second, third = (row.receipt for row in handed_in)
    assert lines == [[(3, third), (2, second)], [(1, first)]]
    assert not [query["sql"] for query in queries if '"exercises_submission"."source"' in query["sql"]]


def test_analysis_says_how_many_rare_answers_it_leaves_out(client, people, course, monkeypatch):
    monkeypatch.setattr(analysis, "IN_TABLE", 1)
    exercise = make_exercise(course, kind=Kind.NUMERIC)
    for typed in ("7", "8", "8", "9"):
        submit(make_member(course), exercise, response=typed)
    client.force_login(people["teacher"])

    page = client.get(reverse("teach:exercise-analysis", args=[course.slug, exercise.slug]))

    assert [cause.title for cause in page.context["analysis"].causes] == ["8"]
    assert "2 rarer answers are left out." in page.content.decode()
