"""What was typed into the form of a question is kept as it stands, and the form opens with it."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from exercises.choices import Kind
from exercises.learn.questions import question_form
from exercises.models import Draft
from exercises.queries import asked_question, response_form
from exercises.responses import is_blank
from exercises.services import save_draft, submit
from exercises.services.restores import fields_of
from tests.factories import make_exercise, make_lesson, right_response

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
HALF = {
    Kind.NUMERIC: {"response": ["1/"]},
    Kind.TEXT: {"response": ["soft"]},
    Kind.TENSOR: {"response": ["[[1, 0.5], ["]},
    Kind.EXPLAIN: {"response": ["Half a\nthought"]},
    Kind.BLANKS: {"gap-root": ["sqrt"], "gap-number": [""]},
}


def base(exercise):
    return f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/"


def save(client, exercise, fields, *, revision=0):
    return client.post(f"{base(exercise)}draft/", {**fields, "revision": str(revision)}, headers=HTMX)


def opened(client, exercise):
    """The form as the page has it."""
    return client.get(base(exercise)).context["page"].question


@pytest.mark.parametrize("kind", HALF)
def test_half_an_answer_is_kept_as_it_stands(client, student, course, kind):
    exercise = make_exercise(course, kind=kind)

    answer = save(client, exercise, {name: value[0] for name, value in HALF[kind].items()})

    assert answer.json()["revision"] == 1
    assert Draft.objects.get().response == HALF[kind]
    form = opened(client, exercise)
    shown = {f"gap-{piece.gap}": [piece.value] for piece in form.pieces if piece.gap} or {"response": [form.value]}
    assert shown == HALF[kind]


@pytest.mark.parametrize("kind", [Kind.CHOICE, Kind.MATCHING, Kind.ORDERING])
def test_form_opens_with_the_draft_as_with_the_response_that_it_means(client, student, course, kind):
    exercise = make_exercise(course, kind=kind)
    response = right_response(student, exercise)
    handed_in = submit(student, exercise, response=response)
    fields = fields_of(handed_in)
    handed_in.delete()

    save(client, exercise, fields)

    expected = question_form(asked_question(student, exercise), response_form(student, exercise), response)
    form = opened(client, exercise)
    assert (form.options, form.left) == (expected.options, expected.left)
    placed = [[line for line in one.lines if any(place.is_chosen for place in line.places)] for one in (form, expected)]
    assert placed[0] == placed[1]


def test_stale_tab_overwrites_nothing_and_both_are_kept(client, student, course):
    exercise = make_exercise(course, kind=Kind.TEXT)
    save(client, exercise, {"response": "from the laptop"})

    answer = save(client, exercise, {"response": "from the phone"})

    assert answer.status_code == 409
    draft = Draft.objects.get()
    assert draft.response == {"response": ["from the laptop"]}
    assert draft.set_aside_response == {"response": ["from the phone"]}
    page = client.get(base(exercise)).content.decode()
    assert "is set aside" in page

    assert client.post(f"{base(exercise)}draft/swap/", headers=HTMX).json()["revision"] == 2
    draft.refresh_from_db()
    assert draft.response == {"response": ["from the phone"]}
    assert draft.set_aside_response == {"response": ["from the laptop"]}


def test_code_that_was_set_aside_changes_places_too(client, student, course):
    exercise = make_exercise(course)
    Draft.objects.create(student=student, exercise=exercise, source="one", set_aside="two")

    answer = client.post(f"{base(exercise)}draft/swap/")

    assert answer["Location"] == base(exercise)
    assert client.get(base(exercise)).context["draft"]["source"] == "two"
    assert Draft.objects.get().set_aside == "one"


def test_nothing_is_swapped_where_nothing_was_set_aside(client, student, course):
    exercise = make_exercise(course)
    save_draft(student, exercise, source="x", revision=0)

    assert client.post(f"{base(exercise)}draft/swap/").status_code == 404


def test_what_was_handed_in_later_is_shown_instead(client, student, course):
    exercise = make_exercise(course, kind=Kind.TEXT)
    with time_machine.travel(timezone.now() - timedelta(hours=1)):
        save(client, exercise, {"response": "first thought"})
    submit(student, exercise, response="softmax")

    assert opened(client, exercise).value == "softmax"


def test_lesson_opens_with_the_draft(client, student, course):
    exercise = make_exercise(course, kind=Kind.TEXT)
    lesson = make_lesson(course, html=f'<div class="embedded-exercise" data-exercise="{exercise.slug}"></div>')
    lesson.embedded.create(exercise=exercise, position=0)
    save(client, exercise, {"response": "half a word"})

    page = client.get(f"/courses/{course.slug}/lessons/{lesson.slug}/").content.decode()

    assert 'value="half a word"' in page
    assert 'data-revision="1"' in page


def test_fields_that_are_none_of_the_form_are_not_kept(client, student, course):
    exercise = make_exercise(course, kind=Kind.TEXT)

    save(client, exercise, {"response": "x", "csrfmiddlewaretoken": "y", "version": "1", "place": "2"})

    assert Draft.objects.get().response == {"response": ["x"]}


@pytest.mark.parametrize("response", ["x" * 300_000, "a\0b"])
def test_form_that_cannot_be_stored_is_refused(client, student, course, response):
    exercise = make_exercise(course, kind=Kind.EXPLAIN)

    assert save(client, exercise, {"response": response}).status_code == 400
    assert not Draft.objects.exists()


def test_button_saves_without_a_script(client, student, course):
    exercise = make_exercise(course, kind=Kind.TEXT)
    fields = {"response": "x", "revision": "0", "action": "save"}

    page = client.post(f"{base(exercise)}draft/", fields, follow=True).content.decode()
    stale = client.post(f"{base(exercise)}draft/", {**fields, "response": "y"}, follow=True).content.decode()

    assert "Saved. It is not handed in." in page
    assert "edited in another tab" in stale
    assert Draft.objects.get().set_aside_response == {"response": ["y"]}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, True),
        ({"response": [" "]}, True),
        ({"place-a": [""], "indent-a": ["0"]}, True),
        ({"response": ["0"]}, False),
        ({"place-a": ["1"], "indent-a": ["0"]}, False),
    ],
)
def test_form_without_an_answer_is_blank(fields, expected):
    assert is_blank(fields) == expected
