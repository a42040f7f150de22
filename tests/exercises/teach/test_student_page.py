"""One student, for the staff of the course: what happened, what stands by hand, what can be done."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from exercises.choices import ActivityKind, RefusalReason, Role, RunKind, State
from exercises.models import Activity, BestScore, Extension, Override, Refusal, Run
from exercises.services import grant_extension, start_assignment
from exercises.services.overrides import set_override
from tests.exercises.learn.people import expecting
from tests.factories import make_assignment, make_course, make_exercise, make_graded, make_lesson, make_member, make_run


def address_of(course, student, name="student"):
    return reverse(f"teach:{name}", args=(course.slug, student.pk))


@pytest.fixture
def teacher(client, people):
    client.force_login(people["teacher"])
    return people["teacher"]


@pytest.fixture
def owner(people):
    return people["owner"]


@expecting(owner=404, classmate=404, stranger=404, teacher=200)
def test_student_is_shown_to_staff(client, people, course, who, status):
    client.force_login(people[who])

    assert client.get(address_of(course, people["owner"])).status_code == status


def test_stranger_to_the_course_is_not_found(client, people, course, teacher):
    assert client.get(address_of(course, people["stranger"])).status_code == 404


def test_student_page_leads_to_each_submission_of_this_course(client, owner, course, teacher):
    first, second = (make_graded(owner, make_exercise(course)) for _ in range(2))
    elsewhere = make_graded(owner, make_exercise(make_course()))

    text = client.get(address_of(course, owner)).content.decode()

    for submission in (first, second):
        assert f'href="/teach/{course.slug}/submissions/{submission.pk}/"' in text
    assert elsewhere.receipt not in text


def test_all_that_happened_is_told_in_order(client, owner, course, teacher):
    exercise = make_exercise(course, version={"title": "Softmax", "points": Decimal(4)})
    quiz = make_assignment(make_exercise(course), is_quiz=True, title="Quiz one")
    submission = make_graded(owner, exercise)
    make_run(owner, kind=RunKind.CASES, version=exercise.published)
    make_run(owner, kind=RunKind.SNIPPET, lesson=make_lesson(course, title="On rows"), snippet=0)
    make_run(owner)
    Activity.objects.create(student=owner, exercise=exercise, kind=ActivityKind.HINT_OPENED, number=2)
    Refusal.objects.create(student=owner, exercise=exercise, reason=RefusalReason.CLOSED, source="too late = 1")
    start_assignment(owner, quiz)
    grant_extension(quiz, student=owner, author=teacher, extra_attempts=2, reason="Was ill")
    set_override(exercise, student=owner, author=teacher, score=Decimal(2), reason="Half of it")

    text = client.get(address_of(course, owner)).content.decode()

    told = text.split('id="timeline-title"')[1]
    places = [
        told.index(words)
        for words in (
            "Score set by hand",
            "Granted time or attempts",
            "Started",
            "Not taken: Closed",
            "Hint opened 2",
            "Ran a snippet",
            "Ran the visible cases",
            "Handed in: Accepted",
        )
    ]
    assert places == sorted(places)
    for words in ("2 more attempts", "Was ill", "Half of it", submission.receipt, "On rows", "Softmax", "Quiz one"):
        assert words in told
    assert "too late = 1" in text
    assert "set by hand" in text
    assert client.get(address_of(course, owner, "override")).status_code == 200
    assert "Extra time" in client.get(address_of(course, owner, "grant")).content.decode()
    # The playground is no part of the course.
    assert told.count("Ran ") == 2


def test_what_is_older_is_on_a_page_of_its_own(client, owner, course, teacher, monkeypatch):
    monkeypatch.setattr("exercises.teach.assistance.student_page.EVENTS", 1)
    exercise = make_exercise(course)
    first = make_run(owner, kind=RunKind.CASES, version=exercise.published)
    Run.objects.filter(pk=first.pk).update(queued_at=timezone.now() - timedelta(days=1))
    make_run(owner, kind=RunKind.CASES, version=exercise.published)

    page = client.get(address_of(course, owner))
    older = client.get(address_of(course, owner), {"before": page.context["older"]})

    assert page.content.decode().count("Ran the visible cases") == 1
    assert older.content.decode().count("Ran the visible cases") == 1
    assert older.context["lines"][0].at < page.context["lines"][0].at
    assert older.context["older"] == ""
    for before in ("2026-99-99T10:00", "9999-12-31T23:59-05:00", "0001-01-01T00:00+05:00"):
        assert client.get(address_of(course, owner), {"before": before}).status_code == 200


def test_score_is_set_and_withdrawn_by_hand(client, owner, course, teacher):
    exercise = make_exercise(course, version={"points": Decimal(10)})
    assignment = make_assignment(exercise)
    form = {"place": exercise.slug, "score": "7.5", "reason": "The case was wrong."}

    answer = client.post(address_of(course, owner, "override"), form)
    within = {**form, "place": f"{assignment.slug}/{exercise.slug}"}
    client.post(address_of(course, owner, "override"), within)

    assert answer["Location"] == address_of(course, owner)
    assert BestScore.objects.get().score == Decimal("7.5")
    override = Override.objects.get(assignment=None)
    assert Override.objects.get(assignment=assignment).max_score == 10
    client.post(reverse("teach:withdraw-override", args=(course.slug, override.pk)))
    assert not BestScore.objects.exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"score": "11"}, "from 0 to 10"),
        ({"reason": ""}, "required"),
        ({"place": "nothing"}, "valid choice"),
        ({"score": "NaN"}, "Enter a number"),
    ],
)
def test_score_of_a_wrong_form_is_refused_in_its_place(client, owner, course, teacher, change, told):
    exercise = make_exercise(course, version={"points": Decimal(10)})
    form = {"place": exercise.slug, "score": "7.5", "reason": "So.", **change}

    answer = client.post(address_of(course, owner, "override"), form)

    assert answer.status_code == 400
    assert told in answer.content.decode()
    assert not Override.objects.exists()


def test_time_and_attempts_are_granted_to_one(client, owner, course, teacher):
    assignment = make_assignment(make_exercise(course), due_at=timezone.now())

    client.post(address_of(course, owner, "grant"), {"assignment": assignment.slug, "minutes": "60", "reason": "Ill."})

    assert Extension.objects.get().due_at == assignment.due_at + timedelta(hours=1)
    refused = client.post(address_of(course, owner, "grant"), {"minutes": "60", "reason": "Ill."})
    assert refused.status_code == 400
    assert "Choose the assignment" in refused.content.decode()


def test_assistants_look_and_change_nothing(client, owner, course):
    client.force_login(make_member(course, role=Role.ASSISTANT))
    exercise = make_exercise(course)

    text = client.get(address_of(course, owner)).content.decode()

    assert "Set a score by hand" not in text
    for name in ("override", "grant"):
        assert client.post(address_of(course, owner, name), {"place": exercise.slug}).status_code == 403
    assert client.get(reverse("teach:grants", args=(course.slug,))).status_code == 403


def test_student_page_takes_as_many_queries_for_three_submissions(client, owner, course, teacher, queries_of):
    exercise = make_exercise(course)
    make_graded(owner, exercise)
    address = address_of(course, owner)
    queries_of(address)
    one = queries_of(address)
    for _ in range(2):
        make_graded(owner, exercise)
        make_run(owner, kind=RunKind.CASES, version=exercise.published, state=State.GRADED, verdict="accepted")

    assert queries_of(address) == one
    assert one <= 15
