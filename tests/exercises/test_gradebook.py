"""The gradebook: what counts, what is dropped, what is left out, and that a student's own grade is a row of it."""

import random
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises.choices import Counted, Kind, Role, Shown
from exercises.models import Extension, Override
from exercises.queries import assignment_score
from exercises.queries.gradebook import Standing, grade_rows, gradebook_columns, own_grade, students_of
from exercises.services import submit
from graders.outcomes import Verdict
from tests.factories import make_assignment, make_course, make_exercise, make_graded, make_member, make_outcome

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def at_noon():
    with time_machine.travel(NOON, tick=False):
        yield


def numeric(course, **overrides):
    return make_exercise(course, kind=Kind.NUMERIC, **overrides)


def assigned(course, **overrides):
    """An assignment of one exercise, due yesterday."""
    return make_assignment(numeric(course), **{"due_at": NOON - DAY, **overrides})


def handed_in(student, assignment, score, *, at=NOON - 2 * DAY):
    """A graded hand-in with so many of 4 points."""
    exercise = make_exercise(assignment.course)
    assignment.items.update(exercise=exercise)
    return graded(student, assignment, exercise, score, at=at)


def graded(student, assignment, exercise, score, *, at=NOON - 2 * DAY):
    outcome = make_outcome(verdict=Verdict.WRONG_ANSWER, score=Decimal(score), max_score=Decimal(4))
    with time_machine.travel(at, tick=False):
        return make_graded(student, exercise, outcome=outcome, assignment=assignment.slug)


def rows_of(course):
    columns = gradebook_columns(course)
    return list(grade_rows(course, columns, students_of(course)))


def only_row(course):
    (row,) = rows_of(course)
    return row


def by_hand(student, exercise, score, *, assignment=None, max_score=4):
    fields = {"score": Decimal(score), "max_score": Decimal(max_score), "reason": "Seen in class"}
    return Override.objects.create(student=student, exercise=exercise, assignment=assignment, **fields)


def test_grade_is_the_weighted_mean_of_what_is_due():
    course = make_course()
    student = make_member(course)
    handed_in(student, assigned(course, weight=3), 4)
    handed_in(student, assigned(course, weight=1), 2)

    row = only_row(course)

    assert [(cell.points, cell.share) for cell in row.cells] == [(10, 1), (5, Decimal("0.5"))]
    assert row.percent == Decimal("87.50")


def test_weight_of_zero_counts_nowhere():
    course = make_course()
    student = make_member(course)
    handed_in(student, assigned(course, weight=0), 0)
    handed_in(student, assigned(course), 4)

    assert only_row(course).percent == 100


def test_nothing_handed_in_is_zero_once_it_is_due_and_nothing_before():
    course = make_course()
    make_member(course)
    assigned(course)
    assigned(course, due_at=NOON + DAY)
    assigned(course, opens_at=NOON + DAY, due_at=None)
    assigned(course, due_at=None)

    row = only_row(course)

    assert [cell.standing for cell in row.cells] == [Standing.COUNTED, *[Standing.OPEN] * 3]
    assert [cell.points for cell in row.cells] == [0, None, None, None]
    assert row.percent == 0


def test_grace_is_waited_for():
    course = make_course()
    make_member(course)
    assigned(course, due_at=NOON - timedelta(minutes=5), grace_minutes=10)

    assert only_row(course).cells[0].standing == Standing.OPEN
    assert only_row(course).percent is None


def test_what_has_no_date_counts_from_the_first_hand_in_on():
    course = make_course()
    student = make_member(course)
    handed_in(student, assigned(course, due_at=None), 3)

    assert only_row(course).percent == 75


def test_what_only_closes_counts_once_it_has():
    course = make_course()
    student = make_member(course)
    handed_in(student, assigned(course, due_at=None, closes_at=NOON + DAY), 3)
    handed_in(student, assigned(course, due_at=None, closes_at=NOON - DAY), 1)

    row = only_row(course)

    assert [cell.standing for cell in row.cells] == [Standing.OPEN, Standing.COUNTED]
    assert [cell.points for cell in row.cells] == [Decimal("7.5"), Decimal("2.5")]
    assert row.percent == 25


def test_extension_leaves_it_out_until_then():
    course = make_course()
    student = make_member(course)
    assignment = assigned(course)
    Extension.objects.create(assignment=assignment, student=student, due_at=NOON + DAY)

    assert only_row(course).cells[0].standing == Standing.OPEN


