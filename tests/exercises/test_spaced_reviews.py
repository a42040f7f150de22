from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from exercises.choices import Kind, Role, Shown
from exercises.models import AssignmentStart, BestScore, ReviewCard, Submission
from exercises.queries import attempts_left, review_card, spaced_reviews
from exercises.services import RunFacts, assess_own, claim_next, give_up, record_outcome, submit, submit_review
from graders.outcomes import Verdict
from tests.factories import make_assignment, make_course, make_exercise, make_graded, make_member, make_outcome

pytestmark = pytest.mark.django_db

WRONG = make_outcome(verdict=Verdict.WRONG_ANSWER, score=Decimal(1))
DAY = timedelta(days=1)


@pytest.fixture
def exercise():
    return make_exercise()


@pytest.fixture
def student(exercise):
    return make_member(exercise.course)


def solve_after_a_mistake(student, exercise, **terms):
    make_graded(student, exercise, outcome=WRONG, **terms)
    make_graded(student, exercise, **terms)


def make_due(student, exercise):
    """The card, whose date has come."""
    solve_after_a_mistake(student, exercise)
    card = ReviewCard.objects.get(student=student, exercise=exercise)
    card.due_at = timezone.now() - DAY
    card.save()
    return card


def review(student, exercise, *, verdict=Verdict.ACCEPTED, did_load=True, source="def double(x): return 2 * x\n"):
    submission = submit_review(student, exercise, source=source)
    claim = claim_next("test")
    assert claim.id == submission.grading.pk
    record_outcome(claim, make_outcome(verdict=verdict), facts=RunFacts(did_load=did_load))
    return submission


def best_score(student):
    return BestScore.objects.values("grading", "score", "submissions", "solved_at").get(student=student)


def due(student):
    return [card.exercise for card in spaced_reviews(student, at=timezone.now()).due]


def test_solved_after_a_mistake_is_asked_again_on_another_day(student, exercise):
    solve_after_a_mistake(student, exercise)

    now = timezone.now()
    assert spaced_reviews(student, at=now).due == ()
    assert [card.exercise for card in spaced_reviews(student, at=now).later] == [exercise]
    assert [card.exercise for card in spaced_reviews(student, at=now + DAY).due] == [exercise]


def test_solved_at_once_or_not_yet_is_not_asked_again(student, exercise):
    unsolved = make_exercise(exercise.course)
    make_graded(student, exercise)
    make_graded(student, unsolved, outcome=WRONG)

    assert not ReviewCard.objects.exists()


def test_fault_of_ours_is_no_mistake_of_the_student(student, exercise):
    make_graded(student, exercise, outcome=make_outcome(verdict=Verdict.INTERNAL_ERROR, score=None))
    make_graded(student, exercise)

    assert not ReviewCard.objects.exists()


def test_what_does_not_load_is_no_mistake(student, exercise):
    error = make_outcome(verdict=Verdict.RUNTIME_ERROR, score=Decimal(0))
    make_graded(student, exercise, outcome=error, facts=RunFacts(did_load=False))
    make_graded(student, exercise)

    assert not ReviewCard.objects.exists()


def test_what_was_given_up_is_asked_tomorrow(student, exercise):
    give_up(student, exercise)

    assert due(student) == []
    assert [card.exercise for card in spaced_reviews(student, at=timezone.now() + DAY).due] == [exercise]


def test_solving_it_once_more_changes_nothing(student, exercise):
    solve_after_a_mistake(student, exercise)
    [before] = ReviewCard.objects.values()

    make_graded(student, exercise)

    assert list(ReviewCard.objects.values()) == [before]


def test_question_is_asked_again_too():
    exercise = make_exercise(kind=Kind.NUMERIC)
    student = make_member(exercise.course)

    submit(student, exercise, response="4")
    submit(student, exercise, response="5")

    assert ReviewCard.objects.get().exercise == exercise


def test_what_a_person_judges_is_not_asked_again():
    exercise = make_exercise(make_course(self_paced=True), kind=Kind.EXPLAIN)
    student = make_member(exercise.course)

    for text, points in (("Because.", 0), ("Because the scores spread.", 1)):
        submission = submit(student, exercise, response=text)
        assess_own(submission, student=student, points={"Names the spread": 2 * points, "Names the softmax": points})

    assert BestScore.objects.get().solved_at is not None
    assert not ReviewCard.objects.exists()


def test_try_counts_nowhere_and_costs_no_attempt(student, exercise):
    exercise.max_attempts = 5
    exercise.save()
    make_due(student, exercise)
    before, left = best_score(student), attempts_left(student, exercise)

    submission = review(student, exercise, verdict=Verdict.WRONG_ANSWER)

    assert not Submission.objects.get(pk=submission.pk).is_counted
    assert (best_score(student), attempts_left(student, exercise)) == (before, left)


