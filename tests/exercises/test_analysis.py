"""The analysis of exercises: whom and what it counts, exactly; the figures against scipy."""

from datetime import timedelta
from decimal import Decimal

import numpy as np
import pytest
from django.utils import timezone
from scipy import stats

from exercises.choices import Kind, Role
from exercises.models import Exercise, Submission
from exercises.queries import answers, response_seed
from exercises.queries.analysis import (
    case_failures,
    item_lines,
    item_statistics,
    misconceptions,
    version_groups,
    versions_like,
)
from exercises.queries.answers import wrong_answers
from exercises.services import submit
from graders.outcomes import Feedback, Verdict
from graders.questions.responses import opaque_id
from tests.factories import (
    make_case,
    make_course,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    make_regrade,
    make_run,
    publish_version,
)

pytestmark = pytest.mark.django_db


def wrong(*causes, score=1):
    """An outcome with a failed case for each cause."""
    cases = [make_case(name="first")]
    cases += [
        make_case(
            name=f"case {place}",
            visible=False,
            verdict=Verdict.WRONG_ANSWER,
            points=Decimal(0),
            feedback=Feedback(cause=cause),
        )
        for place, cause in enumerate(causes)
    ]
    return make_outcome(verdict=Verdict.WRONG_ANSWER, score=score, cases=tuple(cases))


def versions_of(exercise):
    return versions_like(exercise, exercise.published.grading_hash)


def figures_of(exercise):
    return item_statistics(exercise, versions_of(exercise))


def causes_of(exercise):
    return [(item.cause, item.students, item.hand_ins) for item in misconceptions(exercise, versions_of(exercise))]


@pytest.fixture
def course():
    return make_course()


def test_a_student_counts_once_for_a_cause_and_the_most_frequent_is_first(course):
    exercise = make_exercise(course)
    ada, bo, cy = (make_member(course) for _ in range(3))
    make_graded(ada, exercise, outcome=wrong("scaled", "scaled"))
    make_graded(ada, exercise, outcome=wrong("scaled", "transposed"))
    make_graded(bo, exercise, outcome=wrong("scaled"))
    make_graded(cy, exercise, outcome=wrong("transposed"))
    make_graded(cy, exercise, outcome=wrong(""))

    assert causes_of(exercise) == [("scaled", 2, 3), ("transposed", 2, 2)]


def test_samples_are_the_newest_of_different_students(course):
    exercise = make_exercise(course)
    students = [make_member(course) for _ in range(4)]
    newest = [make_graded(student, exercise, outcome=wrong("scaled")) for student in students for _ in range(2)][1::2]

    (found,) = misconceptions(exercise, versions_of(exercise))

    assert found.samples == tuple(row.pk for row in reversed(newest))[:3]


def test_staff_practice_previews_other_courses_and_faults_of_ours_are_left_out(course):
    exercise = make_exercise(course)
    student = make_member(course)
    make_graded(make_member(course, Role.INSTRUCTOR), exercise, outcome=wrong("scaled"))
    preview = make_member(make_course())
    make_graded(preview, exercise, outcome=wrong("scaled"))
    course.memberships.create(user=preview, role=Role.PREVIEW)
    practice = make_graded(student, exercise, outcome=wrong("scaled"))
    Submission.objects.filter(pk=practice.pk).update(is_counted=False)
    ours = make_outcome(verdict=Verdict.INTERNAL_ERROR, score=0)
    make_graded(student, exercise, outcome=ours)

    found = figures_of(exercise)

    assert (found.students, found.hand_ins, found.facility, found.discrimination) == (0, 0, None, None)
    assert causes_of(exercise) == []
    assert case_failures(exercise, versions_of(exercise)) == []


def test_a_regrade_that_was_not_applied_is_not_counted(course):
    exercise = make_exercise(course)
    submission = make_graded(make_member(course), exercise)
    make_regrade(submission, state="graded", verdict=Verdict.WRONG_ANSWER, score=0, max_score=4)

    assert figures_of(exercise).hand_ins == 1


def test_figures_of_attempts_time_and_scores(course):
    exercise = make_exercise(course)
    ada, bo, cy = (make_member(course) for _ in range(3))
    for student, ages in ((ada, (50, 40, 20)), (bo, (30,))):
        for place, minutes in enumerate(ages):
            outcome = make_outcome() if place == len(ages) - 1 else wrong("")
            row = make_graded(student, exercise, outcome=outcome)
            Submission.objects.filter(pk=row.pk).update(created_at=timezone.now() - timedelta(minutes=minutes))
    make_graded(cy, exercise, outcome=wrong("", score=2))
    make_run(student=bo, version=exercise.published, queued_at=timezone.now() - timedelta(minutes=80))

    found = figures_of(exercise)

    assert (found.students, found.solved, found.hand_ins) == (3, 2, 5)
    assert found.facility == pytest.approx((1 + 1 + 0.5) / 3)
    assert found.median_attempts == 2
    assert found.median_seconds == pytest.approx((30 + 50) / 2 * 60, abs=5)
    assert found.scores == (0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2)
    assert found.verdicts == {"accepted": 2, "wrong_answer": 3}


