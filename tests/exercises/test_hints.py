import pytest

from exercises.choices import ActivityKind
from exercises.errors import HintNotOpenError
from exercises.models import Activity
from exercises.queries import hints_opened
from exercises.services import open_hint
from tests.factories import make_exercise, make_member

pytestmark = pytest.mark.django_db

HINTS = {"hints": ["Look closer.", "Add it to itself."]}


@pytest.fixture
def exercise():
    return make_exercise(definition=HINTS)


@pytest.fixture
def student(exercise):
    return make_member(exercise.course)


def test_hints_are_opened_one_after_another(exercise, student):
    assert open_hint(student, exercise, number=1) == "Look closer."
    assert open_hint(student, exercise, number=2) == "Add it to itself."
    assert hints_opened(student, exercise) == 2


def test_opening_a_hint_again_is_recorded_once(exercise, student):
    open_hint(student, exercise, number=1)

    assert open_hint(student, exercise, number=1) == "Look closer."
    assert Activity.objects.filter(kind=ActivityKind.HINT_OPENED).count() == 1


@pytest.mark.parametrize("number", [0, 2, 3, -1])
def test_other_than_the_next_hint_is_refused(exercise, student, number):
    with pytest.raises(HintNotOpenError):
        open_hint(student, exercise, number=number)

    assert hints_opened(student, exercise) == 0


def test_hint_beyond_the_last_is_refused(exercise, student):
    open_hint(student, exercise, number=1)
    open_hint(student, exercise, number=2)

    with pytest.raises(HintNotOpenError):
        open_hint(student, exercise, number=3)
