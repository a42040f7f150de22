import pytest

from exercises.choices import State
from exercises.errors import NotAllowedError, NothingSavedError, NotSoundError
from exercises.models import CaseSet, Exercise, Run
from exercises.queries import head_of
from exercises.services import publish, save_revision, start_trial
from tests.exercises.authoring import CODE_FILES, UNREADABLE_FILES, certify, make_author, make_working_copy
from tests.factories import make_course, make_member

pytestmark = pytest.mark.django_db
READABLE = {**CODE_FILES, "cases.py": "def visible():\n    return [1]\n"}


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def author(course):
    return make_author(course)


@pytest.fixture
def exercise(course, author):
    return make_working_copy(course, files=READABLE, author=author, slug="double")


def finish_runs():
    Run.objects.update(state=State.GRADED)


def edited(exercise, author, number):
    files = {**READABLE, "reference.py": f"def double(x):\n    return {number}\n"}
    save_revision(exercise, files=files, based_on=head_of(exercise).number, author=author)


def test_versions_that_were_only_tried_are_forgotten(exercise, author):
    for number in range(3):
        edited(exercise, author, number)
        run = start_trial(exercise, source="x", author=author)
        CaseSet.objects.create(exercise=exercise, grading_hash=run.version.grading_hash, digest="x", blob=b"x")
        finish_runs()

    assert [version.number for version in exercise.versions.all()] == [1]
    assert CaseSet.objects.get().grading_hash == run.version.grading_hash


def test_version_that_was_published_once_stays(exercise, author):
    certify(exercise)
    publish(exercise, author=author)
    edited(exercise, author, 2)
    certify(exercise)
    publish(exercise, author=author)
    for number in (3, 4):
        edited(exercise, author, number)
        start_trial(exercise, source="x", author=author)
        finish_runs()

    assert [version.number for version in exercise.versions.all()] == [1, 2, 3]


def test_published_version_is_tried_as_it_is(exercise, author):
    certify(exercise)
    published = publish(exercise, author=author)

    assert start_trial(exercise, source="x", author=author).version == published


def test_trial_needs_something_that_reads_well(exercise, author, course):
    save_revision(exercise, files=UNREADABLE_FILES, based_on=1, author=author)
    bare = Exercise.objects.create(course=course, slug="bare")

    with pytest.raises(NotSoundError):
        start_trial(exercise, source="x", author=author)
    with pytest.raises(NothingSavedError):
        start_trial(bare, source="x", author=author)


def test_student_starts_no_trial(exercise, course):
    with pytest.raises(NotAllowedError):
        start_trial(exercise, source="x", author=make_member(course))
