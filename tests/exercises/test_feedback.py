import json
from dataclasses import replace

import pytest

from exercises import live
from exercises.choices import Role
from exercises.models import Grading
from exercises.queries import feedback_of
from exercises.services import RunFacts, claim_next
from graders.outcomes import Feedback, Verdict
from tests.factories import make_case, make_graded, make_member, make_outcome, make_submission, make_user

pytestmark = pytest.mark.django_db

SEEN = make_case(feedback=Feedback(stage="values", details={"actual": "a visible value"}))
HIDDEN = make_case(
    name="a batch",
    visible=False,
    verdict=Verdict.WRONG_ANSWER,
    feedback=Feedback(stage="values", summary="Not the values", cause="no-scaling", details={"actual": "CANARY-VALUE"}),
)


@pytest.fixture
def submission():
    outcome = make_outcome(verdict=Verdict.WRONG_ANSWER, cases=(SEEN, HIDDEN))
    return make_graded(outcome=outcome, facts=RunFacts(evidence="CANARY-EVIDENCE"), printed="hello\n")


def test_student_sees_words_and_visible_cases(submission):
    seen = feedback_of(submission.grading, submission.student)

    assert seen["feedback"]["summary"] == "All cases are right."
    assert seen["stdout"] == "hello\n"
    assert seen["cases"][0]["feedback"]["details"] == {"actual": "a visible value"}


def test_student_sees_of_a_hidden_case_no_more_than_words(submission):
    seen = feedback_of(submission.grading, submission.student)

    hidden = seen["cases"][1]
    assert (hidden["verdict"], hidden["feedback"]["cause"]) == ("wrong_answer", "no-scaling")
    assert "CANARY" not in json.dumps(seen)


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.INSTRUCTOR])
def test_staff_see_all(submission, role):
    seen = feedback_of(submission.grading, make_member(submission.exercise.course, role))

    assert seen["evidence"] == "CANARY-EVIDENCE"
    assert seen["cases"][1]["feedback"]["details"] == {"actual": "CANARY-VALUE"}


def test_classmate_and_stranger_see_nothing(submission):
    for viewer in (make_member(submission.exercise.course), make_user()):
        with pytest.raises(Grading.DoesNotExist):
            feedback_of(submission.grading, viewer)


def test_what_waits_has_no_feedback():
    submission = make_submission()

    assert feedback_of(submission.grading, submission.student) == {
        "feedback": None,
        "stdout": "",
        "cases": [],
        "hidden_case": None,
    }


def test_while_it_runs_the_cases_judged_so_far_are_seen(redis):
    submission = make_submission()
    claim_next("worker")
    case = {"name": "two tokens", "visible": True, "verdict": "accepted", "points": 1, "max_points": 1}
    live.store_partial(submission.grading.pk, [case, {**case, "visible": False}])

    seen = feedback_of(submission.grading, submission.student)["cases"]

    assert [(item["verdict"], item["visible"]) for item in seen] == [("accepted", True), ("accepted", False)]
    assert seen[0]["feedback"] == {}


def test_case_without_details_stays_without(submission):
    plain = replace(HIDDEN, feedback=Feedback(stage="values"))
    other = make_graded(submission.student, submission.exercise, outcome=make_outcome(cases=(plain,)))

    assert feedback_of(other.grading, other.student)["cases"][0]["feedback"]["details"] is None
