import pytest

from exercises.choices import Kind
from exercises.queries import definition_of, response_form, response_schema
from tests.factories import make_exercise, make_user

pytestmark = pytest.mark.django_db


def test_code_takes_source():
    schema = response_schema(make_user(), make_exercise(kind=Kind.CODE))

    assert (schema["required"], schema["properties"]["source"]["type"]) == (["source"], "string")


def test_choice_takes_one_of_the_ids_that_the_form_shows():
    student, exercise = make_user(), make_exercise(kind=Kind.CHOICE)

    schema = response_schema(student, exercise)["properties"]["response"]

    assert schema["enum"] == [option["id"] for option in response_form(student, exercise)["options"]]


def test_form_says_nothing_of_the_key():
    form = response_form(make_user(), make_exercise(kind=Kind.CHOICE))

    assert {name for option in form["options"] for name in option} == {"id", "text"}


def test_unpublished_exercise_has_no_definition():
    exercise = make_exercise()
    exercise.published = None

    with pytest.raises(ValueError, match="not published"):
        definition_of(exercise)
