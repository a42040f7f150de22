"""What an assignment does not show yet is shown nowhere: a right hand-in and a wrong one look the same."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from exercises import live
from exercises.choices import Kind, Role, Shown, State
from exercises.learn.panels import submission_panel
from exercises.models import BestScore, Grading, Notice
from exercises.queries import attempts_left, best_score_of, may_view_solution, progress
from exercises.queries.withheld import withheld_from
from exercises.services import apply_regrade_of, preview_regrade, review, submit
from graders.outcomes import Feedback, Verdict
from tests.exercises.api.client import Caller
from tests.factories import (
    make_assignment,
    make_case,
    make_course,
    make_exercise,
    make_graded,
    make_lesson,
    make_member,
    make_outcome,
    make_submission,
    publish_version,
)

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
RIGHT = make_outcome(feedback=Feedback(summary="All cases are right."), cases=(make_case(),))
WRONG = make_outcome(
    verdict=Verdict.WRONG_ANSWER,
    score=Decimal(0),
    feedback=Feedback(summary="Not this."),
    cases=(make_case(verdict=Verdict.WRONG_ANSWER, points=Decimal(0)),),
)
TOKENS = re.compile(r'(nonce=|data-person=|csrfmiddlewaretoken" value=|idempotency_key" value=|X-CSRFToken": )"[^"]*"')
OF_THEIR_OWN = re.compile(r"[0-9A-Z]{4}-[0-9A-Z]{4}|\d+")
"""Receipts, ids, moments."""


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def exercise(course):
    exercise = make_exercise(course, definition={"explanation": "Because."})
    make_lesson(course).embedded.create(exercise=exercise, position=0)
    return exercise


@pytest.fixture
def assignment(exercise):
    return make_assignment(exercise, outcomes_shown=Shown.RELEASED)


def pages(submission):
    """Every page that tells of a hand-in."""
    course, exercise = submission.exercise.course, submission.exercise
    lesson, base = course.lessons.get(), f"/courses/{course.slug}"
    return [
        "/",
        "/progress/",
        "/history/",
        "/reviews/",
        "/inbox/",
        f"/search/?q={exercise.published.title}",
        f"{base}/",
        f"{base}/grade/",
        f"{base}/lessons/{lesson.slug}/",
        f"{base}/assignments/{submission.assignment.slug}/",
        f"{base}/exercises/{exercise.slug}/",
        f"{base}/exercises/{exercise.slug}/?assignment={submission.assignment.slug}",
        f"/submissions/{submission.pk}/",
        f"/submissions/{submission.pk}/panel/",
        "/your-data/download/",
    ]


def endpoints(submission):
    course, exercise = submission.exercise.course, submission.exercise
    found = ["courses/", f"courses/{course.slug}/", f"exercises/{course.slug}/{exercise.slug}/", "progress/"]
    return [*found, f"submissions/{submission.pk}/"]


def handed_in(student, exercise, last):
    """Twice wrong, then as is said: so a review is planned of what is right now."""
    for outcome in (WRONG, WRONG, last):
        submission = make_graded(student, exercise, outcome=outcome)
    return submission


def read(client, submission):
    """All that the student is told, with what differs between any two students taken out."""
    client.force_login(submission.student)
    caller = Caller(submission.student)
    texts = [body(client.get(address)) for address in pages(submission)]
    texts += [body(caller.get(address)) for address in endpoints(submission)]
    return [OF_THEIR_OWN.sub("·", TOKENS.sub("·", text)) for text in texts]


def body(answer):
    return (b"".join(answer.streaming_content) if answer.streaming else answer.content).decode()


def test_right_and_wrong_look_the_same_until_they_are_released(client, course, exercise, assignment):
    right, wrong = (handed_in(make_member(course), exercise, last) for last in (RIGHT, WRONG))

    assert read(client, right) == read(client, wrong)

    assignment.released_at = timezone.now()
    assignment.save()
    assert read(client, right) != read(client, wrong)
    assert "All cases are right." in "".join(read(client, right))


def test_page_says_that_it_is_handed_in_with_its_receipt(client, course, exercise, assignment):
    submission = make_graded(make_member(course), exercise, outcome=RIGHT)
    client.force_login(submission.student)

    text = client.get(f"/submissions/{submission.pk}/").content.decode()

    assert "Handed in" in text
    assert submission.receipt in text
    assert f"“{assignment.title}” shows what was judged once your teachers release it." in text
    assert "Accepted" not in text


def test_api_waits_for_the_release(course, exercise, assignment):
    submission = make_graded(make_member(course), exercise, outcome=RIGHT)

    answer = Caller(submission.student).get(f"submissions/{submission.pk}/").json()

    assert (answer["state"], answer["awaiting"], answer["cases"]) == ("queued", "release", [])
    told = ("verdict", "score", "max_score", "feedback", "stdout", "error", "graded_at", "events_url", "hidden_case")
    assert {answer[name] for name in told} == {None}


def test_cases_that_are_judged_just_now_do_not_show_through(client, course, exercise, assignment, monkeypatch):
    monkeypatch.setattr(live, "read_partial", lambda _id: [{"name": "canary", "visible": True, "verdict": "accepted"}])
    submission = make_submission(make_member(course), exercise)
    Grading.objects.filter(submission=submission).update(state=State.RUNNING)

    texts = "".join(read(client, submission))

    assert "canary" not in texts
    assert "events/" not in texts
    assert "data-live" not in texts


def test_staff_see_it_all(client, course, exercise, assignment):
    submission = make_graded(make_member(course), exercise, outcome=RIGHT)
    client.force_login(make_member(course, role=Role.ASSISTANT))

    assert "Accepted" in client.get(f"/submissions/{submission.pk}/").content.decode()
    assert "Accepted" in client.get(f"/teach/{course.slug}/students/{submission.student_id}/").content.decode()


@pytest.mark.parametrize(
    ("shown", "closes_at", "is_hidden"),
    [
        (Shown.AT_ONCE, None, False),
        (Shown.CLOSED, DAY, True),
        (Shown.CLOSED, -DAY, False),
        (Shown.RELEASED, -DAY, True),
        (Shown.NEVER, -DAY, True),
    ],
)
def test_when_outcomes_are_shown(course, exercise, shown, closes_at, is_hidden):
    assignment = make_assignment(exercise, outcomes_shown=shown)
    submission = make_graded(make_member(course), exercise, outcome=RIGHT)
    assignment.closes_at = closes_at and timezone.now() + closes_at
    assignment.save()

    assert withheld_from(submission.student).hides(submission.grading) == is_hidden


def test_own_closing_date_counts(course, exercise):
    assignment = make_assignment(exercise, outcomes_shown=Shown.CLOSED)
    submission = make_graded(make_member(course), exercise, outcome=RIGHT)
    assignment.closes_at = timezone.now() - DAY
    assignment.save()
    assignment.extensions.create(student=submission.student, closes_at=timezone.now() + DAY)

    assert withheld_from(submission.student).hides(submission.grading)


def test_best_score_is_that_of_what_is_shown(course, exercise):
    student = make_member(course)
    make_graded(student, exercise, outcome=WRONG)
    make_assignment(exercise, outcomes_shown=Shown.NEVER)
    make_graded(student, exercise, outcome=RIGHT)

    best = best_score_of(student, exercise)

    assert (best.verdict, best.submissions, best.solved_at) == (Verdict.WRONG_ANSWER, 1, None)
    assert BestScore.objects.get().verdict == Verdict.ACCEPTED
    assert [item.solved for item in progress(student)] == [0]


def test_practice_tells_nothing_while_the_assignment_does_not(course, exercise):
    student = make_member(course)
    assignment = make_assignment(exercise, outcomes_shown=Shown.RELEASED)
    make_graded(student, exercise, outcome=RIGHT, source="x = 1\n")
    assignment.closes_at = timezone.now()
    assignment.save()

    practice = submit(student, exercise, source="x = 1\n")

    assert (practice.assignment, practice.is_counted) == (None, False)
    assert withheld_from(student).hides(practice.grading)


def test_what_was_known_before_it_opened_stays_known(course, exercise):
    submission = make_graded(make_member(course), exercise, outcome=RIGHT)
    make_assignment(exercise, outcomes_shown=Shown.NEVER)

    assert not withheld_from(submission.student).hides(submission.grading)


def test_solution_does_not_open_by_what_is_not_shown(course, exercise, assignment):
    assignment.solutions_shown = Shown.AT_ONCE
    assignment.save()
    submission = make_graded(make_member(course), exercise, outcome=RIGHT)

    assert not may_view_solution(submission.student, exercise)


def test_fault_of_ours_and_what_was_replaced_are_told(course, exercise, assignment):
    student = make_member(course)
    first, second = make_submission(student, exercise), make_submission(student, exercise)
    Grading.objects.filter(submission=first).update(state=State.SUPERSEDED)
    Grading.objects.filter(submission=second).update(state=State.GRADED, verdict=Verdict.INTERNAL_ERROR)

    withheld = withheld_from(student)

    assert not any(withheld.hides(Grading.objects.get(submission=row)) for row in (first, second))


def test_review_tells_no_points(course, assignment):
    explain = make_exercise(course, kind=Kind.EXPLAIN)
    assignment.items.create(exercise=explain, position=1, points=1)
    submission = submit(make_member(course), explain, response="So.")

    review(
        submission,
        reviewer=make_member(course, role=Role.ASSISTANT),
        points={"Names the spread": 2, "Names the softmax": 1},
    )

    assert "points" not in Notice.objects.get(user=submission.student).text


def test_regrade_tells_nothing(course, assignment):
    numeric = make_exercise(course, kind=Kind.NUMERIC)
    assignment.items.create(exercise=numeric, position=1, points=1)
    student, teacher = make_member(course), make_member(course, role=Role.INSTRUCTOR)
    submit(student, numeric, response=6)
    publish_version(numeric, kind=Kind.NUMERIC, definition={"answer": 6})

    apply_regrade_of(preview_regrade(numeric, author=teacher), author=teacher)

    assert BestScore.objects.get().verdict == Verdict.ACCEPTED
    assert not Notice.objects.filter(user=student).exists()


def test_nothing_withheld_costs_one_query(course, exercise, django_assert_num_queries):
    student = make_member(course)
    make_assignment(exercise)

    with django_assert_num_queries(1):
        withheld_from(student)


@pytest.mark.parametrize(("shown", "left"), [(Shown.AT_ONCE, 1), (Shown.NEVER, 0)])
def test_attempts_do_not_tell_that_a_correction_changed_the_outcome(course, shown, left):
    exercise = make_exercise(course, kind=Kind.NUMERIC)
    assignment = make_assignment(exercise, outcomes_shown=shown, max_attempts=1)
    student, author = make_member(course), make_member(course, role=Role.INSTRUCTOR)
    submit(student, exercise, response="6", assignment=assignment.slug)
    publish_version(exercise, kind=Kind.NUMERIC, definition={"answer": 6})

    apply_regrade_of(preview_regrade(exercise, author=author), author=author)

    assert Grading.objects.get(in_force=True).verdict == Verdict.ACCEPTED
    assert attempts_left(student, exercise, assignment=assignment) == left


@pytest.mark.parametrize("verdict", [Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT])
def test_same_hand_in_once_more_looks_the_same_whatever_the_first_came_to(course, verdict):
    exercise, student = make_exercise(course), make_member(course)
    assignment = make_assignment(exercise, outcomes_shown=Shown.NEVER)
    outcome = make_outcome(verdict=verdict, cases=(make_case(),))
    make_graded(student, exercise, outcome=outcome, source="x = 1\n", assignment=assignment.slug)

    again = submit(student, exercise, source="x = 1\n", assignment=assignment.slug)

    assert submission_panel(again, student).withdraw_url == ""
    assert again.gradings.get().state == State.GRADED