@pytest.mark.parametrize(("verdict", "days"), [(Verdict.ACCEPTED, 5), (Verdict.WRONG_ANSWER, 1)])
def test_outcome_moves_the_date(student, exercise, verdict, days):
    card = make_due(student, exercise)
    # As if the mistake had been made a day ago.
    card.state["last_review"] = (datetime.now(UTC) - DAY).isoformat()
    card.save()

    submission = review(student, exercise, verdict=verdict)

    card.refresh_from_db()
    assert card.due_at - submission.created_at == timedelta(days=days)
    assert due(student) == []


def test_only_the_first_outcome_of_a_review_counts(student, exercise):
    make_due(student, exercise)
    review(student, exercise, verdict=Verdict.WRONG_ANSWER)
    [before] = ReviewCard.objects.values()

    review(student, exercise, source="def double(x): return x + x\n")

    assert list(ReviewCard.objects.values()) == [before]


@pytest.mark.parametrize("says_nothing", [{"did_load": False}, {"verdict": Verdict.INTERNAL_ERROR}])
def test_try_that_says_nothing_of_what_is_remembered_leaves_it_due(student, exercise, says_nothing):
    make_due(student, exercise)

    review(student, exercise, **says_nothing)

    assert due(student) == [exercise]


def test_the_same_text_as_before_is_a_review_as_well(student, exercise):
    card = make_due(student, exercise)
    solved = Submission.objects.filter(student=student).first()

    submission = submit_review(student, exercise, source=solved.source)

    card.refresh_from_db()
    assert submission.grading.verdict == Verdict.ACCEPTED
    assert card.due_at > submission.created_at


def test_practice_after_closing_is_no_review(student, exercise):
    card = make_due(student, exercise)
    make_assignment(exercise, closes_at=timezone.now() - DAY)

    practice = make_graded(student, exercise)

    assert not practice.is_counted
    assert ReviewCard.objects.get() == card
    assert due(student) == [exercise]


def test_same_key_hands_in_once(student, exercise):
    make_due(student, exercise)

    first, second = (submit_review(student, exercise, source="x = 1", idempotency_key="a") for _ in range(2))

    assert first == second


def test_nobody_reviews_what_is_not_theirs(student, exercise):
    make_due(student, exercise)
    classmate = make_member(exercise.course)

    with pytest.raises(ReviewCard.DoesNotExist):
        submit_review(classmate, exercise, source="x = 1")

    assert due(classmate) == []
    assert not Submission.objects.filter(student=classmate).exists()


def test_what_is_no_longer_shown_is_not_asked(student, exercise):
    make_due(student, exercise)
    exercise.is_retired = True
    exercise.save()

    assert due(student) == []


def test_what_an_open_assignment_asks_is_not_tried_for_free(student, exercise):
    make_due(student, exercise)
    make_assignment(exercise, max_attempts=1)

    assert due(student) == []
    with pytest.raises(ReviewCard.DoesNotExist):
        submit_review(student, exercise, source="x = 1")


def test_what_is_solved_in_an_open_assignment_is_asked_again(student, exercise):
    assignment = make_assignment(exercise)
    solve_after_a_mistake(student, exercise, assignment=assignment.slug)

    card = review_card(student, exercise, at=timezone.now())

    assert card.exercise == exercise


def test_unstarted_quiz_is_not_prepared_by_a_review(student, exercise):
    make_due(student, exercise)
    quiz = make_assignment(exercise, is_quiz=True, minutes=5, closes_at=timezone.now() + DAY)

    assert due(student) == []
    AssignmentStart.objects.create(assignment=quiz, student=student, handed_in_at=timezone.now())
    assert due(student) == [exercise]


@pytest.mark.parametrize("shown", [Shown.CLOSED, Shown.RELEASED, Shown.NEVER])
def test_nothing_shows_of_what_is_held_back(student, exercise, shown):
    assignment = make_assignment(exercise, outcomes_shown=shown, closes_at=timezone.now() + DAY)
    solve_after_a_mistake(student, exercise, assignment=assignment.slug)

    found = spaced_reviews(student, at=timezone.now())

    assert (found.due, found.later) == ((), ())


@pytest.mark.parametrize("count", [1, 3])
def test_number_of_queries_does_not_grow(count, django_assert_num_queries):
    course = make_course()
    student = make_member(course)
    for _ in range(count):
        exercise = make_exercise(course)
        solve_after_a_mistake(student, exercise)
        make_assignment(exercise, closes_at=timezone.now() - DAY)

    with django_assert_num_queries(2):
        found = spaced_reviews(student, at=timezone.now())
        assert [card.exercise.published.title for card in found.later]


def test_staff_may_be_asked_again_as_well(exercise):
    teacher = make_member(exercise.course, role=Role.INSTRUCTOR)

    make_due(teacher, exercise)

    assert due(teacher) == [exercise]
