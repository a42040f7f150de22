"""What a course holds, as authors change it: lessons, files, and their order."""

import pytest

from exercises.choices import AuditAction, Role
from exercises.content import ContentError
from exercises.errors import InvalidFieldError, NotAllowedError, StaleLessonError
from exercises.services import (
    add_asset,
    bring_back_exercise,
    create_lesson,
    move_exercise,
    move_lesson,
    remove_asset,
    retire_exercise,
    retire_lesson,
    save_lesson,
)
from exercises.services.lessons import lesson_digest
from tests.exercises.authoring import make_author, make_working_copy
from tests.factories import make_course, make_exercise

pytestmark = pytest.mark.django_db
SOURCE = "---\ntitle: First\nsummary: Short.\n---\n\n## One\n\nText.\n"
PNG = b"\x89PNG\r\n\x1a\n rest"


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def author(course):
    return make_author(course)


@pytest.fixture
def lesson(course, author):
    return create_lesson(course, "first", source=SOURCE, author=author)


def test_lesson_is_saved_upon_what_its_author_saw(lesson, author, course):
    saved = save_lesson(lesson, source=SOURCE + "More.\n", seen=lesson_digest(SOURCE), author=author)

    assert (saved.source, saved.position) == (SOURCE + "More.\n", 0)
    with pytest.raises(StaleLessonError):
        save_lesson(lesson, source=SOURCE + "Else.\n", seen=lesson_digest(SOURCE), author=author)
    assert course.lessons.get().source == SOURCE + "More.\n"


def test_saving_what_stands_already_is_no_news(lesson, author, course):
    save_lesson(lesson, source=SOURCE, seen="anything", author=author)

    assert course.audit_entries.count() == 1


def test_text_with_problems_is_no_lesson(course, author, lesson):
    with pytest.raises(ContentError):
        create_lesson(course, "second", source="x", author=author)
    with pytest.raises(ContentError):
        save_lesson(lesson, source="x", seen=lesson_digest(SOURCE), author=author)
    with pytest.raises(InvalidFieldError):
        create_lesson(course, "Not one", source=SOURCE, author=author)
    with pytest.raises(InvalidFieldError):
        create_lesson(course, "first", source=SOURCE, author=author)


def test_only_instructors_change_what_a_course_holds(course, author, lesson):
    assistant = make_author(course, Role.ASSISTANT)
    exercise, asset = make_exercise(course), add_asset(course, "a.png", content=PNG, author=author)
    acts = [
        lambda: save_lesson(lesson, source=SOURCE + "x", seen=lesson_digest(SOURCE), author=assistant),
        lambda: create_lesson(course, "other", source=SOURCE, author=assistant),
        lambda: retire_lesson(lesson, author=assistant),
        lambda: move_lesson(lesson, by=1, author=assistant),
        lambda: move_exercise(exercise, by=1, author=assistant),
        lambda: retire_exercise(exercise, author=assistant),
        lambda: bring_back_exercise(exercise, author=assistant),
        lambda: add_asset(course, "b.png", content=PNG, author=assistant),
        lambda: remove_asset(asset, author=assistant),
    ]

    for act in acts:
        with pytest.raises(NotAllowedError):
            act()


def test_what_is_put_away_is_on_record_once(course, author):
    exercise = make_exercise(course)

    for _ in range(2):
        retire_exercise(exercise, author=author)
        exercise.refresh_from_db()

    assert (exercise.is_retired, exercise.published) == (True, None)
    assert [entry.action for entry in course.audit_entries.all()] == [AuditAction.EXERCISE_RETIRED]


@pytest.mark.parametrize(
    ("slug", "by", "order"), [("a", -1, "abc"), ("a", 1, "bac"), ("c", -1, "acb"), ("c", 1, "abc")]
)
def test_neighbours_change_places(course, author, slug, by, order):
    exercises = {name: make_working_copy(course, slug=name) for name in "abc"}

    move_exercise(exercises[slug], by=by, author=author)

    assert "".join(course.exercises.values_list("slug", flat=True)) == order


def test_file_takes_the_place_of_one_with_its_name(course, author):
    add_asset(course, "a.png", content=PNG, author=author)

    add_asset(course, "a.png", content=PNG + b"other", author=author)

    assert bytes(course.assets.get().content) == PNG + b"other"


def test_files_have_a_largest_number(course, author, monkeypatch):
    monkeypatch.setattr("exercises.content.assets.MOST_FILES", 1)
    add_asset(course, "a.png", content=PNG, author=author)

    with pytest.raises(InvalidFieldError, match="at most 1 files"):
        add_asset(course, "b.png", content=PNG, author=author)

    assert course.assets.count() == 1
