"""A question whose numbers give none to a student: nobody's loss but its author's, and it stops nothing else."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from exercises.choices import Kind, RefusalReason
from exercises.errors import QuestionNotDrawnError
from exercises.models import Attempt, Draft, Refusal, ReviewCard, Submission
from exercises.services import give_up, settle_clocks, start_assignment, submit
from exercises.services.solutions import solution_of
from tests.factories import make_assignment, make_course, make_exercise, make_lesson, make_member

pytestmark = pytest.mark.django_db

BROKEN = {
    "prompt": "The inverse of {{ x }}?",
    "parameters": {"x": {"choices": [0]}},
    "answer": "{{ 1 / x }}",
    "explanation": "Turn it over.",
}
SENTENCE = "could not be drawn for you"


@pytest.fixture
def exercise():
    return make_exercise(make_course(self_paced=True), kind=Kind.NUMERIC, definition=BROKEN)


@pytest.fixture
def student(exercise):
    return make_member(exercise.course)


@pytest.fixture(autouse=True)
def signed_in(client, student):
    client.force_login(student)


def text_of(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def ended_with_drafts(student, quiz, fields):
    """The student's clock for the quiz has ended; in each of its exercises stands what `fields` say."""
    start = start_assignment(student, quiz)
    for exercise in quiz.exercises.all():
        Draft.objects.create(student=student, exercise=exercise, response=fields, revision=1)
    quiz.starts.filter(pk=start.pk).update(ends_at=timezone.now())


def test_clock_with_such_a_draft_is_settled_and_nothing_is_charged(student, exercise):
    sound = make_exercise(exercise.course, kind=Kind.NUMERIC)
    quiz = make_assignment(exercise, sound, is_quiz=True, minutes=30, max_attempts=1)
    ended_with_drafts(student, quiz, {"response": ["5"]})

    assert settle_clocks() == 1

    refusal = Refusal.objects.get()
    assert (refusal.exercise, refusal.reason, refusal.assignment) == (exercise, RefusalReason.INVALID, quiz)
    assert refusal.response == {"response": ["5"]}
    assert Submission.objects.get().exercise == sound
    assert Attempt.objects.get().submission.exercise == sound


def test_hand_in_is_refused_without_an_attempt(student, exercise):
    with pytest.raises(QuestionNotDrawnError, match=SENTENCE):
        submit(student, exercise, response="5")

    assert not Submission.objects.exists()
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("kind", [Kind.NUMERIC, Kind.EXPLAIN])
def test_page_of_the_exercise_says_whose_fault_it_is(client, student, kind):
    exercise = make_exercise(kind=kind, definition={**BROKEN, "title": "Inverses"})
    client.force_login(make_member(exercise.course))

    text = text_of(client, reverse("learn:exercise", args=(exercise.course.slug, exercise.slug)))

    assert SENTENCE in text
    assert "response-form" not in text


@pytest.mark.parametrize("page", ["lesson", "lesson-print"])
def test_lesson_shows_the_rest(client, exercise, page):
    place = f'<div class="embedded-exercise" data-exercise="{exercise.slug}"></div>'
    lesson = make_lesson(exercise.course, html=f"<p>Before.</p>{place}<p>After.</p>")
    lesson.embedded.create(exercise=exercise, position=0)

    text = text_of(client, reverse(f"learn:{page}", args=(exercise.course.slug, lesson.slug)))

    assert text.index("Before.") < text.index(SENTENCE) < text.index("After.")


def test_assignment_on_one_page_shows_its_other_questions(client, student, exercise):
    sound = make_exercise(exercise.course, kind=Kind.NUMERIC, definition={"prompt": "Two and three?"})
    quiz = make_assignment(exercise, sound)
    Draft.objects.create(student=student, exercise=exercise, response={"response": ["5"]}, revision=1)

    text = text_of(client, reverse("learn:assignment", args=(exercise.course.slug, quiz.slug)))

    assert SENTENCE in text
    assert "Two and three?" in text


def test_solution_is_the_explanation_alone(student, exercise):
    solution = solution_of(student, exercise)

    assert (solution.explanation, solution.response) == ("Turn it over.", None)


def test_page_with_the_solution_open_is_shown(client, student, exercise):
    give_up(student, exercise)

    assert "Turn it over." in text_of(client, reverse("learn:exercise", args=(exercise.course.slug, exercise.slug)))


def test_review_says_so_too(client, student, exercise):
    give_up(student, exercise)
    ReviewCard.objects.update(due_at=timezone.now() - timedelta(days=1))

    assert SENTENCE in text_of(client, reverse("learn:review", args=(exercise.course.slug, exercise.slug)))


def test_api_says_so_in_a_sentence(client, exercise):
    where = f"/api/v1/exercises/{exercise.course.slug}/{exercise.slug}/"

    shown = client.get(where)
    handed_in = client.post(f"{where}submissions/", {"response": "5"}, content_type="application/json")

    for answer in (shown, handed_in):
        assert answer.status_code == 409
        assert SENTENCE in answer.json()["detail"]


def test_fault_is_logged_with_the_exercise_and_without_a_name(student, exercise, caplog):
    with pytest.raises(QuestionNotDrawnError):
        submit(student, exercise, response="5")

    assert f"exercise {exercise.slug} ({exercise.pk}) cannot be drawn" in caplog.text
    assert "division by zero" in caplog.text
    assert student.username not in caplog.text
