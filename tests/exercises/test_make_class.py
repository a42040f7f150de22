"""A made class: as large as asked for, the same for the same seed, with mistakes that its analysis finds exactly."""

from collections import Counter
from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Count, F

from exercises.choices import Kind, Role
from exercises.made_classes import plan_for
from exercises.made_classes.materials import mistakes_of
from exercises.made_classes.plans import MISTAKE_SHARES, Subject, plan_of
from exercises.made_classes.sizes import ClassSize
from exercises.models import BestScore, CaseResult, Course, Grading, Submission
from exercises.queries.analysis import misconceptions, versions_like
from exercises.queries.answers import wrong_answers
from exercises.services.best_scores import refresh_best_score

UNTIL = datetime(2026, 5, 4, 10, tzinfo=UTC)
SIZE = ClassSize(slug="class", until=UNTIL, students=40, exercises=12, submissions=900)


@pytest.fixture(scope="module")
def course(django_db_setup, django_db_blocker):
    """The class, made once for the tests here, and removed behind them."""
    with django_db_blocker.unblock():
        options = {"students": SIZE.students, "exercises": SIZE.exercises, "submissions": SIZE.submissions}
        call_command("make_class", until="2026-05-04T10:00", stdout=StringIO(), **options)
        made = Course.objects.get(slug="class")
        people = [member.user for member in made.memberships.select_related("user")]
        yield made
        Submission.objects.filter(exercise__course=made).delete()
        made.assignments.all().delete()
        made.exercises.update(published=None)
        made.delete()
        for person in people:
            person.delete()


def exercises_of(course):
    return list(course.exercises.select_related("published").prefetch_related("versions"))


@pytest.mark.django_db
def test_class_is_as_large_as_asked_for(course):
    assert course.memberships.filter(role=Role.STUDENT).count() == SIZE.students
    assert course.exercises.count() == SIZE.exercises
    assert Submission.objects.filter(exercise__course=course).count() == SIZE.submissions
    assert not Submission.objects.filter(exercise__course=course, created_at__gt=UNTIL).exists()
    assert not Grading.objects.exclude(queued_at=F("submission__created_at")).exists()


@pytest.mark.django_db
def test_analysis_names_the_planted_mistakes_with_exact_counts(course):
    exercises = exercises_of(course)
    planted = Counter((work.exercise, work.mistake) for work in plan_for(SIZE, exercises) if work.mistake is not None)
    code = [place for place, exercise in enumerate(exercises) if len(exercise.versions.all()) == 1 and exercise.is_code]
    assert code

    for place in code:
        exercise = exercises[place]
        titles = mistakes_of(exercise.published)
        found = misconceptions(exercise, versions_like(exercise, exercise.published.grading_hash))
        counts = {item.cause: item.students for item in found if item.cause in titles}
        wanted = [(title, planted[place, number]) for number, title in enumerate(titles) if planted[place, number]]
        assert list(counts.items()) == wanted


@pytest.mark.django_db
def test_analysis_names_the_planted_wrong_options(course):
    exercises = exercises_of(course)
    choices = [place for place, row in enumerate(exercises) if row.published.kind == Kind.CHOICE]
    place = next(place for place in choices if len(exercises[place].versions.all()) == 1)
    exercise = exercises[place]
    planted = Counter(work.mistake for work in plan_for(SIZE, exercises) if work.exercise == place)

    found = wrong_answers(exercise, exercise.published, versions_like(exercise, exercise.published.grading_hash))

    counts = {item.cause: item.students for item in found}
    options = mistakes_of(exercise.published)
    # Those without a planted one choose the first.
    assert [counts[option] for option in options[1:3]] == [planted[1], planted[2]][: len(options) - 1]
    assert counts[options[0]] >= planted[0]


@pytest.mark.django_db
def test_best_scores_are_what_the_service_would_keep(course):
    scores = BestScore.objects.filter(exercise__course=course).order_by("pk")
    fields = ("grading_id", "verdict", "score", "max_score", "submissions", "solved_at")
    sample = list(scores.values_list("student_id", "exercise_id", *fields))[::25]

    for student, exercise, *_kept in sample:
        refresh_best_score(student, exercise)

    assert list(scores.values_list("student_id", "exercise_id", *fields))[::25] == sample


@pytest.mark.django_db
def test_cases_add_up_to_the_scores(course):
    judged = Grading.objects.filter(submission__exercise__course=course, version__kind=Kind.CODE)
    grading = judged.annotate(cases=Count("case_results")).filter(cases__gt=0).first()

    assert sum(row.points for row in CaseResult.objects.filter(grading=grading)) == grading.score


def test_plan_is_the_same_for_the_same_seed_and_has_exact_shares():
    subjects = [Subject(mistakes=4), Subject(mistakes=2), Subject(mistakes=0, is_once=True)]
    size = ClassSize(slug="x", until=UNTIL, students=200, exercises=3, submissions=2000)

    plan = plan_of(size, subjects)

    assert plan == plan_of(size, subjects)
    assert sum(work.tries for work in plan) == 2000
    tried = [work for work in plan if work.exercise == 0]
    counts = Counter(work.mistake for work in tried)
    assert [counts[place] for place in range(4)] == [round(share * len(tried)) for share in MISTAKE_SHARES]
    assert all(work.success is None or work.success > 0 for work in tried if work.mistake is not None)
    assert {work.tries for work in plan if work.exercise == 2} == {1}


@pytest.mark.django_db
@pytest.mark.parametrize("options", [{"students": 0}, {"until": "tomorrow"}])
def test_command_refuses_what_makes_no_class(options):
    with pytest.raises(CommandError):
        call_command("make_class", slug="other", **options)


@pytest.mark.django_db
def test_command_leaves_a_course_alone_that_there_is(course):
    with pytest.raises(CommandError, match="already"):
        call_command("make_class")
