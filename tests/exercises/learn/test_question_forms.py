"""The forms of questions without any script: what they send is what was meant, and they remember it."""

import re

import pytest

from exercises.choices import Kind
from exercises.models import Submission
from exercises.queries import response_form
from exercises.services import submit
from tests.factories import make_exercise, publish_version, right_response

HTMX = {"HX-Request": "true"}


def page_of(exercise):
    return f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/"


def fields_for(kind, response, form):
    """What a browser sends for a response."""
    if kind == Kind.BLANKS:
        return {f"gap-{name}": entry for name, entry in response.items()}
    if kind == Kind.MATCHING:
        return {f"pair-{left}": right for left, right in response.items()}
    if kind == Kind.ORDERING:
        placed = {f"place-{line['id']}": "" for line in form["lines"]}
        placed |= {f"place-{name}": str(place) for place, (name, _) in enumerate(response, start=1)}
        return placed | {f"indent-{name}": str(indent) for name, indent in response}
    if kind == Kind.TENSOR:
        return {"response": str(response).replace("'", "")}
    return {"response": response}


@pytest.mark.parametrize(
    "kind", [Kind.CHOICE, Kind.NUMERIC, Kind.TEXT, Kind.TENSOR, Kind.BLANKS, Kind.ORDERING, Kind.MATCHING]
)
def test_right_response_by_form_is_accepted_and_shown_again(client, student, course, kind):
    exercise = make_exercise(course, kind=kind)
    right = right_response(student, exercise)
    sent = fields_for(kind, right, response_form(student, exercise))
    assert "checked" not in client.get(page_of(exercise)).content.decode()

    text = client.post(f"{page_of(exercise)}submit/", sent, headers=HTMX).content.decode()

    assert "Accepted" in text
    page = client.get(page_of(exercise)).content.decode()
    submission = client.get(f"/submissions/{Submission.objects.get().pk}/").content.decode()
    for name, value in sent.items():
        if kind in (Kind.NUMERIC, Kind.TEXT, Kind.BLANKS):
            assert f'name="{name}" value="{value}"' in page
            assert str(value) in submission
    chosen = re.findall(r"<option[^>]* selected>([^<]+)</option>", page)
    assert len(chosen) == {Kind.ORDERING: 3 + 4, Kind.MATCHING: 3}.get(kind, 0)
    assert ("checked" in page) == (kind == Kind.CHOICE)


def test_order_is_that_of_the_places_and_not_of_the_form(client, student, course):
    exercise = make_exercise(course, kind=Kind.ORDERING)
    right = right_response(student, exercise)
    sent = {f"place-{name}": str(place) for (name, _), place in zip(right, (7, 9, 30), strict=True)}
    sent |= {f"indent-{name}": str(indent) for name, indent in right}

    client.post(f"{page_of(exercise)}submit/", sent, headers=HTMX)

    assert Submission.objects.get().response == right


def test_order_without_indentation_has_none(client, student, course):
    exercise = make_exercise(
        course, kind=Kind.ORDERING, definition={"lines": ["one", "two"], "indent": False, "distractors": []}
    )
    right = right_response(student, exercise)

    client.post(
        f"{page_of(exercise)}submit/", {f"place-{name}": str(n) for n, (name, _) in enumerate(right)}, headers=HTMX
    )

    assert "Indent" not in client.get(page_of(exercise)).content.decode().split("data-pool")[2]
    assert Submission.objects.get().response == right


