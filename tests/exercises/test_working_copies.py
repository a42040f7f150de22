"""Working copies of exercises: made, saved, duplicated, compared; two authors at one of them."""

import base64

import pytest

from exercises.choices import AuditAction, Role
from exercises.errors import InvalidFieldError, NotAllowedError, NothingSavedError, StaleRevisionError
from exercises.models import AuditEntry, Exercise, Revision
from exercises.queries import difference, files_of, head_of, history_of, problems_of
from exercises.services import create_exercise, duplicate_exercise, load_course, publish, save_revision
from tests.exercises.authoring import (
    CODE_FILES,
    NUMERIC,
    NUMERIC_FILES,
    UNREADABLE_FILES,
    certify,
    make_author,
    make_working_copy,
)
from tests.factories import make_course, make_course_folder, make_exercise_folder, make_member
from tests.together import together

pytestmark = pytest.mark.django_db
OTHER_FILES = {"exercise.yaml": NUMERIC.replace("5", "6")}
BINARY = {"base64": base64.b64encode(b"\x93NUMPY\xff").decode()}


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def author(course):
    return make_author(course, first_name="Ada")


@pytest.fixture
def exercise(course, author):
    return make_working_copy(course, author=author)


def test_new_exercise_stands_at_the_end_and_students_see_nothing_of_it(course, author):
    first, second = (make_working_copy(course, author=author, slug=slug) for slug in ("one", "two"))

    assert (first.position, second.position, second.published) == (0, 1, None)
    head = head_of(second)
    assert (head.number, head.files, head.saved_by) == (1, NUMERIC_FILES, author)
    assert (head.kind, head.title, head.is_readable) == ("numeric", "How much", True)
    entry = AuditEntry.objects.first()
    assert (entry.action, entry.target, entry.actor) == (AuditAction.EXERCISE_CREATED, "two", author)


@pytest.mark.parametrize("slug", ["", "Not One", "a--b", "how-much"])
def test_address_that_is_none_or_taken_is_refused(course, author, exercise, slug):
    with pytest.raises(InvalidFieldError) as refusal:
        create_exercise(course, slug, files=NUMERIC_FILES, author=author)

    assert refusal.value.field == "slug"
    assert Exercise.objects.get() == exercise


def test_students_and_strangers_write_no_exercise(course, exercise):
    for person in (make_member(course), make_author(make_course())):
        with pytest.raises(NotAllowedError):
            create_exercise(course, "theirs", files=NUMERIC_FILES, author=person)
        with pytest.raises(NotAllowedError):
            save_revision(exercise, files=OTHER_FILES, based_on=1, author=person)
        with pytest.raises(NotAllowedError):
            duplicate_exercise(exercise, "theirs", author=person)

    assert Revision.objects.count() == 1


def test_save_adds_a_revision(exercise, author):
    saved = save_revision(exercise, files=OTHER_FILES, based_on=1, author=author)

    assert (saved.number, head_of(exercise)) == (2, saved)
    assert [revision.number for revision in history_of(exercise)] == [2, 1]


def test_saving_what_stands_changes_nothing(exercise, author):
    assert save_revision(exercise, files=NUMERIC_FILES, based_on=0, author=author).number == 1
    assert Revision.objects.count() == 1


def test_files_that_are_no_exercise_yet_are_saved_and_their_problems_told(exercise, author):
    saved = save_revision(exercise, files=UNREADABLE_FILES, based_on=1, author=author)

    assert (saved.is_readable, saved.kind, saved.grading_hash) == (False, "", "")
    assert {problem.field for problem in problems_of(exercise, saved.files)} == {"answer", "prompt", "title"}
    assert problems_of(exercise, NUMERIC_FILES) == []


def test_pictures_of_the_course_may_be_shown(course, exercise):
    files = {"exercise.yaml": NUMERIC.replace("Count.", "'![A cat](assets/cat.png)'")}
    missing = problems_of(exercise, files)
    course.assets.create(path="cat.png", media_type="image/png", digest="", content=b"")

    assert len(missing) == 1
    assert problems_of(exercise, files) == []


def test_later_save_of_another_author_is_told_and_nothing_is_lost(course, exercise, author):
    save_revision(exercise, files=OTHER_FILES, based_on=1, author=author)
    later = {"exercise.yaml": NUMERIC.replace("Count.", "Count them.")}
    colleague = make_author(course)

    with pytest.raises(StaleRevisionError, match="Ada saved this exercise meanwhile") as refusal:
        save_revision(exercise, files=later, based_on=1, author=colleague)

    assert (refusal.value.head.files, head_of(exercise)) == (OTHER_FILES, refusal.value.head)
    set_aside = refusal.value.set_aside
    assert (set_aside.files, set_aside.saved_by, set_aside.based_on) == (later, colleague, 1)
    assert save_revision(exercise, files=later, based_on=2, author=colleague) == head_of(exercise)
    assert [revision.is_set_aside for revision in history_of(exercise)] == [False, True, False, False]


