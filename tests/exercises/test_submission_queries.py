import pytest

from exercises.choices import Role
from exercises.models import Submission
from exercises.queries import best_score_of, queue_place, submission_for, submissions_of
from exercises.services import claim_next, enrol
from tests.factories import make_course, make_exercise, make_graded, make_member, make_submission, make_user

pytestmark = pytest.mark.django_db


def test_own_submissions_come_newest_first():
    first = make_graded()
    second = make_submission(first.student, first.exercise)
    make_submission(exercise=first.exercise)
    make_submission(first.student)

    assert list(submissions_of(first.student, first.exercise)) == [second, first]


@pytest.mark.parametrize("count", [1, 3])
def test_submissions_and_their_gradings_take_one_query(count, django_assert_num_queries):
    first = make_graded()
    for _ in range(count - 1):
        make_graded(first.student, first.exercise)

    with django_assert_num_queries(1):
        verdicts = [item.grading.verdict for item in submissions_of(first.student, first.exercise)]

    assert len(verdicts) == count


def test_submission_is_seen_by_its_student_and_the_staff():
    submission = make_submission()
    course = submission.exercise.course

    for viewer in (submission.student, make_member(course, Role.ASSISTANT), make_member(course, Role.INSTRUCTOR)):
        assert submission_for(viewer, submission.pk) == submission


def test_submission_is_not_seen_by_others():
    submission = make_submission()
    classmate = make_member(submission.exercise.course)
    teacher_elsewhere = make_member(make_exercise().course, Role.INSTRUCTOR)

    for viewer in (classmate, teacher_elsewhere, make_user()):
        with pytest.raises(Submission.DoesNotExist):
            submission_for(viewer, submission.pk)


def test_assistant_in_one_course_sees_nothing_as_a_student_in_another():
    submission = make_submission()
    viewer = make_member(submission.exercise.course)
    enrol(viewer, make_course(), role=Role.ASSISTANT)

    with pytest.raises(Submission.DoesNotExist):
        submission_for(viewer, submission.pk)


def test_place_in_the_queue_counts_those_ahead():
    first, second = make_submission(), make_submission()

    assert (queue_place(first), queue_place(second)) == (1, 2)
    claim_next("worker")
    first, second = Submission.objects.order_by("pk")
    assert (queue_place(first), queue_place(second)) == (None, 1)


def test_overtaken_submission_has_everybody_elses_ahead():
    overtaken = make_submission()
    make_submission(overtaken.student, overtaken.exercise)
    make_submission(exercise=overtaken.exercise)

    assert queue_place(Submission.objects.get(pk=overtaken.pk)) == 3


def test_best_score_is_the_students_own():
    submission = make_graded()

    assert best_score_of(submission.student, submission.exercise).grading == submission.grading
    assert best_score_of(make_user(), submission.exercise) is None
