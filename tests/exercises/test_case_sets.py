import pytest

from exercises.choices import Kind
from exercises.queries import versions_without_cases, visible_cases
from exercises.services import store_case_set
from tests.factories import make_exercise, publish_version

pytestmark = pytest.mark.django_db

VISIBLE = [{"name": "two tokens", "args": [1], "kwargs": {}, "expected": 2}]


def test_cases_of_a_grading_hash_are_stored_once():
    version = make_exercise().published

    first = store_case_set(version, blob=b"one", visible=VISIBLE)

    assert store_case_set(version, blob=b"two", visible=[]) == first
    assert visible_cases(version) == VISIBLE


def test_cases_give_their_place_only_to_those_that_were_made_instead():
    version = make_exercise().published
    first = store_case_set(version, blob=b"one", visible=[])

    store_case_set(version, blob=b"two", visible=[], instead_of=b"another")
    first.refresh_from_db()
    assert bytes(first.blob) == b"one"

    store_case_set(version, blob=b"two", visible=VISIBLE, instead_of=b"one")
    first.refresh_from_db()
    assert bytes(first.blob) == b"two"
    assert visible_cases(version) == VISIBLE


def test_version_that_is_judged_alike_has_the_same_cases():
    exercise = make_exercise(version={"grading_hash": "same"})
    store_case_set(exercise.published, blob=b"one", visible=VISIBLE)

    assert visible_cases(publish_version(exercise, grading_hash="same")) == VISIBLE


def test_before_they_are_made_no_cases_are_shown():
    assert visible_cases(make_exercise().published) == []


def test_published_code_without_cases_is_found():
    exercise = make_exercise()
    publish_version(exercise)
    store_case_set(make_exercise().published, blob=b"one", visible=[])
    make_exercise(kind=Kind.NUMERIC)
    make_exercise(is_retired=True)

    assert versions_without_cases() == [exercise.published_id]
