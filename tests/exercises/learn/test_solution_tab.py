"""The tab with the solution: what it holds before it is opened, how it is opened, and that nothing tells earlier."""

from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.choices import ActivityKind, Kind
from exercises.models import Activity
from exercises.services import give_up
from tests.factories import make_assignment, make_exercise, make_graded, make_member

HTMX = {"HX-Request": "true"}
REFERENCE = "def double(x): return x * 4 / 2\n"
DEFINITION = {"explanation": "Twice is once more."}


@pytest.fixture
def exercise(course):
    return make_exercise(course, definition=DEFINITION, files={"reference.py": REFERENCE})


def page_of(exercise):
    return f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/"


def text_of(answer):
    return answer.content.decode()


def is_told(text):
    return "Twice is once more" in text or "double(x): return" in text or 'class="language-python"' in text


def test_before_it_is_open_the_page_asks_for_a_deliberate_step(client, student, exercise):
    text = text_of(client.get(page_of(exercise)))

    assert 'name="confirmed" value="yes" required' in text
    assert not is_told(text)


def test_giving_up_needs_to_be_confirmed(client, student, exercise):
    answer = client.post(f"{page_of(exercise)}give-up/")

    assert answer.status_code == 400
    assert not is_told(text_of(answer))
    assert not Activity.objects.exists()


def test_who_gives_up_lands_at_the_solution_and_reads_what_it_cost(client, student, exercise):
    answer = client.post(f"{page_of(exercise)}give-up/", {"confirmed": "yes"}, follow=True)

    assert answer.redirect_chain == [(f"{page_of(exercise)}#solution", 302)]
    text = text_of(answer)
    assert is_told(text)
    assert text.count("counts nowhere") == 1
    assert "Given up" in text


def test_who_solved_it_opens_it_and_then_it_stays_on_the_page(client, student, exercise):
    make_graded(student, exercise)
    before = text_of(client.get(page_of(exercise)))

    shown = text_of(client.post(f"{page_of(exercise)}solution/", headers=HTMX))

    assert "Show the solution" in before
    assert 'class="language-python"' not in before
    assert 'class="language-python"' in shown
    assert "Twice is once more" in shown
    assert 'class="language-python"' in text_of(client.get(page_of(exercise)))
    assert Activity.objects.get().kind == ActivityKind.SOLUTION_VIEWED


def test_without_the_script_it_is_opened_by_a_form(client, student, exercise):
    make_graded(student, exercise)

    answer = client.post(f"{page_of(exercise)}solution/")

    assert (answer.status_code, answer["Location"]) == (302, f"{page_of(exercise)}#solution")


def test_it_is_not_opened_before_its_time(client, student, exercise):
    answer = client.post(f"{page_of(exercise)}solution/", headers=HTMX)

    assert answer.status_code == 409
    assert not is_told(text_of(answer))


def test_in_an_assignment_the_page_says_when_it_opens(client, student, exercise):
    make_graded(student, exercise)
    make_assignment(exercise, title="Week 1", closes_at=timezone.now() + timedelta(days=1))

    text = text_of(client.get(page_of(exercise)))

    assert "“Week 1” shows solutions once it is closed:" in text
    assert "confirmed" not in text
    assert not is_told(text)


def test_explanation_beside_a_right_outcome_waits_for_the_assignment_too(client, student, exercise):
    submission = make_graded(student, exercise)
    panel = f"/submissions/{submission.pk}/panel/"
    assert "Twice is once more" in text_of(client.get(panel))

    make_assignment(exercise, closes_at=timezone.now() + timedelta(days=1))

    assert "Twice is once more" not in text_of(client.get(panel))


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in (Kind.CODE, Kind.SCRIPT)])
def test_each_kind_shows_one_right_answer(client, student, course, kind):
    exercise = make_exercise(course, kind=kind, definition=DEFINITION)
    give_up(student, exercise)

    text = text_of(client.get(page_of(exercise)))

    assert "One right answer" in text
    assert "Twice is once more" in text


def test_next_exercise_is_one_that_is_neither_solved_nor_given_up(client, student, exercise, course):
    solved, given_up, left = (make_exercise(course, position=exercise.position + number) for number in (1, 2, 3))
    make_graded(student, solved)
    give_up(student, given_up)

    text = text_of(client.get(page_of(exercise)))

    assert f"Next exercise: {left.published.title}" in text
    assert f"Next exercise: {exercise.published.title}" in text_of(client.get(page_of(left)))


def test_others_find_neither_address(client, exercise):
    client.force_login(make_member(make_exercise().course))

    for name in ("solution", "give-up"):
        assert client.post(f"{page_of(exercise)}{name}/", {"confirmed": "yes"}).status_code == 404
