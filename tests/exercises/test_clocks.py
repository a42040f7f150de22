"""The clock of a quiz: started by the student, enforced by the server, and nothing is lost at its end."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine

from exercises.choices import Kind, RefusalReason
from exercises.errors import NotAllowedError, NotOpenYetError, TimeOverError
from exercises.models import AssignmentStart, Draft, Extension, Refusal, Submission
from exercises.services import clocks, finish_assignment, save_draft, settle_clocks, start_assignment, submit
from exercises.services.drafts import swap_draft
from exercises.services.locks import lock_student
from tests.factories import make_assignment, make_exercise, make_graded, make_member, publish_version

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
END = NOON + 30 * MINUTE


def make_quiz(*exercises, **overrides):
    return make_assignment(*exercises, **{"is_quiz": True, "minutes": 30, **overrides})


def at(moment):
    return time_machine.travel(moment, tick=False)


def started(student, quiz, moment=NOON):
    with at(moment):
        return start_assignment(student, quiz)


def drafted(student, exercise, moment, source):
    kept = Draft.objects.filter(student=student, exercise=exercise).first()
    with at(moment):
        return save_draft(student, exercise, source=source, revision=kept.revision if kept else 0)


def settled(moment):
    with at(moment):
        return settle_clocks()


@pytest.fixture
def quiz():
    return make_quiz(make_exercise())


@pytest.fixture
def exercise(quiz):
    return quiz.exercises.get()


@pytest.fixture
def student(quiz):
    return make_member(quiz.course)


def test_clock_runs_from_the_students_own_start(student, quiz):
    assert started(student, quiz).ends_at == END


def test_second_start_moves_nothing(student, quiz):
    first = started(student, quiz)

    assert started(student, quiz, NOON + MINUTE) == first
    assert AssignmentStart.objects.get().ends_at == END


def test_extra_time_makes_the_clock_longer(student, quiz):
    quiz.course.memberships.filter(user=student).update(extra_time_factor=Decimal("1.25"))

    assert started(student, quiz).ends_at == NOON + timedelta(minutes=37, seconds=30)


def test_clock_ends_at_the_closing_date_which_an_extension_moves(exercise, student):
    quiz = make_quiz(exercise, closes_at=NOON + MINUTE)
    other = make_member(quiz.course)
    Extension.objects.create(assignment=quiz, student=other, closes_at=NOON + HOUR)

    assert started(student, quiz).ends_at == NOON + MINUTE
    assert started(other, quiz).ends_at == END


def test_only_quizzes_are_started(exercise, student):
    with pytest.raises(NotAllowedError):
        started(student, make_assignment(exercise))


def test_quiz_without_minutes_has_no_end(exercise, student):
    assert started(student, make_quiz(exercise, minutes=None)).ends_at is None


def test_start_waits_for_the_opening_and_is_refused_after_closing(exercise, student):
    quiz = make_quiz(exercise, opens_at=NOON, closes_at=NOON + HOUR)

    with pytest.raises(NotOpenYetError):
        started(student, quiz, NOON - SECOND)
    with pytest.raises(TimeOverError):
        started(student, quiz, NOON + HOUR)

    assert not AssignmentStart.objects.exists()


def test_last_second_counts_and_the_next_is_refused_and_kept(student, quiz, exercise):
    started(student, quiz)
    with at(END - SECOND):
        assert submit(student, exercise, source="in_time = 1\n").assignment == quiz

    with at(END), pytest.raises(TimeOverError):
        submit(student, exercise, source="late = 1\n", assignment=quiz.slug)

    refusal = Refusal.objects.get()
    assert (refusal.reason, refusal.assignment, refusal.source) == (RefusalReason.TIME_OVER, quiz, "late = 1\n")
    assert refusal.at == END


def test_last_draft_is_handed_in_when_the_clock_ends(student, quiz, exercise):
    started(student, quiz)
    drafted(student, exercise, END - SECOND, "draft = 1\n")
    assert settled(END - SECOND) == 0

    assert settled(END + 2 * SECOND) == 1

    submission = Submission.objects.get()
    assert (submission.source, submission.assignment, submission.is_counted) == ("draft = 1\n", quiz, True)
    assert AssignmentStart.objects.get().handed_in_at == END
    assert settled(END + 4 * SECOND) == 0


def test_what_is_written_after_the_end_is_not_handed_in_and_not_lost(student, quiz, exercise):
    started(student, quiz)
    drafted(student, exercise, END - SECOND, "in_time = 1\n")

    drafted(student, exercise, END, "late = 1\n")

    assert Submission.objects.get().source == "in_time = 1\n"
    assert Draft.objects.get().source == "late = 1\n"
    assert settled(END + SECOND) == 0


def test_what_was_set_aside_is_not_swapped_in_after_the_end(student, quiz, exercise):
    started(student, quiz)
    drafted(student, exercise, END - SECOND, "in_time = 1\n")
    Draft.objects.update(set_aside="aside = 1\n")

    with at(END):
        swap_draft(student, exercise)

    assert Submission.objects.get().source == "in_time = 1\n"
    assert Draft.objects.get().source == "aside = 1\n"
    assert settled(END + SECOND) == 0


def test_clock_that_staff_lengthen_meanwhile_runs_on(student, quiz, exercise, monkeypatch):
    """The list of ended clocks was read before."""
    started(student, quiz)
    drafted(student, exercise, END - SECOND, "first = 1\n")

    def grant_first(student_id):
        AssignmentStart.objects.update(ends_at=END + MINUTE)
        lock_student(student_id)

    monkeypatch.setattr(clocks, "lock_student", grant_first)

    assert settled(END) == 0
    monkeypatch.undo()
    drafted(student, exercise, END + SECOND, "in_granted_time = 1\n")

    assert settled(END + MINUTE) == 1
    assert Submission.objects.get().source == "in_granted_time = 1\n"
    assert AssignmentStart.objects.get().handed_in_at == END + MINUTE


def test_clock_that_cannot_be_settled_is_logged_and_stops_no_other(student, quiz, exercise, monkeypatch, caplog):
    classmate = make_member(quiz.course)
    for each in (student, classmate):
        started(each, quiz)
        drafted(each, exercise, NOON + MINUTE, "draft = 1\n")
    stuck = AssignmentStart.objects.get(student=student)
    hand_in = clocks._hand_in_drafts

    def fail_for_one(start):
        if start == stuck:
            raise RuntimeError("of ours")
        hand_in(start)

    monkeypatch.setattr(clocks, "_hand_in_drafts", fail_for_one)

    assert settled(END) == 1
    assert Submission.objects.get().student == classmate
    assert f"settling the clock {stuck.pk} failed" in caplog.text
    with pytest.raises(RuntimeError):
        drafted(student, exercise, END + SECOND, "after_the_end = 1\n")
    drafted(student, make_exercise(quiz.course), END + SECOND, "of_another_exercise = 1\n")
    monkeypatch.undo()
    assert settled(END + SECOND) == 1
    assert AssignmentStart.objects.get(student=student).handed_in_at == END
    assert Submission.objects.get(student=student).source == "draft = 1\n"


def test_draft_that_was_handed_in_already_is_not_handed_in_twice(student, quiz, exercise):
    started(student, quiz)
    drafted(student, exercise, NOON + MINUTE, "same = 1\n")
    with at(NOON + 2 * MINUTE):
        submit(student, exercise, source="same = 1\n")

    settled(END)

    assert Submission.objects.count() == 1


def test_draft_from_before_the_start_is_not_handed_in(student, quiz, exercise):
    drafted(student, exercise, NOON - SECOND, "before = 1\n")
    started(student, quiz)

    settled(END)

    assert not Submission.objects.exists()


def test_draft_beyond_the_attempts_is_kept_as_a_refusal(exercise, student):
    quiz = make_quiz(exercise, max_attempts=1)
    started(student, quiz)
    with at(NOON + SECOND):
        make_graded(student, exercise)
    drafted(student, exercise, NOON + MINUTE, "more = 1\n")

    settled(END)

    refusal = Refusal.objects.get()
    assert (refusal.reason, refusal.source) == (RefusalReason.NO_ATTEMPTS, "more = 1\n")
    assert AssignmentStart.objects.get().handed_in_at == END


def test_draft_of_an_exercise_that_was_taken_back_holds_up_nobody(student, quiz, exercise):
    started(student, quiz)
    drafted(student, exercise, NOON + MINUTE, "draft = 1\n")
    exercise.is_retired = True
    exercise.save()

    assert settled(END) == 1

    assert Refusal.objects.get().reason == RefusalReason.CLOSED


def test_student_may_end_it_early_and_then_nothing_more_is_taken(student, quiz, exercise):
    started(student, quiz)
    drafted(student, exercise, NOON + MINUTE, "draft = 1\n")

    with at(NOON + 2 * MINUTE):
        finish_assignment(student, quiz)
        finish_assignment(student, quiz)
        with pytest.raises(TimeOverError):
            submit(student, exercise, source="more = 1\n")

    assert Submission.objects.get().source == "draft = 1\n"
    assert AssignmentStart.objects.get().handed_in_at == NOON + 2 * MINUTE


def test_what_was_not_started_cannot_be_ended(student, quiz):
    assert finish_assignment(student, quiz) is None


def test_questions_have_no_draft_and_their_quiz_ends_as_well(student):
    quiz = make_quiz(make_exercise(kind=Kind.NUMERIC))
    student = make_member(quiz.course)
    started(student, quiz)

    assert settled(END) == 1


def test_what_names_an_older_version_after_the_end_is_not_kept_as_the_draft(student, quiz, exercise):
    """Else the sweeper, which comes a moment later, would hand it in as if it had been there in time."""
    publish_version(exercise)
    started(student, quiz)

    with at(END), pytest.raises(TimeOverError):
        submit(student, exercise, source="too late", version=1)

    assert settled(END + SECOND) == 1
    assert not Submission.objects.exists()
    assert Refusal.objects.get().source == "too late"


def answered(student, exercise, moment, fields):
    kept = Draft.objects.filter(student=student, exercise=exercise).first()
    with at(moment):
        return save_draft(student, exercise, fields=fields, revision=kept.revision if kept else 0)


@pytest.fixture
def question(quiz):
    question = make_exercise(quiz.course, kind=Kind.NUMERIC)
    quiz.items.create(exercise=question, position=1, points=10)
    return question


def test_last_answer_that_was_saved_is_handed_in_and_judged(student, quiz, question):
    started(student, quiz)
    answered(student, question, NOON + MINUTE, {"response": ["4"]})
    answered(student, question, NOON + 2 * MINUTE, {"response": ["5"]})

    settled(END)

    submission = Submission.objects.get()
    assert (submission.assignment, submission.response, submission.is_counted) == (quiz, "5", True)
    assert submission.grading.verdict == "accepted"


def test_answer_that_was_handed_in_is_not_handed_in_again(student, quiz, question):
    started(student, quiz)
    answered(student, question, NOON + MINUTE, {"response": ["5"]})
    with at(NOON + MINUTE):
        submit(student, question, response="5")

    settled(END)

    assert Submission.objects.count() == 1


@pytest.mark.parametrize("fields", [{"response": [" "]}, {}])
def test_empty_form_is_nothing_to_hand_in(student, quiz, question, fields):
    started(student, quiz)
    answered(student, question, NOON + MINUTE, fields)

    settled(END)

    assert not Submission.objects.exists()
    assert not Refusal.objects.exists()


def test_answer_that_is_none_is_kept_with_its_reason_and_holds_up_nothing(student, quiz, question):
    other = make_exercise(quiz.course, kind=Kind.TEXT)
    quiz.items.create(exercise=other, position=2, points=10)
    started(student, quiz)
    answered(student, question, NOON + MINUTE, {"response": ["five"]})
    answered(student, other, NOON + MINUTE, {"response": ["softmax"]})

    settled(END)

    refusal = Refusal.objects.get()
    assert (refusal.exercise, refusal.reason, refusal.assignment) == (question, RefusalReason.INVALID, quiz)
    assert refusal.response == {"response": ["five"]}
    assert Submission.objects.get().exercise == other


def test_answer_beyond_the_attempts_is_refused_and_kept(student, quiz, question):
    quiz.max_attempts = 1
    quiz.save()
    started(student, quiz)
    with at(NOON + MINUTE):
        submit(student, question, response="4")
    answered(student, question, NOON + 2 * MINUTE, {"response": ["5"]})

    settled(END)

    refusal = Refusal.objects.get()
    assert (refusal.reason, refusal.response) == (RefusalReason.NO_ATTEMPTS, "5")
