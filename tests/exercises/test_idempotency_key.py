from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.errors import KeyReusedError
from exercises.models import IdempotencyKey, Submission
from exercises.services import submit
from tests.factories import make_exercise, make_member, make_submission, publish_version

pytestmark = pytest.mark.django_db


def test_same_key_and_body_gives_the_same_submission():
    first = make_submission(source="x = 1\n", idempotency_key="one-key")

    second = submit(first.student, first.exercise, source="x = 1\n", idempotency_key="one-key")

    assert second == first
    assert Submission.objects.count() == 1


def test_same_key_with_another_body_is_refused():
    first = make_submission(idempotency_key="one-key")

    with pytest.raises(KeyReusedError):
        submit(first.student, first.exercise, source="x = 2\n", idempotency_key="one-key")

    assert Submission.objects.count() == 1


def test_same_key_for_another_exercise_is_refused():
    first = make_submission(source="x = 1\n", idempotency_key="one-key")

    with pytest.raises(KeyReusedError):
        submit(first.student, make_exercise(), source="x = 1\n", idempotency_key="one-key")


def test_same_key_of_another_student_is_another_key():
    first = make_submission(source="x = 1\n", idempotency_key="one-key")

    second = make_submission(exercise=first.exercise, source="x = 1\n", idempotency_key="one-key")

    assert second != first


def test_key_may_be_used_again_after_a_day():
    first = make_submission(idempotency_key="one-key")
    IdempotencyKey.objects.update(used_at=timezone.now() - timedelta(hours=24, seconds=1))

    second = submit(first.student, first.exercise, source="x = 2\n", idempotency_key="one-key")

    assert IdempotencyKey.objects.get().submission == second


def test_same_key_is_honoured_after_the_exercise_changed():
    exercise = make_exercise()
    student = make_member(exercise.course)
    first = submit(student, exercise, source="x = 1\n", idempotency_key="one-key", version=1)
    publish_version(exercise)

    assert submit(student, exercise, source="x = 1\n", idempotency_key="one-key", version=1) == first