def test_cases_are_counted_by_hand_ins_and_students(course):
    exercise = make_exercise(course)
    ada, bo = make_member(course), make_member(course)
    make_graded(ada, exercise, outcome=wrong("scaled"))
    make_graded(ada, exercise, outcome=wrong("scaled"))
    make_graded(
        bo, exercise, outcome=make_outcome(cases=(make_case(name="first"), make_case(name="case 0", visible=False)))
    )

    first, other = case_failures(exercise, versions_of(exercise))

    assert (first.name, first.is_visible, first.judged, first.failed, first.students) == ("first", True, 3, 0, 0)
    assert (other.name, other.is_visible, other.judged, other.failed, other.students) == ("case 0", False, 3, 2, 1)


def test_a_new_grading_hash_begins_new_statistics(course):
    exercise = make_exercise(course)
    ada, bo = make_member(course), make_member(course)
    make_graded(ada, exercise, outcome=wrong("scaled"))
    before = exercise.published
    publish_version(exercise, grading_hash=before.grading_hash)
    make_graded(bo, exercise)
    publish_version(exercise)
    exercise = Exercise.objects.get(pk=exercise.pk)
    make_graded(bo, exercise)

    groups = version_groups(exercise)

    assert [(group.numbers, group.students, group.solved, group.pass_rate) for group in groups] == [
        ((1, 2), 2, 1, 0.5),
        ((3,), 1, 1, 1.0),
    ]
    assert figures_of(exercise).hand_ins == 1
    assert causes_of(exercise) == []


def test_statistics_agree_with_scipy(course):
    exercises = [make_exercise(course, version={"points": points}) for points in (1, 2, 3.5)]
    generator = np.random.default_rng(3)
    scores = generator.integers(0, 5, (12, 3))
    for row in scores:
        student = make_member(course)
        for exercise, score in zip(exercises, row, strict=True):
            verdict = Verdict.ACCEPTED if score == 4 else Verdict.WRONG_ANSWER
            make_graded(student, exercise, outcome=make_outcome(verdict=verdict, score=int(score)))
    shares = scores / 4
    rest = shares[:, 1:] @ np.array([2, 3.5])

    found = figures_of(exercises[0])
    (line, *_others) = item_lines(course)

    expected = stats.pointbiserialr(scores[:, 0] == 4, rest).statistic
    assert found.discrimination == pytest.approx(expected, abs=1e-9)
    assert found.facility == pytest.approx(shares[:, 0].mean(), abs=1e-9)
    assert line.discrimination == pytest.approx(expected, abs=1e-9)
    assert line.facility == pytest.approx(shares[:, 0].mean(), abs=1e-9)


def test_wrong_answers_are_counted_as_misconceptions(course):
    choice = make_exercise(course, kind=Kind.CHOICE)
    numeric = make_exercise(course, kind=Kind.NUMERIC)
    ordering = make_exercise(course, kind=Kind.ORDERING)
    for _ in range(2):
        student = make_member(course)
        chosen = opaque_id(response_seed(student, choice), "option", "By chance")
        submit(student, choice, response=chosen)
        for typed in ("7", " 7", "5"):
            submit(student, numeric, response=typed)

    def found(exercise):
        answers = wrong_answers(exercise, exercise.published, versions_of(exercise))
        return [(item.cause, item.students, item.hand_ins) for item in answers]

    assert found(choice) == [("By chance", 2, 2)]
    assert found(numeric) == [("7", 2, 4)]
    assert found(ordering) == []


def test_of_very_many_wrong_answers_the_last_are_counted(course, monkeypatch):
    monkeypatch.setattr(answers, "MOST_COUNTED", 2)
    numeric = make_exercise(course, kind=Kind.NUMERIC)
    for typed in ("7", "8", "9"):
        submit(make_member(course), numeric, response=typed)

    found = wrong_answers(numeric, numeric.published, versions_of(numeric))

    assert [item.cause for item in found] == ["8", "9"]


@pytest.mark.parametrize("count", [1, 3])
def test_queries_do_not_grow_with_hand_ins(course, count, django_assert_num_queries):
    exercise = make_exercise(course)
    versions = versions_of(exercise)
    for _ in range(count):
        make_graded(make_member(course), exercise, outcome=wrong("scaled", "transposed"))

    with django_assert_num_queries(3):
        item_statistics(exercise, versions)
    with django_assert_num_queries(2):
        case_failures(exercise, versions)
        misconceptions(exercise, versions)
    with django_assert_num_queries(2):
        version_groups(exercise)
    with django_assert_num_queries(2):
        item_lines(course)