@pytest.mark.parametrize(
    ("kind", "sent", "words"),
    [
        (Kind.TEXT, {}, "A response is required"),
        (Kind.TEXT, {"response": " "}, "found nothing"),
        (Kind.TENSOR, {}, "A response is required"),
        (Kind.TENSOR, {"response": "[1, 2"}, "a bracket is not closed"),
        (Kind.TENSOR, {"response": "[1, two]"}, "two"),
        (Kind.BLANKS, {}, "A response is required"),
        (Kind.BLANKS, {"gap-root": "x"}, "expected an entry for each gap"),
        (Kind.BLANKS, {"gap-root": "x", "gap-number": ""}, "gap number: expected a number, found nothing"),
        (Kind.MATCHING, {}, "A response is required"),
        (Kind.MATCHING, {"pair-a": ""}, "Choose something for each one"),
        (Kind.MATCHING, {"pair-a": "b"}, "each left id"),
        (Kind.ORDERING, {}, "Give each line that belongs its place"),
        (Kind.ORDERING, {"place-a": ""}, "Give each line that belongs its place"),
        (Kind.ORDERING, {"place-a": "1", "place-b": "1"}, "Two lines have the place 1"),
        (Kind.ORDERING, {"place-a": "first"}, "no whole number"),
        (Kind.ORDERING, {"place-a": "1", "indent-a": "-1"}, "no whole number"),
        (Kind.ORDERING, {"place-a": "1"}, "no line with the id"),
        (Kind.EXPLAIN, {}, "A response is required"),
        (Kind.EXPLAIN, {"response": "\n"}, "expected a text"),
        (Kind.EXPLAIN, {"response": "x\0"}, "no text"),
    ],
)
def test_wrong_form_is_told_in_words_and_nothing_is_stored(client, student, course, kind, sent, words):
    exercise = make_exercise(course, kind=kind)

    response = client.post(f"{page_of(exercise)}submit/", sent, headers=HTMX)

    assert response.status_code == 400
    assert words in response.content.decode()
    assert not Submission.objects.exists()


def test_refused_response_is_shown_again_without_script(client, student, course):
    exercise = make_exercise(course, kind=Kind.TEXT, max_attempts=1)
    submit(student, exercise, response="First.")

    response = client.post(f"{page_of(exercise)}submit/", {"response": "My second one."})

    assert response.status_code == 409
    assert "My second one." in response.content.decode()


def test_gaps_stand_in_prose_and_code(client, student, course):
    template = "Here is *one* {{root}}:\n\n```python\nscores = q @ k.mT / {{number}}\n```"
    exercise = make_exercise(course, kind=Kind.BLANKS, definition={"template": template})

    text = client.get(page_of(exercise)).content.decode()

    assert "<em>one</em> <label" in text
    code = text[text.index('<code class="language-python">') :]
    assert 'name="gap-number"' in code[: code.index("</code>")]
    assert "gapzq" not in text


def test_right_texts_with_formulas_get_letters(client, student, course):
    pairs = [["query", "$q$ asks"], ["key", "`k` shows"]]
    exercise = make_exercise(course, kind=Kind.MATCHING, definition={"pairs": pairs, "distractors": []})

    question = client.get(page_of(exercise)).context["page"].question

    assert [option.id for option in question.legend] == ["A", "B"]
    assert "<math" in "".join(option.text for option in question.legend)
    assert sorted(option.text[:2] for option in question.left[0].options) == ["A:", "B:"]


def test_right_texts_that_are_words_need_no_letters(client, student, course):
    question = client.get(page_of(make_exercise(course, kind=Kind.MATCHING))).context["page"].question

    assert question.legend == []
    assert {option.text for option in question.left[0].options} == {"asks", "shows", "gives", "forgets"}


def test_what_was_answered_to_another_kind_is_not_put_into_the_form(client, student, course):
    exercise = make_exercise(course, kind=Kind.TENSOR)
    submit(student, exercise, response=[[1], [2]])
    publish_version(exercise, kind=Kind.ORDERING)

    assert client.get(page_of(exercise)).status_code == 200


def test_page_of_an_old_version_shows_the_question_as_it_was_asked(client, student, course):
    variants = {"prompt": "Width {{ d }}?", "parameters": {"d": {"choices": [64]}}, "answer": "{{ sqrt(d) }}"}
    exercise = make_exercise(course, kind=Kind.NUMERIC, definition=variants)
    submission = submit(student, exercise, response="8")
    publish_version(exercise, kind=Kind.NUMERIC, definition={"prompt": "Another?", "answer": 1})

    text = client.get(f"/submissions/{submission.pk}/").content.decode()

    assert "Width 64?" in text
    assert "Another?" not in text
