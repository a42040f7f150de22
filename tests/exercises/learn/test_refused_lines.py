"""Hand-ins that were not taken: their student sees when and why, and has the text back; staff see it too."""

import pytest
from django.urls import reverse
from django.utils import timezone

from exercises.choices import Kind, RefusalReason
from exercises.models import Draft, Refusal
from tests.factories import make_assignment, make_exercise, publish_version, right_response


def page(exercise):
    return f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/"


def refused(student, exercise, **fields):
    return Refusal.objects.create(student=student, exercise=exercise, **{"reason": RefusalReason.CLOSED, **fields})


def restore(client, refusal):
    return client.post(reverse("learn:restore-refused", args=(refusal.pk,)))


def test_student_sees_time_and_reason_and_has_the_code_back(client, student, course):
    exercise = make_exercise(course)
    late = refused(student, exercise, source="late = 1\n")
    Draft.objects.create(student=student, exercise=exercise, source="begun = 1\n")

    text = client.get(page(exercise)).content.decode()
    answer = restore(client, late)

    assert "Not taken" in text
    assert "late = 1" in text
    assert late.at.strftime("%Y-%m-%d %H:%M") in text
    assert answer["Location"] == page(exercise)
    draft = Draft.objects.get()
    assert (draft.source, draft.set_aside) == ("late = 1\n", "begun = 1\n")


@pytest.mark.parametrize("kind", [Kind.NUMERIC, Kind.CHOICE, Kind.MATCHING, Kind.ORDERING])
def test_answer_is_put_into_the_form_again(client, student, course, kind):
    exercise = make_exercise(course, kind=kind)
    late = refused(student, exercise, response=right_response(student, exercise))

    assert restore(client, late).status_code == 302

    fields = Draft.objects.get().response
    answer = client.post(f"{page(exercise)}submit/", fields, headers={"HX-Request": "true"})
    assert "Accepted" in answer.content.decode()


def test_fields_that_were_no_answer_come_back_as_they_stood(client, student, course):
    exercise = make_exercise(course, kind=Kind.BLANKS)
    half = {"gap-root": ["sqrt"], "gap-number": [""]}

    restore(client, refused(student, exercise, response=half, reason=RefusalReason.INVALID))

    assert Draft.objects.get().response == half


def test_what_does_not_fit_any_more_is_refused(client, student, course):
    exercise = make_exercise(course, kind=Kind.NUMERIC)
    late = refused(student, exercise, response="5")
    for kind in (Kind.CODE, Kind.MATCHING):
        publish_version(exercise, kind=kind)

        assert restore(client, late).status_code == 409
    assert not Draft.objects.exists()


def test_that_of_a_classmate_is_neither_seen_nor_restored(client, people, student, course):
    exercise = make_exercise(course)
    late = refused(people["classmate"], exercise, source="canary = 1\n")

    assert "canary" not in client.get(page(exercise)).content.decode()
    assert restore(client, late).status_code == 404


def test_staff_see_what_an_assignment_did_not_take(client, people, course):
    exercise = make_exercise(course)
    assignment = make_assignment(exercise, closes_at=timezone.now())
    refused(people["owner"], exercise, source="late = 1\n", assignment=assignment)
    client.force_login(people["teacher"])

    text = client.get(f"/teach/{course.slug}/assignments/{assignment.slug}/").content.decode()

    assert "late = 1" in text
    assert str(people["owner"]) in text
