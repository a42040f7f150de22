from datetime import UTC, datetime
from pathlib import Path

import pytest

from exercises.content import read_course, read_course_files
from exercises.models import Certificate, Course, Exercise, ExerciseVersion, Lesson, Revision
from exercises.queries import course_files, version_files
from exercises.services import load_course
from tests.exercises.content.folders import CHOICE, LESSON, NUMERIC
from tests.exercises.content.test_writing import ODD, SHIPPED, files_of
from tests.factories import make_course

pytestmark = pytest.mark.django_db

PLAIN = {
    "course.yaml": b"title: A course  # mine\nlessons: [first]\n",
    "lessons/first.md": LESSON.encode(),
    "exercises/which-one/exercise.yaml": CHOICE.encode(),
}


def without_certificates(files):
    return {path: content for path, content in files.items() if Path(path).name != "certificate.json"}


def load(files, slug="a-course"):
    return load_course(read_course_files(slug, files)).course


def test_shipped_course_comes_out_as_it_went_in():
    course = load_course(read_course(SHIPPED)).course

    exported = course_files(course)

    assert without_certificates(exported) == without_certificates(files_of(SHIPPED))
    assert course_files(load(exported, "attention")) == exported


def test_whatever_an_author_wrote_comes_out_as_it_went_in():
    exported = course_files(load(ODD))

    # The certificate there is of something else.
    assert exported == without_certificates(dict(sorted(ODD.items())))
    assert course_files(load(exported)) == exported


def test_a_comment_is_a_new_version_and_comes_out():
    load(PLAIN)
    commented = PLAIN | {"exercises/which-one/exercise.yaml": b"# why\n" + CHOICE.encode()}

    exported = course_files(load(commented))

    assert exported == commented
    first, second = Exercise.objects.get().versions.all()
    assert first.grading_hash == second.grading_hash


def test_what_was_changed_since_is_in_course_yaml():
    course = load(PLAIN)
    Course.objects.update(title="yes")
    course.refresh_from_db()

    assert course_files(course)["course.yaml"] == b"title: 'yes'\nlessons:\n  - first\n"


def test_course_made_without_files_can_be_loaded_again():
    course = load(PLAIN)
    Course.objects.update(title="Numbers: one", summary="Two\nlines", source="")
    version = Exercise.objects.get().published
    ExerciseVersion.objects.update(definition={"exercise": version.definition["exercise"], "files": {}})
    course.refresh_from_db()

    exported = course_files(course)

    folder = read_course_files("a-course", exported)
    assert (folder.title, folder.summary) == ("Numbers: one", "Two\nlines")
    assert folder.exercises[0].grading_hash == version.grading_hash
    assert course_files(load_course(folder).course) == exported


def test_course_without_anything_can_be_loaded_again():
    exported = course_files(make_course(title="Empty"))

    assert exported == {"course.yaml": b"title: Empty\nlessons: []\n"}
    assert course_files(load(exported)) == exported


def test_what_is_retired_is_left_out():
    course = load(PLAIN | {"exercises/other/exercise.yaml": NUMERIC.encode()})
    Exercise.objects.filter(slug="other").update(is_retired=True)
    Lesson.objects.update(is_retired=True)

    assert sorted(course_files(course)) == ["course.yaml", "exercises/which-one/exercise.yaml"]


def test_of_an_exercise_that_was_never_published_the_working_copy_comes_out():
    course = load(PLAIN)
    draft = Exercise.objects.create(course=course, slug="draft")
    Revision.objects.create(exercise=draft, number=1, files={"exercise.yaml": "title: [", "a.png": {"base64": "AA=="}})
    Revision.objects.create(exercise=draft, number=2, files={"exercise.yaml": "aside"}, is_set_aside=True)

    exported = course_files(course)

    assert exported == PLAIN | {"exercises/draft/exercise.yaml": b"title: [", "exercises/draft/a.png": b"\0"}


def test_working_copies_come_out_where_they_are_asked_for():
    course = load(PLAIN)
    Revision.objects.create(exercise=Exercise.objects.get(), number=9, files={"exercise.yaml": NUMERIC})

    assert course_files(course)["exercises/which-one/exercise.yaml"] == CHOICE.encode()
    assert course_files(course, heads=True)["exercises/which-one/exercise.yaml"] == NUMERIC.encode()


def test_a_certificate_comes_out_with_the_version_that_it_is_of():
    course = load(PLAIN)
    exercise = Exercise.objects.get()
    moment = datetime(2026, 11, 29, 12, 0, 5, 700, tzinfo=UTC)
    Certificate.objects.create(exercise=exercise, grading_hash="0" * 64, checked_at=moment)
    Certificate.objects.create(exercise=exercise, grading_hash=exercise.published.grading_hash, checked_at=moment)

    written = course_files(course)["exercises/which-one/certificate.json"]

    assert written.decode() == (
        "{\n"
        '  "format": 1,\n'
        f'  "grading_hash": "{exercise.published.grading_hash}",\n'
        '  "mutation_score": null,\n'
        '  "mutants": {},\n'
        '  "torch_version": "",\n'
        '  "checked_at": "2026-11-29T12:00:05Z"\n'
        "}\n"
    )
    assert version_files(exercise.published)["certificate.json"] == written


def test_number_of_queries_does_not_grow(django_assert_num_queries):
    course = load(PLAIN)
    with django_assert_num_queries(4):
        course_files(course)
    load(PLAIN | {f"exercises/other-{n}/exercise.yaml": NUMERIC.encode() for n in range(3)})

    with django_assert_num_queries(4):
        course_files(course)
