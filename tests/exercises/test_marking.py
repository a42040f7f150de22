"""Alike answers read at once, a second reader, and what is taken back."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from exercises.choices import AuditAction, Kind, Role, State
from exercises.errors import InvalidFieldError, NotAllowedError, ReviewNotOpenError
from exercises.models import AuditEntry, BestScore, Grading, Notice
from exercises.queries.reviewing import answers_to, review_queues
from exercises.services import erase_account, marking, review, submit
from exercises.services.marking import mark_beside, put_review_in_force, review_alike, undo_reviews
from tests.factories import make_course, make_exercise, make_member

pytestmark = pytest.mark.django_db
FULL = {"Names the spread": "2", "Names the softmax": "1"}
PART = {"Names the spread": "0.5", "Names the softmax": "1"}


@pytest.fixture
def exercise():
    return make_exercise(kind=Kind.EXPLAIN)


@pytest.fixture
def teacher(exercise):
    return make_member(exercise.course, role=Role.ASSISTANT)


@pytest.fixture
def second(exercise):
    return make_member(exercise.course, role=Role.ASSISTANT)


@pytest.fixture
def submissions(exercise):
    return [submit(make_member(exercise.course), exercise, response=f"Answer {number}.") for number in range(3)]


def in_force(submission):
    return Grading.objects.get(submission=submission, in_force=True)


def test_alike_answers_get_the_same_points(submissions, teacher):
    gradings = review_alike(submissions[:2], reviewer=teacher, points=PART, comment="Why?")

    assert [grading.score for grading in gradings] == [Decimal("1.5")] * 2
    assert list(answers_to(submissions[0].exercise, is_read=False)) == submissions[2:]
    assert Notice.objects.count() == 2


def test_alike_answers_are_taken_together_or_not_at_all(submissions, teacher, exercise):
    review(submissions[0], reviewer=teacher, points=FULL)
    other = make_exercise(exercise.course, kind=Kind.EXPLAIN)
    elsewhere = submit(submissions[1].student, other, response="So.")

    for chosen in ([], submissions, [submissions[1], elsewhere]):
        with pytest.raises(ReviewNotOpenError):
            review_alike(chosen, reviewer=teacher, points=FULL)
    with pytest.raises(InvalidFieldError):
        review_alike(submissions[1:], reviewer=teacher, points={})

    assert sum(queue.waiting for queue in review_queues(exercise.course)) == 3


def test_first_reviews_are_undone_as_if_nobody_had_read_them(submissions, teacher, exercise):
    gradings = review_alike(submissions, reviewer=teacher, points=FULL)
    Notice.objects.filter(user=submissions[0].student).update(read_at=timezone.now())

    assert undo_reviews(exercise.course, [grading.pk for grading in gradings], author=teacher) == 3

    assert sum(queue.waiting for queue in review_queues(exercise.course)) == 3
    assert not BestScore.objects.exists()
    grading = in_force(submissions[0])
    assert (grading.state, grading.verdict, grading.score, grading.reviewer) == (State.QUEUED, "", None, None)
    assert not grading.case_results.exists()
    # Who has read that it was judged is told that it is not; the others never were told.
    notices = Notice.objects.filter(read_at=None)
    assert [notice.user for notice in notices] == [submissions[0].student]
    assert "was taken back" in notices[0].text
    assert AuditEntry.objects.get().action == AuditAction.REVIEWS_UNDONE


def test_undone_later_review_gives_way_to_the_one_before(submissions, teacher, second, exercise):
    review(submissions[0], reviewer=teacher, points=FULL)
    again = review(submissions[0], reviewer=second, points=PART)

    undo_reviews(exercise.course, [again.pk], author=second)

    assert in_force(submissions[0]).reviewer == teacher
    assert BestScore.objects.get().score == 3


def test_undone_review_gives_way_to_what_stood_and_not_to_what_lay_beside(submissions, teacher, second, exercise):
    first = review(submissions[0], reviewer=teacher, points=FULL)
    mark_beside(submissions[0], reviewer=second, points={"Names the spread": "0", "Names the softmax": "0"})
    again = review(submissions[0], reviewer=teacher, points=PART)

    undo_reviews(exercise.course, [again.pk], author=teacher)

    assert in_force(submissions[0]) == first
    assert BestScore.objects.get().score == 3


def test_undone_review_that_was_put_in_force_gives_way_to_what_stood(submissions, teacher, second, exercise):
    first = review(submissions[0], reviewer=teacher, points=FULL)
    beside = mark_beside(submissions[0], reviewer=second, points=PART)
    later = review(submissions[0], reviewer=teacher, points={"Names the spread": "2", "Names the softmax": "0"})
    put_review_in_force(beside, author=teacher)

    undo_reviews(exercise.course, [beside.pk], author=second)
    stood = in_force(submissions[0])
    undo_reviews(exercise.course, [later.pk], author=teacher)

    assert (stood, in_force(submissions[0])) == (later, first)
    assert BestScore.objects.get().score == 3


def test_only_review_that_is_undone_waits_again_beside_which_another_lies(submissions, teacher, second, exercise):
    first = review(submissions[0], reviewer=teacher, points=FULL)
    mark_beside(submissions[0], reviewer=second, points=PART)

    undo_reviews(exercise.course, [first.pk], author=teacher)

    assert in_force(submissions[0]).state == State.QUEUED
    assert not BestScore.objects.exists()


def test_reviews_put_in_force_in_turn_are_undone_one_by_one(submissions, teacher, second, exercise):
    first = review(submissions[0], reviewer=teacher, points=FULL)
    beside = mark_beside(submissions[0], reviewer=second, points=PART)
    put_review_in_force(beside, author=teacher)
    put_review_in_force(first, author=teacher)

    undo_reviews(exercise.course, [first.pk], author=teacher)
    stood = in_force(submissions[0])
    undo_reviews(exercise.course, [beside.pk], author=second)

    assert (stood, in_force(submissions[0]).state) == (beside, State.QUEUED)


def test_what_an_erased_account_wrote_is_judged_by_nobody_again(submissions, teacher, second, exercise):
    first = review(submissions[0], reviewer=teacher, points=FULL)
    erase_account(submissions[0].student, proof=submissions[0].student.username)

    for judge in (review, mark_beside):
        with pytest.raises(ReviewNotOpenError, match="was erased"):
            judge(submissions[0], reviewer=second, points=PART)
    assert undo_reviews(exercise.course, [first.pk], author=teacher) == 0

    assert in_force(submissions[0]).score == 3


def test_alike_answers_go_in_batches_without_what_somebody_reads_meanwhile(submissions, teacher, second, monkeypatch):
    monkeypatch.setattr(marking, "AT_ONCE", 2)
    lock_students = marking.lock_students
    readers = iter((None, second))

    def lock_after_another_read(student_ids):
        if reader := next(readers):
            review(submissions[2], reviewer=reader, points=FULL)
        lock_students(student_ids)

    monkeypatch.setattr(marking, "lock_students", lock_after_another_read)

    gradings = review_alike(submissions, reviewer=teacher, points=PART)

    assert [grading.submission for grading in gradings] == submissions[:2]
    assert (in_force(submissions[2]).reviewer, in_force(submissions[2]).score) == (second, 3)


def test_batch_of_alike_answers_costs_few_queries_for_each(exercise, teacher, django_assert_max_num_queries):
    answers = [submit(make_member(exercise.course), exercise, response="So.") for _ in range(4)]

    with django_assert_max_num_queries(4 * 13 + 6):
        gradings = review_alike(answers, reviewer=teacher, points=FULL)
    with django_assert_max_num_queries(4 * 9 + 6):
        undo_reviews(exercise.course, [grading.pk for grading in gradings], author=teacher)


def test_more_alike_answers_than_are_taken_at_once_are_refused(submissions, teacher, monkeypatch):
    monkeypatch.setattr(marking, "MOST_ALIKE", 2)

    with pytest.raises(ReviewNotOpenError, match="Choose 1 to 2"):
        review_alike(submissions, reviewer=teacher, points=FULL)


def test_one_undoes_what_is_ones_own_and_fresh(submissions, teacher, second, exercise):
    grading = review(submissions[0], reviewer=teacher, points=FULL)
    stranger = make_member(make_course(), role=Role.INSTRUCTOR)

    assert undo_reviews(exercise.course, [grading.pk], author=second) == 0
    with pytest.raises(NotAllowedError):
        undo_reviews(exercise.course, [grading.pk], author=stranger)
    Grading.objects.update(finished_at=timezone.now() - timedelta(hours=2))
    assert undo_reviews(exercise.course, [grading.pk], author=teacher) == 0
    assert in_force(submissions[0]).score == 3


def test_second_reader_changes_nothing_until_theirs_is_put_in_force(submissions, teacher, second):
    review(submissions[0], reviewer=teacher, points=FULL)

    beside = mark_beside(submissions[0], reviewer=second, points=PART)

    assert (beside.in_force, beside.score) == (False, Decimal("1.5"))
    assert BestScore.objects.get().score == 3
    assert Notice.objects.count() == 1

    put_review_in_force(beside, author=teacher)
    put_review_in_force(beside, author=teacher)

    assert in_force(submissions[0]) == beside
    assert BestScore.objects.get().score == Decimal("1.5")
    assert Notice.objects.count() == 2
    assert AuditEntry.objects.get().details == {"receipt": submissions[0].receipt, "reviewer": str(second)}


def test_second_reader_is_somebody_else_and_comes_second(submissions, teacher, second):
    with pytest.raises(ReviewNotOpenError, match="the first"):
        mark_beside(submissions[0], reviewer=second, points=PART)
    review(submissions[0], reviewer=teacher, points=FULL)
    with pytest.raises(ReviewNotOpenError, match="somebody else"):
        mark_beside(submissions[0], reviewer=teacher, points=PART)
    with pytest.raises(NotAllowedError):
        mark_beside(submissions[0], reviewer=submissions[0].student, points=PART)


def test_only_reviews_are_put_in_force_by_staff(submissions, teacher):
    with pytest.raises(ReviewNotOpenError):
        put_review_in_force(in_force(submissions[0]), author=teacher)
    with pytest.raises(NotAllowedError):
        put_review_in_force(in_force(submissions[0]), author=submissions[0].student)
