"""The overview of a class hears of hand-ins and outcomes."""

import pytest

from exercises import live
from exercises.choices import Kind
from exercises.services import RunFacts, claim_next, record_outcome, submit
from tests.factories import make_exercise, make_member, make_outcome, make_regrade, make_submission

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


def test_a_preview_of_a_regrade_is_not(heard):
    submission = make_submission()
    record_outcome(claim_next("test"), make_outcome(), facts=RunFacts())
    make_regrade(submission)
    claim = claim_next("test")

    topics = heard(lambda: record_outcome(claim, make_outcome(), facts=RunFacts()))

    assert submission.exercise.course.topic not in topics
