import pytest

from exercises.choices import ActivityKind
from exercises.errors import HintNotOpenError, SolutionNotOpenError
from exercises.models import Activity
from exercises.queries import hints_opened
from exercises.services import open_hint, view_solution
from tests.factories import make_course, make_exercise, make_graded, make_member

pytestmark = pytest.mark.django_db

HINTS = {"hints": ["Look closer.", "Add it to itself."], "explanation": "Twice is once more."}
FILES = {"reference.py": "def double(x): return x + x\n"}


@pytest.fixture
def exercise():
    return make_exercise(definition=HINTS, files=FILES)


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


def test_solution_is_closed_before_the_exercise_is_solved(exercise, student):
    with pytest.raises(SolutionNotOpenError):
        view_solution(student, exercise)

    assert not Activity.objects.exists()


def test_solution_is_open_to_who_solved_the_exercise(exercise, student):
    make_graded(student, exercise)

    solution = view_solution(student, exercise)

    assert (solution.explanation, solution.reference) == ("Twice is once more.", FILES["reference.py"])
    assert Activity.objects.get().kind == ActivityKind.SOLUTION_VIEWED


def test_solution_is_open_to_who_gives_up_in_a_self_paced_course():
    exercise = make_exercise(make_course(self_paced=True), definition=HINTS)

    assert view_solution(make_member(exercise.course), exercise).explanation == "Twice is once more."
