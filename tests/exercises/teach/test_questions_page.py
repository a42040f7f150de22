"""Questions and reports for staff: the submission with them, a fix named, a word to the class."""

import pytest
from django.urls import reverse

from exercises.choices import AuditAction, Role
from exercises.errors import InvalidFieldError, NotAllowedError
from exercises.models import AuditEntry, Notice, Question
from exercises.services import ask, reply
from exercises.services.announcements import announce
from tests.factories import make_course, make_exercise, make_graded, make_member, make_revision, publish_version


@pytest.fixture
def exercise(course):
    return make_exercise(course, version={"title": "Softmax"})


@pytest.fixture
def question(people, exercise):
    submission = make_graded(people["owner"], exercise)
    return ask(people["owner"], submission, kind="report", text="The case is wrong.")


def test_list_has_the_submission_with_each(client, people, course, question):
    client.force_login(people["teacher"])

    text = client.get(reverse("teach:questions", args=(course.slug,))).content.decode()

    assert question.submission.receipt in text
    assert reverse("teach:submission", args=(course.slug, question.submission_id)) in text


def test_fix_is_named_in_the_answer_and_shown_to_the_student(client, people, question, exercise):
    fixed = publish_version(exercise, title="Softmax")
    client.force_login(people["teacher"])
    page = reverse("learn:question", args=(question.pk,))

    assert f'<option value="{fixed.number}">' in client.get(page).content.decode()
    client.post(reverse("learn:reply", args=(question.pk,)), {"text": "Thank you.", "fixed_by": fixed.number})

    question.refresh_from_db()
    assert question.fixed_by == fixed
    assert Notice.objects.get().text.endswith("was answered, and the exercise corrected.")
    client.force_login(people["owner"])
    text = client.get(page).content.decode()
    assert f"Put right in version {fixed.number}" in text
    assert 'name="fixed_by"' not in text


def test_versions_from_before_the_question_fix_nothing(client, people, question):
    client.force_login(people["teacher"])
    client.post(reverse("learn:reply", args=(question.pk,)), {"text": "Thank you.", "fixed_by": "1"})

    question.refresh_from_db()
    assert question.fixed_by is None
    assert question.answered_at is not None


def test_fix_is_a_version_of_the_same_exercise(people, question):
    with pytest.raises(InvalidFieldError):
        reply(question, author=people["teacher"], text="So.", fixed_by=make_exercise().published)

    assert Question.objects.get().fixed_by is None


def test_student_names_no_fix(people, question, exercise):
    fixed = publish_version(exercise)

    reply(question, author=people["owner"], text="It is version 2.", fixed_by=fixed)

    assert Question.objects.get().fixed_by is None


def test_class_is_told_and_it_is_on_record(client, people, course, question, exercise):
    client.force_login(people["teacher"])
    address = reverse("teach:announce", args=(course.slug,))

    begun = client.get(f"{address}?question={question.pk}").content.decode()
    client.post(address, {"text": "Case 2 was wrong.", "exercise": exercise.slug})

    assert f'<option value="{exercise.slug}" selected>' in begun
    told = Notice.objects.filter(text=f"“{course.title}”: Case 2 was wrong.")
    assert {notice.user for notice in told} == {people["owner"], people["classmate"]}
    assert {notice.url for notice in told} == {reverse("learn:exercise", args=(course.slug, exercise.slug))}
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.details["members"]) == (AuditAction.ANNOUNCED, 2)


def test_empty_word_is_refused_in_its_place(client, people, course):
    client.force_login(people["teacher"])

    answer = client.post(reverse("teach:announce", args=(course.slug,)), {"text": " "})

    assert answer.status_code == 400
    assert not Notice.objects.exists()


def test_only_instructors_announce_and_of_their_own_exercises(people, course):
    for person in (people["owner"], people["stranger"], make_member(course, role=Role.ASSISTANT)):
        with pytest.raises(NotAllowedError):
            announce(course, author=person, text="Hello")
    with pytest.raises(InvalidFieldError):
        announce(course, author=people["teacher"], text="Hello", exercise=make_exercise(make_course()))
    with pytest.raises(InvalidFieldError):
        announce(course, author=people["teacher"], text="x" * 2001)


def test_trial_says_that_nothing_is_handed_in(client, people, course):
    exercise = make_exercise(course)
    make_revision(exercise)
    client.force_login(people["teacher"])

    text = client.get(reverse("authoring:try", args=(course.slug, exercise.slug))).content.decode()

    assert "Nothing is handed in from here." in text
    assert "Submit hands in" not in text
