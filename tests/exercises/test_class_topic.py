"""The overview of a class hears of hand-ins and outcomes."""

from decimal import Decimal
from functools import partial

import pytest

from exercises import live
from exercises.choices import Kind, Role, State
from exercises.models import Grading
from exercises.services import RunFacts, claim_next, record_outcome, review, submit
from exercises.services.marking import mark_beside, put_review_in_force, undo_reviews
from exercises.services.overrides import set_override
from exercises.services.regrades import apply_regrade
from tests.factories import make_exercise, make_graded, make_member, make_outcome, make_regrade, make_submission

pytestmark = pytest.mark.django_db


@pytest.fixture
def heard(monkeypatch, django_capture_on_commit_callbacks):
    """Does something, and gives the topics that were published after it."""

    def hear(action):
        topics = []
        monkeypatch.setattr(live, "publish_changed", topics.append)
        with django_capture_on_commit_callbacks(execute=True):
            action()
        return topics

    return hear


@pytest.mark.parametrize(("kind", "sent"), [(Kind.CODE, {"source": "x = 1"}), (Kind.NUMERIC, {"response": "5"})])
def test_a_hand_in_is_heard_of_once(heard, kind, sent):
    exercise = make_exercise(kind=kind)
    student = make_member(exercise.course)

    assert heard(lambda: submit(student, exercise, **sent)).count(exercise.course.topic) == 1


def test_an_outcome_is_heard_of(heard):
    submission = make_submission()
    claim = claim_next("test")

    topics = heard(lambda: record_outcome(claim, make_outcome(), facts=RunFacts()))

    assert submission.exercise.course.topic in topics


def test_an_equal_hand_in_that_is_judged_at_once_is_heard_of_once(heard):
    submission = make_graded()

    topics = heard(lambda: submit(submission.student, submission.exercise, source=submission.source))

    assert Grading.objects.filter(state=State.GRADED).count() == 2
    assert topics.count(submission.exercise.course.topic) == 1


def test_a_review_and_what_becomes_of_it_are_heard_of(heard):
    exercise = make_exercise(kind=Kind.EXPLAIN)
    first, second = (make_member(exercise.course, role=Role.ASSISTANT) for _ in range(2))
    submission = submit(make_member(exercise.course), exercise, response="So.")
    points = {"Names the spread": 2, "Names the softmax": 1}
    review(submission, reviewer=first, points=points)
    beside = mark_beside(submission, reviewer=second, points=points)

    for action in (
        lambda: put_review_in_force(beside, author=first),
        lambda: undo_reviews(exercise.course, [beside.pk], author=second),
    ):
        assert exercise.course.topic in heard(action)


def test_a_score_by_hand_and_a_regrade_in_force_are_heard_of(heard):
    exercise = make_exercise(version={"points": Decimal(1)})
    submission = make_graded(exercise=exercise)
    teacher = make_member(exercise.course, role=Role.INSTRUCTOR)
    regrade = make_regrade(submission)
    record_outcome(claim_next("test"), make_outcome(), facts=RunFacts())

    given = {"student": submission.student, "author": teacher, "score": Decimal(1), "reason": "So."}
    override = partial(set_override, exercise, **given)
    for action in (override, partial(apply_regrade, regrade)):
        assert exercise.course.topic in heard(action)


def test_a_preview_of_a_regrade_is_not(heard):
    submission = make_submission()
    record_outcome(claim_next("test"), make_outcome(), facts=RunFacts())
    make_regrade(submission)
    claim = claim_next("test")

    topics = heard(lambda: record_outcome(claim, make_outcome(), facts=RunFacts()))

    assert submission.exercise.course.topic not in topics