@pytest.mark.parametrize(("counted", "percent"), [(Counted.BEST, 75), (Counted.LAST, 25)])
def test_best_or_last_hand_in_counts(counted, percent):
    course = make_course()
    student = make_member(course)
    exercise = make_exercise(course)
    assignment = make_assignment(exercise, due_at=NOON - DAY, counted=counted)
    graded(student, assignment, exercise, 3)
    graded(student, assignment, exercise, 1, at=NOON - 2 * DAY + timedelta(hours=1))

    assert only_row(course).percent == percent


def test_being_late_costs_what_the_assignment_says():
    course = make_course()
    student = make_member(course)
    assignment = assigned(course, due_at=NOON - 3 * DAY, late_percent_per_day=10)
    handed_in(student, assignment, 4, at=NOON - 3 * DAY + timedelta(hours=30))

    cell = only_row(course).cells[0]

    assert (cell.points, cell.is_late) == (8, True)


def test_lowest_are_dropped_of_equal_ones_the_heavier():
    course = make_course(dropped_lowest=2)
    student = make_member(course)
    for score, weight in ((4, 1), (1, 2), (1, 5), (2, 1)):
        handed_in(student, assigned(course, weight=weight), score)

    row = only_row(course)

    dropped = [cell.standing == Standing.DROPPED for cell in row.cells]
    assert dropped == [False, True, True, False]
    assert row.percent == 75


def test_one_of_the_heavier_is_dropped_where_only_one_is():
    course = make_course(dropped_lowest=1)
    student = make_member(course)
    for weight in (2, 5):
        handed_in(student, assigned(course, weight=weight), 1)
    handed_in(student, assigned(course), 4)

    assert [cell.standing == Standing.DROPPED for cell in only_row(course).cells] == [False, True, False]


def test_the_last_one_is_never_dropped():
    course = make_course(dropped_lowest=3)
    student = make_member(course)
    handed_in(student, assigned(course), 1)

    assert only_row(course).percent == 25


def test_what_does_not_count_yet_is_not_dropped_in_place_of_what_does():
    course = make_course(dropped_lowest=1)
    student = make_member(course)
    handed_in(student, assigned(course), 1)
    handed_in(student, assigned(course), 4)
    assigned(course, due_at=NOON + DAY)

    assert only_row(course).percent == 100


def test_score_by_hand_stands_until_it_is_withdrawn():
    course = make_course()
    student = make_member(course)
    assignment = assigned(course)
    exercise = handed_in(student, assignment, 1).exercise
    override = by_hand(student, exercise, 3, assignment=assignment)

    assert (only_row(course).percent, only_row(course).cells[0].is_overridden) == (75, True)
    override.withdrawn_at = NOON
    override.save()
    assert (only_row(course).percent, only_row(course).cells[0].is_overridden) == (25, False)


def test_what_waits_to_be_judged_leaves_the_assignment_out():
    course = make_course()
    student = make_member(course)
    exercise = make_exercise(course, kind=Kind.EXPLAIN)
    assignment = make_assignment(exercise, due_at=NOON + DAY, closes_at=NOON + DAY)
    submit(student, exercise, response="Because.", assignment=assignment.slug)

    with time_machine.travel(NOON + 2 * DAY, tick=False):
        row = only_row(course)
        by_hand(student, exercise, 4, assignment=assignment)
        set_by_hand = only_row(course)

    assert (row.cells[0].standing, row.percent) == (Standing.WAITING, None)
    assert (set_by_hand.cells[0].standing, set_by_hand.percent) == (Standing.COUNTED, 100)


def test_staff_see_what_is_held_back_and_its_student_does_not():
    course = make_course()
    student = make_member(course)
    handed_in(student, assigned(course), 4)
    handed_in(student, assigned(course, outcomes_shown=Shown.RELEASED), 2)

    columns, own = own_grade(student, course)

    assert [column.is_held_back for column in columns] == [False, True]
    assert only_row(course).percent == 75
    assert (own.percent, own.cells[1].standing, own.cells[1].points) == (100, Standing.WITHHELD, None)


@pytest.mark.parametrize(("at", "standing"), [(NOON - 2 * DAY, Standing.COUNTED), (NOON, Standing.WITHHELD)])
def test_own_grade_does_not_tell_what_another_assignment_holds_back(at, standing):
    course = make_course()
    student, exercise = make_member(course), make_exercise(course)
    shown = make_assignment(exercise)
    make_assignment(exercise, opens_at=NOON - DAY, outcomes_shown=Shown.RELEASED)
    graded(student, shown, exercise, 4, at=at)

    own = own_grade(student, course)[1]

    assert only_row(course).cells[0].points is not None
    assert own.cells[0].standing == standing
    assert (own.cells[0].points is None) == (standing == Standing.WITHHELD)


