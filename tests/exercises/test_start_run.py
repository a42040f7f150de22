import pytest

from exercises.choices import Kind, Lane, RunKind, State
from exercises.errors import ExerciseClosedError, InvalidFieldError, TooManyRunsError
from exercises.models import Run
from exercises.queries import result_of, run_for
from exercises.services import RunFacts, claim_next, record_run, start_run
from graders.outcomes import Verdict
from tests.factories import make_exercise, make_lesson, make_member, make_user

pytestmark = pytest.mark.django_db


def test_free_run_is_queued():
    run = start_run(make_user(), RunKind.FREE, source="print(1)\n")

    assert (run.state, run.lane, run.source) == (State.QUEUED, Lane.RUN, "print(1)\n")


def test_run_of_a_snippet_names_lesson_and_snippet():
    lesson = make_lesson()

    run = start_run(make_member(lesson.course), RunKind.SNIPPET, source="print(1)\n", lesson=lesson, snippet=0)

    assert (run.lesson, run.snippet) == (lesson, 0)


def test_run_of_cases_names_the_published_version():
    exercise = make_exercise()

    run = start_run(make_member(exercise.course), RunKind.CASES, source="x = 1\n", exercise=exercise)

    assert run.version == exercise.published


@pytest.mark.parametrize("snippet", [None, "0", -1, 1, True])
def test_unknown_snippet_is_refused(snippet):
    with pytest.raises(InvalidFieldError) as caught:
        start_run(make_user(), RunKind.SNIPPET, source="x\n", lesson=make_lesson(), snippet=snippet)

    assert caught.value.field == "snippet"


def test_snippet_without_a_lesson_is_refused():
    with pytest.raises(InvalidFieldError) as caught:
        start_run(make_user(), RunKind.SNIPPET, source="x\n", snippet=0)

    assert caught.value.field == "lesson"


@pytest.mark.parametrize("source", [None, 7, "x\0"])
def test_source_of_the_wrong_form_is_refused(source):
    with pytest.raises(InvalidFieldError):
        start_run(make_user(), RunKind.FREE, source=source)

    assert Run.objects.count() == 0


@pytest.mark.parametrize("overrides", [{"kind": Kind.NUMERIC}, {"is_retired": True}])
def test_exercise_without_cases_to_run_is_refused(overrides):
    with pytest.raises(ExerciseClosedError):
        start_run(make_user(), RunKind.CASES, source="x\n", exercise=make_exercise(**overrides))


def test_one_running_and_one_waiting_are_the_most():
    student = make_user()
    start_run(student, RunKind.FREE, source="a\n")
    claim = claim_next("worker")
    start_run(student, RunKind.FREE, source="b\n")

    with pytest.raises(TooManyRunsError) as caught:
        start_run(student, RunKind.FREE, source="c\n")

    assert caught.value.retry_after > 0
    assert start_run(make_user(), RunKind.FREE, source="another's\n")
    record_run(claim, Verdict.ACCEPTED, result={}, facts=RunFacts())
    assert start_run(student, RunKind.FREE, source="c\n")


def test_result_of_a_run_is_read_by_its_student_without_evidence():
    run = start_run(make_user(), RunKind.FREE, source="print(1)\n")
    claim = claim_next("worker")

    assert record_run(claim, Verdict.ACCEPTED, result={"stdout": "1\n"}, facts=RunFacts(evidence="for staff"))

    done = run_for(run.student, run.pk)
    assert (done.state, done.verdict) == (State.GRADED, Verdict.ACCEPTED)
    assert result_of(done) == {"stdout": "1\n"}


def test_run_that_waits_has_no_result():
    assert result_of(start_run(make_user(), RunKind.FREE, source="print(1)\n")) == {}


def test_second_result_of_a_run_changes_nothing():
    run = start_run(make_user(), RunKind.FREE, source="print(1)\n")
    claim = claim_next("worker")
    record_run(claim, Verdict.ACCEPTED, result={"stdout": "1\n"}, facts=RunFacts())

    assert not record_run(claim, Verdict.TIME_LIMIT, result={}, facts=RunFacts())

    assert run_for(run.student, run.pk).verdict == Verdict.ACCEPTED


def test_run_is_nobody_elses_business():
    run = start_run(make_user(), RunKind.FREE, source="print(1)\n")

    with pytest.raises(Run.DoesNotExist):
        run_for(make_user(), run.pk)
