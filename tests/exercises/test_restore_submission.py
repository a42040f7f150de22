"""An earlier submission becomes the draft again, and what stood in the draft is set aside."""

import pytest

from exercises.choices import Kind
from exercises.errors import NotAllowedError
from exercises.models import Draft
from exercises.responses import response_of_fields
from exercises.services import save_draft, submit
from exercises.services.restores import fields_of, restore_submission
from tests.factories import make_exercise, make_member, publish_version, right_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def exercise():
    return make_exercise()


@pytest.fixture
def student(exercise):
    return make_member(exercise.course)


def test_code_becomes_the_draft_and_the_present_one_is_set_aside(exercise, student):
    first = submit(student, exercise, source="x = 1\n")
    submit(student, exercise, source="x = 2\n")
    before = save_draft(student, exercise, source="x = 3\n", revision=0)

    restore_submission(first, student=student)

    draft = Draft.objects.get()
    assert (draft.source, draft.set_aside) == ("x = 1\n", "x = 3\n")
    assert draft.revision == before.revision + 1


def test_without_a_draft_nothing_is_set_aside(exercise, student):
    restore_submission(submit(student, exercise, source="x = 1\n"), student=student)

    draft = Draft.objects.get()
    assert (draft.source, draft.set_aside, draft.revision) == ("x = 1\n", "", 1)


def test_what_stands_already_stays_and_so_does_what_was_set_aside(exercise, student):
    submission = submit(student, exercise, source="x = 1\n")
    save_draft(student, exercise, source="x = 3\n", revision=0)
    restore_submission(submission, student=student)

    restore_submission(submission, student=student)

    draft = Draft.objects.get()
    assert (draft.source, draft.set_aside) == ("x = 1\n", "x = 3\n")


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in (Kind.CODE, Kind.SCRIPT, Kind.EXPLAIN)])
def test_response_of_each_kind_becomes_the_fields_that_mean_it(kind):
    exercise = make_exercise(kind=kind)
    student = make_member(exercise.course)
    submission = submit(student, exercise, response=right_response(student, exercise))

    draft = restore_submission(submission, student=student)

    again = submit(student, exercise, response=response_of_fields(draft.response, exercise.published))
    assert again.grading.verdict == "accepted"


def test_several_options_stay_several():
    exercise = make_exercise(kind=Kind.CHOICE, definition={"multiple": True})
    student = make_member(exercise.course)
    submission = submit(student, exercise, response=right_response(student, exercise))

    assert response_of_fields(fields_of(submission), exercise.published) == submission.response


def test_another_s_submission_is_refused(exercise, student):
    submission = submit(student, exercise, source="x = 1\n")

    with pytest.raises(NotAllowedError):
        restore_submission(submission, student=make_member(exercise.course))

    assert not Draft.objects.exists()


def test_submission_to_an_exercise_of_another_kind_by_now_is_refused(exercise, student):
    submission = submit(student, exercise, source="x = 1\n")
    publish_version(exercise, kind=Kind.NUMERIC)
    submission.refresh_from_db()

    with pytest.raises(NotAllowedError, match="of another kind by now"):
        restore_submission(submission, student=student)
