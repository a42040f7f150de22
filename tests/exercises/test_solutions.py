"""The solution of an exercise: to whom it is open, what giving up costs, and what an assignment withholds."""

from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.choices import ActivityKind, Kind, Role, Shown
from exercises.errors import SolutionNotOpenError
from exercises.learn.next_step import next_step
from exercises.learn.rows import exercise_rows
from exercises.models import Activity, BestScore
from exercises.queries import attempts_left, has_given_up, progress, solution_access
from exercises.services import give_up, submit, view_solution
from graders.outcomes import Verdict
from tests.factories import (
    make_assignment,
    make_course,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    right_response,
)

pytestmark = pytest.mark.django_db

FILES = {"reference.py": "def double(x): return x + x\n"}
WRONG = make_outcome(verdict=Verdict.WRONG_ANSWER, score=1)
DAY = timedelta(days=1)


@pytest.fixture(params=[True, False], ids=["self-paced", "with staff"])
def exercise(request):
    course = make_course(self_paced=request.param)
    return make_exercise(course, definition={"explanation": "Twice is once more."}, files=FILES)


@pytest.fixture
def student(exercise):
    return make_member(exercise.course)


def recorded():
    return list(Activity.objects.order_by("pk").values_list("kind", flat=True))


def test_it_is_closed_to_whom_has_neither_solved_nor_given_up(exercise, student):
    make_graded(student, exercise, outcome=WRONG)

    with pytest.raises(SolutionNotOpenError, match="solved the exercise, or given it up"):
        view_solution(student, exercise)

    access = solution_access(student, exercise)
    assert (access.is_open, access.may_give_up) == (False, True)
    assert recorded() == []


def test_it_is_open_to_who_solved_the_exercise(exercise, student):
    make_graded(student, exercise)

    solution = view_solution(student, exercise)

    assert (solution.explanation, solution.reference) == ("Twice is once more.", FILES["reference.py"])
    assert recorded() == [ActivityKind.SOLUTION_VIEWED]


def test_who_gives_up_sees_it_and_that_is_recorded_once(exercise, student):
    give_up(student, exercise)
    give_up(student, exercise)

    assert recorded() == [ActivityKind.GAVE_UP, ActivityKind.SOLUTION_VIEWED]
    assert view_solution(student, exercise).reference == FILES["reference.py"]
    assert solution_access(student, exercise).has_given_up


def test_who_solved_it_has_nothing_to_give_up(exercise, student):
    make_graded(student, exercise)

    give_up(student, exercise)

    assert not has_given_up(student, exercise)
    assert submit(student, exercise, source="x = 2\n").is_counted


def test_after_giving_up_hand_ins_are_judged_and_never_raise_the_score(exercise, student):
    make_graded(student, exercise, outcome=WRONG)
    give_up(student, exercise)

    later = make_graded(student, exercise, source="def double(x): return 2 * x\n")

    best = BestScore.objects.get()
    assert later.grading.verdict == Verdict.ACCEPTED
    assert not later.is_counted
    assert (best.score, best.solved_at, best.submissions) == (1, None, 1)


def test_giving_up_without_a_score_leaves_none(exercise, student):
    give_up(student, exercise)

    make_graded(student, exercise)

    assert not BestScore.objects.exists()


def test_what_was_handed_in_before_giving_up_still_counts(exercise, student):
    waiting = submit(student, exercise, source="x = 1\n")

    give_up(student, exercise)

    waiting.refresh_from_db()
    assert waiting.is_counted


def test_practice_after_giving_up_takes_no_attempt(student, exercise):
    exercise.max_attempts = 1
    exercise.save()
    give_up(student, exercise)

    for number in range(3):
        submit(student, exercise, source=f"x = {number}\n")

    assert attempts_left(student, exercise) == 1


def test_a_classmate_is_untouched_by_it(exercise, student):
    give_up(student, exercise)
    classmate = make_member(exercise.course)

    assert not solution_access(classmate, exercise).is_open
    assert submit(classmate, exercise, source="x = 1\n").is_counted


