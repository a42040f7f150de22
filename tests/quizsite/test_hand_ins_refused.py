"""A hand-in that the database cannot store is refused with a sentence, leaves nothing half done, and is taken later."""

import json
from contextlib import contextmanager

import pytest
from django.db import connection

from exercises.models import Attempt, Draft, Grading, IdempotencyKey, Refusal, Submission
from tests.factories import make_exercise, make_member

pytestmark = pytest.mark.django_db(transaction=True)

SOURCE = "x = 1\n" + "# much to store\n" * 12_000


@contextmanager
def full_disk():
    """SQLite may grow by no page; PostgreSQL says what it says when it cannot extend a table's file."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("VACUUM")
            pages = cursor.execute("PRAGMA page_count").fetchone()[0]
            cursor.execute(f"PRAGMA max_page_count = {pages}")
        else:
            cursor.execute(
                "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$"
            )
            cursor.execute("CREATE TRIGGER no_room BEFORE INSERT ON exercises_grading EXECUTE FUNCTION no_room()")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA max_page_count = 1073741823")
            else:
                cursor.execute("DROP TRIGGER no_room ON exercises_grading")
                cursor.execute("DROP FUNCTION no_room")


@contextmanager
def locked_database():
    """Somebody else holds what a hand-in has to write, for longer than it is waited for."""
    shorten = "PRAGMA busy_timeout = 50" if connection.vendor == "sqlite" else "SET lock_timeout = '50ms'"
    lengthen = "PRAGMA busy_timeout = 20000" if connection.vendor == "sqlite" else "SET lock_timeout = 0"
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(
                "UPDATE exercises_user SET last_login = last_login"
                if connection.vendor == "sqlite"
                else "LOCK TABLE exercises_submission"
            )
        with connection.cursor() as cursor:
            cursor.execute(shorten)
        yield
    finally:
        other.rollback()
        other.close()
        with connection.cursor() as cursor:
            cursor.execute(lengthen)


@pytest.fixture
def exercise():
    return make_exercise()


@pytest.fixture
def student(client, exercise):
    student = make_member(exercise.course)
    client.force_login(student)
    client.raise_request_exception = False
    return student


def hand_in(client, exercise):
    """By the API, with the same key each time."""
    return client.post(
        f"/api/v1/exercises/{exercise.course.slug}/{exercise.slug}/submissions/",
        json.dumps({"source": SOURCE}),
        content_type="application/json",
        headers={"Idempotency-Key": "the-same"},
    )


def hand_in_by_page(client, exercise):
    return client.post(f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/submit/", {"source": SOURCE})


def stored():
    return [model.objects.count() for model in (Submission, Grading, Attempt, IdempotencyKey, Refusal, Draft)]


@pytest.mark.parametrize("fault", [full_disk, locked_database])
def test_program_is_told_and_taken_when_it_tries_again(client, student, exercise, fault):
    with fault():
        refused = hand_in(client, exercise)
    left = stored()
    taken = [hand_in(client, exercise) for _ in range(2)]

    assert refused.status_code == 503
    assert refused["Retry-After"] == "5"
    assert "nothing was stored" in refused.json()["detail"]
    assert left == [0] * 6
    assert [answer.status_code for answer in taken] == [202, 202]
    assert stored() == [1, 1, 1, 1, 0, 0]


@pytest.mark.parametrize("fault", [full_disk, locked_database])
def test_person_is_told_on_a_page(client, student, exercise, fault):
    with fault():
        refused = hand_in_by_page(client, exercise)
    left = stored()
    hand_in_by_page(client, exercise)

    assert refused.status_code == 503
    assert "Nothing of this request was stored" in refused.content.decode()
    assert left == [0] * 6
    assert Submission.objects.get().source == SOURCE


def test_what_was_stored_before_can_be_read_meanwhile(client, student, exercise):
    before = hand_in(client, exercise).json()
    with full_disk():
        answer = client.get(f"/api/v1/submissions/{before['id']}/")

    assert (answer.status_code, answer.json()["receipt"]) == (200, before["receipt"])