def test_own_grade_does_not_tell_what_an_assignment_holds_back_that_was_hidden():
    course = make_course()
    student, exercise = make_member(course), make_exercise(course)
    assignment = make_assignment(exercise, outcomes_shown=Shown.NEVER)
    graded(student, assignment, exercise, 4)
    assignment.is_hidden = True
    assignment.save()

    held_back = own_grade(student, course)[1].cells[0]
    by_hand(student, exercise, 2)

    assert (held_back.standing, held_back.points) == (Standing.WITHHELD, None)
    assert own_grade(student, course)[1].cells[0].standing == Standing.COUNTED


def test_own_grade_is_the_row_of_the_gradebook_where_nothing_is_held_back():
    course = make_course(dropped_lowest=1)
    student, other = make_member(course), make_member(course)
    for score in (1, 2, 4):
        handed_in(student, assigned(course, weight=score), score)
    handed_in(other, assigned(course), 4)

    own = own_grade(student, course)[1]

    assert own in rows_of(course)
    assert own.percent != rows_of(course)[1].percent


def test_points_are_those_of_the_page_of_the_assignment():
    course = make_course()
    student = make_member(course)
    assignment = assigned(course, due_at=NOON - 3 * DAY, late_percent_per_day=7, counted=Counted.LAST)
    handed_in(student, assignment, 3, at=NOON - 2 * DAY)

    assert only_row(course).cells[0].points == assignment_score(assignment, student).points == Decimal("6.98")


def test_columns_are_the_exercises_where_there_is_no_assignment():
    course = make_course(dropped_lowest=1)
    student = make_member(course)
    half, whole, untouched = (make_exercise(course, version={"points": points}) for points in (2, 1, 1))
    make_graded(student, half, outcome=make_outcome(score=Decimal(2), max_score=Decimal(4)))
    by_hand(student, whole, 4)

    row = only_row(course)

    assert [column.slug for column in gradebook_columns(course)] == [half.slug, whole.slug, untouched.slug]
    assert [cell.points for cell in row.cells] == [1, 1, None]
    assert row.percent == 50


def test_rows_are_of_students_alone_and_of_a_section():
    course = make_course()
    student = make_member(course, last_name="B")
    make_member(course, last_name="A")
    for role in (Role.ASSISTANT, Role.INSTRUCTOR, Role.PREVIEW):
        make_member(course, role=role)
    course.memberships.filter(user=student).update(section="Monday")

    assert [row.user.last_name for row in students_of(course)] == ["A", "B"]
    assert [row.user for row in students_of(course, section="Monday")] == [student]


def test_number_of_queries_does_not_grow_with_students_or_assignments():
    counts = []
    for size in (1, 3):
        course = make_course()
        students = [make_member(course) for _ in range(size)]
        for _ in range(size):
            assignment = assigned(course)
            Extension.objects.create(assignment=assignment, student=students[0], due_at=NOON)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            rows_of(course)
        counts.append(len(queries))

    assert counts[0] == counts[1] <= 8


def test_grades_agree_with_a_computation_by_fractions():
    """An independent one: in fractions, without any of the rules' code, over a class made at random."""
    chance = random.Random(7)
    course = make_course(dropped_lowest=1)
    students = [make_member(course, last_name=str(number)) for number in range(5)]
    exercise = make_exercise(course)
    weights = [Decimal(chance.randint(1, 400)) / 100 for _ in range(4)]
    assignments = [
        make_assignment(exercise, due_at=NOON - 5 * DAY, weight=weight, late_percent_per_day=15) for weight in weights
    ]
    given = {}
    for student in students:
        for number, assignment in enumerate(assignments):
            for attempt in range(chance.randint(0, 2)):
                score, hours = chance.randint(0, 4), chance.randint(-24, 60)
                at = NOON - 5 * DAY + timedelta(hours=hours, seconds=attempt)
                graded(student, assignment, exercise, score, at=at)
                given.setdefault((student.pk, number), []).append((score, hours * 3600 + attempt))

    for row in rows_of(course):
        expected = _percent(given, row.membership.user_id, weights)
        assert abs(Fraction(row.percent) - expected) <= Fraction(1, 200)


def _percent(given, student_id, weights):
    shares = []
    for number, weight in enumerate(weights):
        worth = [Fraction(0)]
        for score, seconds in given.get((student_id, number), []):
            days = -(-seconds // 86400) if seconds > 0 else 0
            worth.append(Fraction(score, 4) * max(1 - Fraction(15, 100) * days, 0))
        points = Fraction(round(max(worth) * 1000 + Fraction(1, 1000)), 1000)
        shares.append((points, -Fraction(weight)))
    kept = sorted(shares)[1:]
    return sum(share * -weight for share, weight in kept) / sum(-weight for _share, weight in kept) * 100