def test_same_stale_save_is_set_aside_once(exercise, author):
    save_revision(exercise, files=OTHER_FILES, based_on=1, author=author)
    for _ in range(2):
        with pytest.raises(StaleRevisionError):
            save_revision(exercise, files=CODE_FILES, based_on=1, author=author)

    assert exercise.revisions.filter(is_set_aside=True).count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_authors_at_the_same_moment_one_is_told(course, exercise, author):
    def save(number):
        files = {"exercise.yaml": NUMERIC.replace("5", str(number))}
        return save_revision(exercise, files=files, based_on=1, author=author)

    results = together(save, [6, 7])

    assert sorted(type(result) for result in results if isinstance(result, Exception)) == [StaleRevisionError]
    assert sorted(exercise.revisions.values_list("number", "is_set_aside")) == [(1, False), (2, False), (3, True)]


@pytest.mark.parametrize(
    "files",
    [
        [],
        {"../exercise.yaml": ""},
        {"/exercise.yaml": ""},
        {"a//b": ""},
        {"": ""},
        {"a\nb": ""},
        {5: ""},
        {"x" * 201: ""},
        {"exercise.yaml": 5},
        {"exercise.yaml": "\ud800"},
        {"data/a.npy": {"base64": 5}},
        {"data/a.npy": {"base64": "a"}},
        {"data/a.npy": {"other": "YQ=="}},
        {"large.py": "x" * (1024 * 1024 + 1)},
        {f"{number}.py": "x" * 1024 * 1024 for number in range(5)},
        {f"{number}.py": "" for number in range(201)},
    ],
)
def test_files_of_the_wrong_form_are_refused(exercise, author, files):
    with pytest.raises(InvalidFieldError) as refusal:
        save_revision(exercise, files=files, based_on=1, author=author)

    assert refusal.value.field == "files"
    assert Revision.objects.count() == 1


def test_binary_and_odd_files_come_back_as_they_were(exercise, author):
    files = {
        **NUMERIC_FILES,
        "data/a.npy": BINARY,
        "b.txt": "a\r\nb",
        "c.txt": {"base64": base64.b64encode(b"\0").decode()},
    }

    save_revision(exercise, files=files, based_on=1, author=author)

    assert head_of(exercise).files == files


def test_difference_shows_each_file_that_differs(exercise, author):
    newer = {"exercise.yaml": NUMERIC.replace("answer: 5\n", "answer: 6"), "data/a.npy": BINARY}
    save_revision(exercise, files=newer, based_on=1, author=author)
    first, second = exercise.revisions.order_by("number")

    found = dict(difference(first, second))

    assert found["data/a.npy"] == "Binary files differ\n"
    assert found["exercise.yaml"].splitlines()[-3:] == ["-answer: 5", "+answer: 6", "\\ No newline at end of file"]
    assert difference(first, first) == []


def test_version_is_compared_with_a_revision(exercise, author):
    certify(exercise)
    version = publish(exercise, author=author)
    save_revision(exercise, files=OTHER_FILES, based_on=1, author=author)

    assert files_of(version) == NUMERIC_FILES
    assert [path for path, _ in difference(version, head_of(exercise))] == ["exercise.yaml"]


def test_duplicate_begins_with_the_working_copy(course, exercise, author):
    save_revision(exercise, files=OTHER_FILES, based_on=1, author=author)

    copy = duplicate_exercise(exercise, "how-much-more", author=author)

    assert (head_of(copy).files, head_of(copy).number, copy.course) == (OTHER_FILES, 1, course)
    assert (copy.published, AuditEntry.objects.first().action) == (None, AuditAction.EXERCISE_DUPLICATED)


def test_nothing_is_no_beginning_of_a_duplicate(course, author):
    empty = Exercise.objects.create(course=course, slug="empty")

    with pytest.raises(NothingSavedError):
        duplicate_exercise(empty, "copy", author=author)


def test_what_is_loaded_becomes_the_head_and_what_was_saved_stays(author):
    load_course(make_course_folder())
    load_course(make_course_folder())
    exercise = Exercise.objects.get()
    exercise.course.memberships.create(user=author, role=Role.INSTRUCTOR)
    save_revision(exercise, files=OTHER_FILES, based_on=1, author=author)

    load_course(make_course_folder(exercises=(make_exercise_folder(content_hash="content two"),)))

    assert [(revision.number, revision.saved_by) for revision in history_of(exercise)] == [
        (3, None),
        (2, author),
        (1, None),
    ]
