"""Asking staff and answering: who may, what goes with it, who is told, and how much at once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.choices import Asked, Role
from exercises.errors import InvalidFieldError, NotAllowedError, TooManyQuestionsError
from exercises.models import Notice, Question, Reply
from exercises.queries import may_ask, question_for, questions_asked_by, questions_in
from exercises.services import ask, close_question, reply
from tests.factories import make_course, make_exercise, make_graded, make_lesson, make_member, make_user

pytestmark = pytest.mark.django_db
TEXT = "Why is it divided?"


@pytest.fixture
def exercise():
    return make_exercise()


@pytest.fixture
def assistant(exercise):
    return make_member(exercise.course, role=Role.ASSISTANT)


@pytest.fixture
def student(exercise, assistant):
    return make_member(exercise.course)


def asked(student, about, **overrides):
    return ask(student, about, **{"kind": Asked.QUESTION, "text": TEXT, **overrides})


def test_question_about_an_exercise_goes_with_the_last_hand_in(student, exercise):
    make_graded(student, exercise)
    last = make_graded(student, exercise)
    make_graded(make_member(exercise.course), exercise)

    question = asked(student, exercise, text=f"  {TEXT}\n")

    assert (question.course, question.exercise, question.lesson) == (exercise.course, exercise, None)
    assert (question.submission, question.text, question.answered_at) == (last, TEXT, None)


def test_question_about_a_lesson_or_a_submission_names_it(student, exercise):
    lesson, submission = make_lesson(exercise.course), make_graded(student, exercise)

    of_lesson, of_submission = asked(student, lesson), asked(student, submission, kind=Asked.REPORT)

    assert (of_lesson.lesson, of_lesson.exercise, of_lesson.submission) == (lesson, None, None)
    assert (of_submission.submission, of_submission.exercise) == (submission, exercise)
    assert of_submission.kind == Asked.REPORT


def test_nobody_is_asked_where_nobody_answers():
    alone = make_exercise(make_course(self_paced=True))
    student = make_member(alone.course)

    assert not may_ask(student, alone.course)
    with pytest.raises(NotAllowedError):
        asked(student, alone)
    assert not Question.objects.exists()


def test_staff_do_not_ask_themselves(exercise, assistant):
    with pytest.raises(NotAllowedError):
        asked(assistant, exercise)


def test_one_does_not_ask_about_anothers_submission(student, exercise):
    with pytest.raises(NotAllowedError):
        asked(student, make_graded(make_member(exercise.course), exercise))


@pytest.mark.parametrize("text", ["", "  \n", None, "a\0b", "x" * 10_001])
def test_text_that_is_none_is_refused(student, exercise, text):
    with pytest.raises(InvalidFieldError) as refused:
        asked(student, exercise, text=text)

    assert refused.value.field == "text"


@pytest.mark.parametrize("kind", ["praise", "", None])
def test_unknown_kind_is_refused(student, exercise, kind):
    with pytest.raises(InvalidFieldError) as refused:
        asked(student, exercise, kind=kind)

    assert refused.value.field == "kind"


def test_six_texts_in_ten_minutes_are_enough(student, exercise):
    question = asked(student, exercise)
    for _ in range(5):
        reply(question, author=student, text="And?")

    with pytest.raises(TooManyQuestionsError) as refused:
        asked(student, exercise)
    with pytest.raises(TooManyQuestionsError):
        reply(question, author=student, text="And?")

    assert 0 < refused.value.retry_after <= 600


def test_after_a_while_one_may_ask_again(student, exercise):
    for _ in range(6):
        asked(student, exercise)
    Question.objects.update(asked_at=timezone.now() - timedelta(minutes=11))

    assert asked(student, exercise).pk


def test_reply_of_staff_answers_and_tells_the_student(student, exercise, assistant):
    question = asked(student, exercise)

    said = reply(question, author=assistant, text="Because it grows.")

    question.refresh_from_db()
    notice = Notice.objects.get()
    assert (said.author, question.answered_by) == (assistant, assistant)
    assert question.answered_at is not None
    assert (notice.user, notice.url) == (student, f"/questions/{question.pk}/")
    assert notice.text == f"Your question in “{exercise.course.title}” was answered."


def test_staff_may_say_as_much_as_they_want(student, exercise, assistant):
    question = asked(student, exercise)

    for _ in range(8):
        reply(question, author=assistant, text="More.")

    assert Reply.objects.count() == 8


def test_word_of_the_student_opens_it_again_and_tells_nobody(student, exercise, assistant):
    question = asked(student, exercise)
    close_question(question, by=assistant)

    reply(question, author=student, text="Not yet clear.")

    question.refresh_from_db()
    assert (question.answered_at, question.answered_by) == (None, None)
    assert Notice.objects.count() == 1


def test_closing_twice_tells_once(student, exercise, assistant):
    question = asked(student, exercise, kind=Asked.REPORT)

    close_question(question, by=assistant)
    close_question(question, by=assistant)

    assert Notice.objects.get().text == f"Your report in “{exercise.course.title}” was closed."


def test_others_neither_reply_nor_close(student, exercise):
    question = asked(student, exercise)

    for other in (make_member(exercise.course), make_user(), make_member(make_course(), role=Role.INSTRUCTOR)):
        with pytest.raises(NotAllowedError):
            reply(question, author=other, text="Me too.")
        with pytest.raises(NotAllowedError):
            close_question(question, by=other)

    with pytest.raises(NotAllowedError):
        close_question(question, by=student)
    assert not Reply.objects.exists()


def test_questions_are_for_their_student_and_staff_of_the_course(student, exercise, assistant):
    question = asked(student, exercise)

    assert question_for(student, question.pk) == question_for(assistant, question.pk) == question
    for other in (make_member(exercise.course), make_user(), make_member(make_course(), role=Role.INSTRUCTOR)):
        with pytest.raises(Question.DoesNotExist):
            question_for(other, question.pk)


def test_lists_tell_open_from_answered(student, exercise, assistant):
    answered, still_open = asked(student, exercise), asked(student, exercise)
    reply(answered, author=assistant, text="So.")

    assert list(questions_in(exercise.course)) == [still_open, answered]
    assert list(questions_in(exercise.course, is_open=True)) == [still_open]
    assert list(questions_in(exercise.course, is_open=False)) == [answered]
    assert list(questions_asked_by(student)) == [still_open, answered]
    assert not questions_asked_by(assistant).exists()
