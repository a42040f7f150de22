from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from exercises.choices import AuditAction, Role
from exercises.errors import NoAttemptsLeftError, NotAllowedError
from exercises.queries import head_of
from exercises.services import save_revision, submit
from exercises.services.attempts import limit_attempts
from tests.exercises.authoring import (
    CODE_FILES,
    NUMERIC_FILES,
    UNREADABLE_FILES,
    certify,
    make_author,
    make_working_copy,
)
from tests.exercises.teach.authoring_requests import address, said
from tests.factories import make_check, make_course, make_member

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def course():
    return make_course(time_zone="Europe/Berlin")


@pytest.fixture
def author(course, client):
    author = make_author(course)
    client.force_login(author)
    return author


@pytest.fixture
def exercise(course, author):
    return make_working_copy(course, author=author)


def test_sound_exercise_is_published_and_taken_back(client, exercise, course):
    certify(exercise)
    assert 'button primary">' in client.get(address("publish", exercise)).content.decode()

    client.post(address("publish", exercise))

    exercise.refresh_from_db()
    assert exercise.published.number == 1
    assert client.get(address("publish", exercise)).context["gate"].is_current
    client.post(address("unpublish", exercise))
    exercise.refresh_from_db()
    assert exercise.published is None
    actions = list(course.audit_entries.values_list("action", flat=True))
    assert actions[:2] == [AuditAction.UNPUBLISHED, AuditAction.PUBLISHED]


def missing(client, exercise):
    response = client.get(address("publish", exercise))
    assert "disabled" in response.content.decode()
    return response.context["gate"].missing


def test_unchecked_exercise_says_what_is_missing(client, exercise):
    assert missing(client, exercise) == ["It is not checked yet as it stands now."]

    response = client.post(address("publish", exercise), follow=True)

    assert said(response) == ["Check this exercise first: only what is proven sound can be published."]
    exercise.refresh_from_db()
    assert exercise.published is None


def test_unsound_exercise_counts_its_problems(client, exercise):
    finding = {"check": "key", "message": "no", "file": "", "line": None, "level": "problem"}
    make_check(head_of(exercise), report={"sound": False, "findings": [finding, {**finding, "level": "remark"}]})

    assert missing(client, exercise) == ["The check found 1 problem."]


def test_unreadable_exercise_names_each_problem(client, exercise, author):
    save_revision(exercise, files=UNREADABLE_FILES, based_on=1, author=author)

    lines = missing(client, exercise)

    assert lines[0] == "The files are no exercise yet:"
    assert any("`answer`" in line for line in lines[1:])


def test_weak_exercise_is_published_with_a_reason_alone(client, course, author):
    exercise = make_working_copy(course, files=CODE_FILES, author=author, slug="double")
    certify(exercise, mutation_score=0.5)
    gate = client.get(address("publish", exercise)).context["gate"]
    assert (gate.is_open, gate.needs_reason) == (True, True)
    assert "0.50" in gate.missing[0]

    response = client.post(address("publish", exercise), follow=True)
    assert "Give a reason" in said(response)[0]
    client.post(address("publish", exercise), {"reason": "Nothing else can go wrong."})

    exercise.refresh_from_db()
    assert exercise.published.number == 1
    assert "Nothing else can go wrong." in client.get(address("publish", exercise)).content.decode()


def test_what_publishing_would_change_is_shown(client, exercise, author):
    certify(exercise)
    client.post(address("publish", exercise))
    text = NUMERIC_FILES["exercise.yaml"].replace("Count.", "Count them.")
    save_revision(exercise, files={"exercise.yaml": text}, based_on=1, author=author)

    response = client.get(address("publish", exercise))

    (diff,) = response.context["diffs"]
    assert [line.text for line in diff.lines if line.look == "added"] == ["prompt: Count them."]
    assert response.context["standing"].beside == "the working copy is ahead of it, and judges alike"


def test_schedule_is_on_the_clock_of_the_course(client, exercise):
    certify(exercise)
    with time_machine.travel(NOW, tick=False):
        response = client.post(address("schedule", exercise), {"at": "2026-07-02T08:30"}, follow=True)

        exercise.refresh_from_db()
        assert exercise.scheduled_at == datetime(2026, 7, 2, 6, 30, tzinfo=UTC)
        assert said(response) == ["Version 1 will be published 2026-07-02 08:30 (Europe/Berlin)."]
        client.post(address("cancel-schedule", exercise))

    exercise.refresh_from_db()
    assert exercise.scheduled_at is None


@pytest.mark.parametrize("at", ["", "soon", "2026-07-02T08:30+00:00"])
def test_time_that_is_none_schedules_nothing(client, exercise, at):
    certify(exercise)

    response = client.post(address("schedule", exercise), {"at": at}, follow=True)

    assert said(response) == ["Give the day and the time of publication."]
    exercise.refresh_from_db()
    assert exercise.scheduled_at is None


def test_time_that_has_passed_schedules_nothing(client, exercise):
    certify(exercise)
    at = (timezone.now() - timedelta(days=2)).strftime("%Y-%m-%dT%H:%M")

    response = client.post(address("schedule", exercise), {"at": at}, follow=True)

    assert said(response) == ["The time of publication must lie ahead."]


def test_attempts_are_limited_and_it_is_on_record(client, exercise, course):
    for sent in ("3", "3", ""):
        client.post(address("attempts", exercise), {"max_attempts": sent})

    exercise.refresh_from_db()
    assert exercise.max_attempts is None
    found = course.audit_entries.filter(action=AuditAction.ATTEMPTS_LIMITED).order_by("pk")
    assert list(found.values_list("target", "details")) == [
        (exercise.slug, {"attempts": [None, 3]}),
        (exercise.slug, {"attempts": [3, None]}),
    ]


def test_limit_of_attempts_holds_for_students(client, exercise, course):
    certify(exercise)
    client.post(address("publish", exercise))
    client.post(address("attempts", exercise), {"max_attempts": "1"})
    exercise.refresh_from_db()
    student = make_member(course)
    submit(student, exercise, response="4")

    with pytest.raises(NoAttemptsLeftError):
        submit(student, exercise, response="5")
    assert 'value="1"' in client.get(address("publish", exercise)).content.decode()


@pytest.mark.parametrize("wrong", ["0", "1001", "-1", "two"])
def test_limit_that_is_none_is_refused(client, exercise, wrong):
    answer = client.post(address("attempts", exercise), {"max_attempts": wrong})

    exercise.refresh_from_db()
    assert exercise.max_attempts is None
    assert said(client.get(answer["Location"])) == ["Give 1 to 1000 attempts, or nothing for as many as one likes."]


def test_assistants_limit_no_attempts(exercise, course):
    with pytest.raises(NotAllowedError):
        limit_attempts(exercise, most=3, author=make_member(course, role=Role.ASSISTANT))
