import pytest

from exercises.models import Asset, CaseSet, Course, Exercise, ExerciseVersion, Lesson
from exercises.queue import PREPARATION_TASK
from exercises.services import load_course
from tests.factories import (
    make_asset_file,
    make_course_folder,
    make_exercise_folder,
    make_lesson_folder,
    make_submission,
)

pytestmark = pytest.mark.django_db


def test_first_load_adds_everything():
    changes = load_course(make_course_folder())

    assert (changes.lessons, changes.exercises) == ({"doubling": "added"}, {"double": "added"})
    course = Course.objects.get()
    assert (course.slug, course.title, course.self_paced) == ("numbers", "Numbers", True)
    exercise = Exercise.objects.get()
    assert (exercise.published.number, exercise.published.title, exercise.published.kind) == (1, "Double", "code")
    lesson = Lesson.objects.get()
    assert lesson.html == "<h2>Doubling</h2>"
    assert [item.exercise for item in lesson.embedded.all()] == [exercise]
    assert bytes(Asset.objects.get().content) == b"one"


def test_second_load_changes_nothing():
    load_course(make_course_folder())

    changes = load_course(make_course_folder())

    assert (changes.lessons, changes.exercises) == ({"doubling": "unchanged"}, {"double": "unchanged"})
    assert ExerciseVersion.objects.count() == 1


def test_changed_exercise_becomes_a_new_version_and_the_old_one_stays():
    load_course(make_course_folder())
    submission = make_submission(exercise=Exercise.objects.get())

    changes = load_course(
        make_course_folder(exercises=(make_exercise_folder(title="Twice", content_hash="content two"),))
    )

    assert changes.exercises == {"double": "changed"}
    assert Exercise.objects.get().published.number == 2
    submission.refresh_from_db()
    assert (submission.version.number, submission.version.title) == (1, "Double")


def test_exercise_that_is_again_as_it_was_gets_its_version_back():
    load_course(make_course_folder())
    load_course(make_course_folder(exercises=(make_exercise_folder(content_hash="content two"),)))

    assert load_course(make_course_folder()).exercises == {"double": "changed"}
    assert Exercise.objects.get().published.number == 1
    assert ExerciseVersion.objects.count() == 2


def test_changed_lesson_is_updated_in_place():
    load_course(make_course_folder())
    before = Lesson.objects.get()

    changes = load_course(make_course_folder(lessons=(make_lesson_folder(title="Twice as much", exercises=()),)))

    after = Lesson.objects.get()
    assert changes.lessons == {"doubling": "changed"}
    assert (after.pk, after.title) == (before.pk, "Twice as much")
    assert not after.embedded.exists()


def test_what_is_missing_is_retired_and_comes_back():
    load_course(make_course_folder())

    gone = load_course(make_course_folder(lessons=(), exercises=()))
    back = load_course(make_course_folder())

    assert (gone.lessons, gone.exercises) == ({"doubling": "retired"}, {"double": "retired"})
    assert (back.lessons, back.exercises) == ({"doubling": "changed"}, {"double": "changed"})
    assert not Lesson.objects.get().is_retired
    assert not Exercise.objects.get().is_retired


def test_what_is_retired_already_is_not_retired_again():
    load_course(make_course_folder())
    load_course(make_course_folder(lessons=(), exercises=()))

    assert load_course(make_course_folder(lessons=(), exercises=())).exercises == {}


def test_other_courses_are_left_alone():
    load_course(make_course_folder())

    load_course(make_course_folder(slug="letters", lessons=(), exercises=()))

    assert not Exercise.objects.get().is_retired


def test_assets_follow_the_folder():
    load_course(make_course_folder(assets=(make_asset_file(), make_asset_file(path="old.csv"))))

    load_course(make_course_folder(assets=(make_asset_file(digest="two", content=b"two"),)))

    assert [(asset.path, bytes(asset.content)) for asset in Asset.objects.all()] == [("picture.png", b"two")]


def test_load_that_fails_leaves_the_database_as_before():
    load_course(make_course_folder())

    with pytest.raises(KeyError):
        load_course(
            make_course_folder(
                title="Half loaded",
                exercises=(make_exercise_folder(content_hash="content two"),),
                lessons=(make_lesson_folder(exercises=("unknown",)),),
            )
        )

    assert Course.objects.get().title == "Numbers"
    assert ExerciseVersion.objects.count() == 1


def test_cases_are_prepared_until_they_are_there(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as first:
        load_course(make_course_folder())
    with django_capture_on_commit_callbacks() as second:
        load_course(make_course_folder())
    CaseSet.objects.create(exercise=Exercise.objects.get(), grading_hash="grading one", digest="d", blob=b"")
    with django_capture_on_commit_callbacks() as third:
        load_course(make_course_folder())

    asked = [[callback for callback in each if PREPARATION_TASK in callback.args] for each in (first, second, third)]
    assert [len(callbacks) for callbacks in asked] == [1, 1, 0]
