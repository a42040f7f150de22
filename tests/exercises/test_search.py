import pytest

from exercises.content.markdown import render_lesson
from exercises.queries import search
from tests.factories import make_course, make_exercise, make_lesson, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def student(course):
    return make_member(course)


def test_lessons_are_found_by_title_and_text(course, student):
    lesson = make_lesson(course, title="Attention", search_text="Queries meet keys. " * 20 + "Softmax makes weights.")
    make_lesson(course, title="Doubling", search_text="Twice.")

    [hit] = search(student, "attention SOFTMAX")

    assert (hit.kind, hit.course, hit.slug, hit.title) == ("lesson", course, lesson.slug, "Attention")
    assert "Softmax makes weights." in hit.excerpt
    assert hit.excerpt.startswith("…")


def test_exercises_are_found_by_title_and_prompt(course, student):
    exercise = make_exercise(course, version={"title": "Softmax"}, definition={"prompt": "Write it by hand."})

    assert [hit.slug for hit in search(student, "softmax")] == [exercise.slug]
    [hit] = search(student, "by hand")
    assert (hit.kind, hit.title, hit.excerpt) == ("exercise", "Softmax", "Write it by hand.")


def test_every_word_must_be_found(course, student):
    make_lesson(course, title="Attention", search_text="Softmax")

    assert search(student, "softmax unknown") == []


@pytest.mark.parametrize("q", ["CANARY", "canary explanation", "reference"])
def test_keys_references_and_explanations_are_not_searched(course, student, q):
    secret = {"explanation": "CANARY explanation", "options": [{"text": "CANARY"}], "mistakes": {"canary": "CANARY"}}
    make_exercise(course, definition=secret, files={"reference.py": "CANARY reference"})

    assert search(student, q) == []


def test_other_courses_and_retired_things_are_not_found(course, student):
    make_lesson(title="Softmax")
    make_lesson(course, title="Softmax", is_retired=True)
    make_exercise(course, version={"title": "Softmax"}, is_retired=True)

    assert search(student, "softmax") == []
    assert search(make_user(), "softmax") == []


@pytest.mark.parametrize("q", ["", "   ", "\0", "%", "_", "'", '"', "\\"])
def test_odd_searches_find_nothing_and_do_not_fail(course, student, q):
    make_lesson(course, title="Softmax", search_text="Weights")
    make_exercise(course)

    assert search(student, q) == []


def test_capitals_beyond_ascii_make_no_difference(course, student):
    make_lesson(course, title="Übung", search_text="Größe")
    make_exercise(course, definition={"prompt": "Wie groß ist Ägir?"})

    for query in ("übung", "ÜBUNG", "Übung größe", "ägir"):
        assert len(search(student, query)) == 1


def test_titles_come_before_texts(course, student):
    make_lesson(course, title="First", position=1, search_text="softmax")
    make_lesson(course, title="Softmax", position=2, search_text="more")
    make_exercise(course, position=1, version={"title": "A"}, definition={"prompt": "softmax"})
    make_exercise(course, position=2, version={"title": "The softmax"}, definition={"prompt": "more"})

    assert [hit.title for hit in search(student, "softmax")] == ["Softmax", "First", "The softmax", "A"]


def test_lesson_is_opened_at_the_section_that_holds_most_of_the_words(course, student):
    rendered = render_lesson(
        "Weights.\n\n## Scores\n\nOne.\n\n### Why `d` > 1\n\nWeights of softmax.\n\n## End\n\nsoftmax"
    )
    make_lesson(course, title="Attention", html=rendered.html, search_text=rendered.search_text)

    assert [hit.anchor for hit in search(student, "softmax weights")] == ["s-why-d-1"]
    assert [hit.anchor for hit in search(student, "weights")] == [""]
    assert [hit.anchor for hit in search(student, "attention")] == [""]
