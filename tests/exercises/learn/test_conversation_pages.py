"""Asking by page, the thread, and the list of staff."""

import pytest

from exercises.choices import Role
from exercises.models import Question, Reply
from exercises.services import ask
from tests.exercises.learn.people import expecting, make_people
from tests.factories import make_course, make_exercise, make_graded, make_lesson, make_member

HTMX = {"HX-Request": "true"}
SENT = {"kind": "question", "text": "Why <b>so</b>?\r\n\r\nIs `d` wrong?"}


@pytest.fixture
def exercise(course):
    return make_exercise(course)


@pytest.fixture
def question(people, exercise):
    make_graded(people["owner"], exercise, source="mine = 1\n")
    return ask(people["owner"], exercise, kind="question", text="Why <b>so</b>?")


def pages_of(course, exercise, submission):
    base = f"/courses/{course.slug}"
    lesson = make_lesson(course)
    return (f"{base}/lessons/{lesson.slug}/", f"{base}/exercises/{exercise.slug}/", f"/submissions/{submission.pk}/")


def test_form_stands_on_lessons_exercises_and_own_submissions(client, student, course, exercise):
    submission = make_graded(student, exercise)

    for page in pages_of(course, exercise, submission):
        text = client.get(page).content.decode()
        assert f'action="{page}ask/"' in text
        assert client.post(f"{page}ask/", SENT)["Location"] == f"/questions/{Question.objects.latest('pk').pk}/"

    assert Question.objects.count() == 3


def test_form_is_not_shown_to_staff_nor_where_there_are_none(client, people, course, exercise):
    alone = make_people(make_course(self_paced=True))
    alone["course"].memberships.exclude(role=Role.STUDENT).delete()
    for who, at in ((people["teacher"], people), (alone["owner"], alone)):
        submission = make_graded(at["owner"], make_exercise(at["course"]))
        client.force_login(who)
        for page in pages_of(at["course"], submission.exercise, submission):
            assert "Ask or report" not in client.get(page).content.decode()
            assert client.post(f"{page}ask/", SENT).status_code in {404, 409}

    assert not Question.objects.exists()


def test_asking_by_script_puts_a_word_in_place_of_the_form(client, student, exercise):
    response = client.post(f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/ask/", SENT, headers=HTMX)

    assert (response.status_code, response["HX-Retarget"]) == (200, "#ask form")
    assert f'href="/questions/{Question.objects.get().pk}/"' in response.content.decode()
    assert Question.objects.get().text == "Why <b>so</b>?\n\nIs `d` wrong?"


def test_what_is_refused_is_shown_again(client, student, exercise):
    address = f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/ask/"

    response = client.post(address, {"kind": "praise", "text": "Well made."})

    assert response.status_code == 400
    assert "Well made.</pre>" in response.content.decode()


def test_too_many_are_answered_with_429(client, student, exercise):
    address = f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/ask/"
    for _ in range(6):
        assert client.post(address, SENT).status_code == 302

    response = client.post(address, SENT)

    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 600


@expecting(owner=200, teacher=200, classmate=404, stranger=404)
def test_thread_is_for_its_student_and_staff(client, people, question, who, status):
    client.force_login(people[who])

    assert client.get(f"/questions/{question.pk}/").status_code == status


@expecting(owner=302, teacher=302, classmate=404, stranger=404)
def test_reply_is_for_its_student_and_staff(client, people, question, who, status):
    client.force_login(people[who])

    assert client.post(f"/questions/{question.pk}/reply/", {"text": "So."}).status_code == status
    assert Reply.objects.count() == (status == 302)


@expecting(owner=404, teacher=302, classmate=404, stranger=404)
def test_closing_is_for_staff(client, people, course, question, who, status):
    client.force_login(people[who])

    assert client.post(f"/teach/{course.slug}/questions/{question.pk}/close/").status_code == status
    question.refresh_from_db()
    assert (question.answered_at is not None) == (status == 302)


def test_question_of_another_course_is_not_closed_here(client, people, question):
    other = make_course()
    other.memberships.create(user=people["teacher"], role=Role.INSTRUCTOR)
    client.force_login(people["teacher"])

    assert client.post(f"/teach/{other.slug}/questions/{question.pk}/close/").status_code == 404


def test_staff_see_the_question_with_what_was_handed_in(client, people, course, question):
    assistant = make_member(course, role=Role.ASSISTANT)
    client.force_login(assistant)

    text = client.get(f"/questions/{question.pk}/").content.decode()
    client.post(f"/questions/{question.pk}/reply/", {"text": "Because.\r\n`so`"})

    assert "Why &lt;b&gt;so&lt;/b&gt;?" in text
    assert "mine = 1" in text
    assert f'href="/submissions/{question.submission_id}/"' in text
    assert "Close without a reply" in text
    client.force_login(people["owner"])
    answered = client.get(f"/questions/{question.pk}/").content.decode()
    assert "<p>Because.<br><code>so</code></p>" in answered
    assert "Close without a reply" not in answered


def test_refused_reply_is_a_refusal(client, student, question):
    assert client.post(f"/questions/{question.pk}/reply/", {"text": " "}).status_code == 400


def test_thread_outlives_whoever_answered(client, people, question):
    Reply.objects.create(question=question, author=None, text="So it was.")
    client.force_login(people["owner"])

    assert "Somebody who has left" in client.get(f"/questions/{question.pk}/").content.decode()


def test_lists_of_staff_filter(client, people, course, question):
    client.force_login(people["teacher"])
    address = f"/teach/{course.slug}/questions/"

    assert "Why &lt;b&gt;so" in client.get(address).content.decode()
    assert "Nothing here yet." in client.get(f"{address}?show=answered").content.decode()
    client.post(f"{address}{question.pk}/close/")
    assert "Nobody waits for an answer." in client.get(f"{address}?show=nonsense").content.decode()
    assert "Answered · " in client.get(f"{address}?show=answered").content.decode()
    assert "Why &lt;b&gt;so" in client.get(f"{address}?show=all").content.decode()


def test_class_page_counts_what_is_open(client, people, course, question):
    client.force_login(people["teacher"])

    text = client.get(f"/teach/{course.slug}/").content.decode()

    assert f'href="/teach/{course.slug}/questions/"' in text
    assert f'<a id="open-questions" href="/teach/{course.slug}/questions/">1</a>' in text


def test_own_questions_are_listed(client, people, question):
    client.force_login(people["classmate"])
    assert "You have asked nothing yet." in client.get("/questions/").content.decode()

    client.force_login(people["owner"])
    assert f'href="/questions/{question.pk}/"' in client.get("/questions/").content.decode()


@pytest.mark.parametrize("rows", [1, 3])
def test_number_of_queries_does_not_grow(client, people, course, exercise, queries_of, rows):
    for _ in range(rows):
        ask(make_member(course), exercise, kind="report", text="Wrong.")
    client.force_login(people["teacher"])

    assert queries_of(f"/teach/{course.slug}/questions/") == 5