def test_staff_see_it_at_any_time(exercise):
    make_assignment(exercise, solutions_shown=Shown.NEVER)

    assert view_solution(make_member(exercise.course, Role.ASSISTANT), exercise).reference


def test_question_has_the_student_s_own_right_response():
    exercise = make_exercise(kind=Kind.MATCHING)
    student = make_member(exercise.course)
    give_up(student, exercise)

    assert view_solution(student, exercise).response == right_response(student, exercise)


def test_explanation_has_its_model_answer():
    exercise = make_exercise(kind=Kind.EXPLAIN)
    student = make_member(exercise.course)
    give_up(student, exercise)

    assert view_solution(student, exercise).model_answer == "The scores spread."


@pytest.mark.parametrize(
    "assignment",
    [
        {"closes_at": timezone.now() + DAY},
        {"solutions_shown": Shown.RELEASED},
        {"solutions_shown": Shown.NEVER, "closes_at": timezone.now() - DAY},
        {"is_hidden": True},
        {"opens_at": timezone.now() + DAY},
    ],
)
def test_assignment_withholds_it_also_from_who_solved_it(exercise, student, assignment):
    make_graded(student, exercise)
    make_assignment(exercise, **assignment)

    with pytest.raises(SolutionNotOpenError):
        view_solution(student, exercise)
    with pytest.raises(SolutionNotOpenError):
        give_up(student, exercise)

    assert recorded() == []


def test_assignment_that_is_hidden_is_not_named(exercise, student):
    make_assignment(exercise, is_hidden=True, title="Surprise")

    assert solution_access(student, exercise).withheld_by is None
    with pytest.raises(SolutionNotOpenError, match=r"^The solution is not shown yet\.$"):
        give_up(student, exercise)


def test_assignment_says_when_it_shows_it(exercise, student):
    assignment = make_assignment(exercise, closes_at=timezone.now() + DAY)

    access = solution_access(student, exercise)

    assert (access.withheld_by, access.opens_at) == (assignment, assignment.closes_at)


@pytest.mark.parametrize(
    "assignment",
    [
        {"closes_at": timezone.now() - DAY},
        {"closes_at": timezone.now() - DAY, "solutions_shown": Shown.AT_ONCE},
        {"closes_at": timezone.now() - DAY, "solutions_shown": Shown.RELEASED, "released_at": timezone.now()},
    ],
)
def test_once_it_is_closed_it_is_open_to_everybody(exercise, student, assignment):
    make_assignment(exercise, **assignment)

    assert solution_access(student, exercise).is_open
    assert not has_given_up(student, exercise)


def test_within_an_assignment_that_shows_it_at_once_giving_up_makes_practice(exercise, student):
    assignment = make_assignment(exercise, solutions_shown=Shown.AT_ONCE)
    give_up(student, exercise)

    later = submit(student, exercise, source="x = 1\n", assignment=assignment.slug)

    assert (later.assignment, later.is_counted) == (assignment, False)


def test_it_does_not_tell_what_an_assignment_withholds_of_outcomes(exercise, student):
    assignment = make_assignment(exercise, solutions_shown=Shown.AT_ONCE, outcomes_shown=Shown.RELEASED)
    make_graded(student, exercise)

    before = solution_access(student, exercise)
    assignment.released_at = timezone.now()
    assignment.save()

    assert (before.is_open, before.may_give_up) == (False, True)
    assert solution_access(student, exercise).is_open


def test_given_up_exercise_is_shown_as_such_and_no_longer_suggested():
    course = make_course(self_paced=True)
    first, second = make_exercise(course, position=1), make_exercise(course, position=2)
    student = make_member(course)
    make_graded(student, first, outcome=WRONG)
    assert next_step(student, progress(student)).title == first.published.title

    give_up(student, first)

    [found] = progress(student)
    assert [item.is_given_up for item in found.exercises] == [True, False]
    assert [str(row.mark.word) for row in exercise_rows(course, found.exercises)] == ["Given up", "Not started"]
    assert next_step(student, [found]).title == second.published.title
