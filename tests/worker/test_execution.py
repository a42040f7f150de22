import pytest

from exercises import services
from exercises.blobs import unpack
from exercises.choices import Role, RunKind, State
from exercises.models import Attempt, CaseSet
from exercises.queries import feedback_of
from exercises.queries.case_sets import hidden_cases
from tests import factories
from tests.worker.stub_runner import DEFINITION, LISTED, MISTAKE, REFERENCE, StubRunner, report_of, vector
from worker import prepared
from worker.execution import execute
from worker.sandbox.job import (
    CallResult,
    ProtocolMismatchError,
    RunnerLostError,
    RunnerUnavailableError,
    RunReport,
    Status,
    StudentError,
    TensorSummary,
)
from worker.stored_cases import load_cases

pytestmark = pytest.mark.django_db

BOOM = StudentError(type="ValueError", message="boom", line=3)
MAKING = (LISTED, REFERENCE, MISTAKE)


@pytest.fixture(autouse=True)
def _nothing_kept():
    prepared._kept.clear()


def make_exercise(**changes):
    return factories.make_exercise(definition={**DEFINITION["exercise"], **changes}, files=DEFINITION["files"])


def execute_next(*script):
    """Claims what waits and does it; returns the runner, which knows the jobs."""
    runner = StubRunner(*script)
    execute(services.claim_next("test"), runner)
    return runner


def test_submission_is_graded():
    submission = factories.make_submission(exercise=make_exercise(), source="mine")

    runner = execute_next(*MAKING, REFERENCE)

    grading = submission.gradings.get()
    assert (grading.state, grading.verdict, grading.score) == (State.GRADED, "accepted", 3)
    assert runner.jobs[-1].program.source == "mine"
    assert runner.jobs[-1].lane == "submission"
    assert [call.name for call in runner.jobs[-1].program.calls] == ["one", "drawn", "drawn"]


def test_log_leads_from_a_submission_to_its_job_and_names_no_one(caplog):
    caplog.set_level("INFO", logger="worker.execution")
    submission = factories.make_submission(exercise=make_exercise(), source="mine")
    grading = submission.gradings.get()

    runner = execute_next(*MAKING, REFERENCE)

    [record] = [record for record in caplog.records if record.name == "worker.execution"]
    assert (record.getMessage(), record.verdict, record.run_status) == ("judged", "accepted", "finished")
    assert record.submission == submission.pk
    assert runner.jobs[-1].id == f"grading-{grading.pk}.submission-{submission.pk}"
    assert submission.student.username not in str(vars(record))


def test_hidden_case_that_fails_is_kept_and_seen_by_staff_alone():
    exercise = make_exercise()
    submission = factories.make_submission(exercise=exercise)

    execute_next(*MAKING, report_of(vector(2), vector(4), vector(7)))

    kept = unpack(submission.gradings.get().feedback)["hidden_case"]
    staff = factories.make_member(exercise.course, Role.INSTRUCTOR)
    assert (kept["name"], kept["args"][0]["values"], kept["actual"]["values"]) == ("drawn", [3.0], [7.0])
    assert feedback_of(submission.grading, submission.student)["hidden_case"] is None
    assert feedback_of(submission.grading, staff)["hidden_case"] == kept


def test_cases_are_made_once():
    exercise = make_exercise()
    factories.make_submission(exercise=exercise)
    execute_next(*MAKING, REFERENCE)
    factories.make_submission(exercise=exercise)

    kept = execute_next(REFERENCE)
    prepared._kept.clear()
    factories.make_submission(exercise=exercise)
    stored = execute_next(REFERENCE)

    assert (len(kept.jobs), len(stored.jobs)) == (1, 1)
    assert CaseSet.objects.get().visible[0]["name"] == "one"
    hidden = hidden_cases(exercise.published)
    assert [(case["draw"], case["args"][0]["values"], case["expected"]["values"]) for case in hidden] == [
        (0, [2.0], [4.0]),
        (1, [3.0], [6.0]),
    ]


def test_staff_run_goes_through_hidden_cases_and_counts_nowhere():
    exercise = make_exercise()
    submission = factories.make_submission(exercise=exercise)
    execute_next(*MAKING, report_of(vector(2), vector(4), vector(7)))
    assistant = factories.make_member(exercise.course, Role.ASSISTANT)
    version = exercise.published
    run = factories.make_run(assistant, kind=RunKind.JUDGED, version=version, submission=submission)

    execute_next(report_of(vector(2), vector(4), vector(7)))

    run.refresh_from_db()
    result = unpack(run.result)
    assert (run.verdict, result["score"], result["max_score"]) == ("wrong_answer", 1.0, 3.0)
    assert run.runner_version.startswith("protocol ")
    told = [(case["index"], case["draw"], case["verdict"], case["actual"]["values"]) for case in result["hidden"]]
    assert told == [(0, 0, "accepted", [4.0]), (0, 1, "wrong_answer", [7.0])]
    assert result["hidden"][1]["args"][0]["values"] == [3.0]
    assert submission.gradings.count() == 1
    assert Attempt.objects.count() == 1


def test_cases_of_an_older_layout_are_made_anew():
    exercise = make_exercise()
    case_set = services.store_case_set(exercise.published, blob=b"as it once was", visible=[])
    submission = factories.make_submission(exercise=exercise)

    execute_next(*MAKING, REFERENCE)
    prepared._kept.clear()
    factories.make_submission(exercise=exercise)
    again = execute_next(REFERENCE)

    case_set.refresh_from_db()
    assert submission.gradings.get().verdict == "accepted"
    assert len(load_cases(bytes(case_set.blob))) == 3
    assert [case["name"] for case in case_set.visible] == ["one"]
    assert len(again.jobs) == 1


def test_old_cases_are_dropped_from_the_process(monkeypatch):
    monkeypatch.setattr(prepared, "KEPT", 1)
    for _ in range(2):
        factories.make_submission(exercise=make_exercise())
        execute_next(*MAKING, REFERENCE)

    assert len(prepared._kept) == 1


def test_source_that_does_not_load_costs_no_attempt():
    submission = factories.make_submission(exercise=make_exercise())

    execute_next(*MAKING, RunReport(status=Status.FINISHED, load_error=BOOM))

    assert submission.gradings.get().verdict == "runtime_error"
    assert Attempt.objects.get(submission=submission).given_back_at is not None


def test_free_run_keeps_what_it_left():
    run = factories.make_run()
    left = TensorSummary(name="x", dtype="float32", shape=(2,), min=1.0, max=1.0, mean=1.0, preview=[1.0, 1.0])

    execute_next(report_of(None, stdout="hi\n", stderr="careful\n", value_text="2", tensors=(left,)))

    run.refresh_from_db()
    result = unpack(run.result)
    assert run.verdict == "accepted"
    assert (result["stdout"], result["value"], result["error"]) == ("hi\ncareful\n", "2", None)
    assert result["tensors"][0]["name"] == "x"


def test_text_that_was_cut_says_so():
    run = factories.make_run()

    execute_next(report_of(None, stdout="x", stdout_truncated=True))

    run.refresh_from_db()
    assert unpack(run.result)["stdout"] == "x\n[cut here: at most 64 KB of printed text are kept]\n"


@pytest.mark.parametrize(
    ("report", "verdict", "message"),
    [
        (RunReport(status=Status.FINISHED, load_error=BOOM), "runtime_error", "boom"),
        (RunReport(status=Status.FINISHED, results=(CallResult(index=0, error=BOOM),)), "runtime_error", "boom"),
        (RunReport(status=Status.TIMED_OUT, detail="after 4 s"), "time_limit", "after 4 s"),
    ],
)
def test_run_that_fails_says_why(report, verdict, message):
    run = factories.make_run()

    execute_next(report)

    run.refresh_from_db()
    assert run.verdict == verdict
    assert unpack(run.result)["error"]["message"] == message


SNIPPETS = [
    {"source": "a = 1\n", "fresh": False, "output": None, "line": 1},
    {"source": "b = a\n", "fresh": False, "output": None, "line": 5},
    {"source": "c = 1\n", "fresh": True, "output": None, "line": 9},
]


@pytest.mark.parametrize(("snippet", "before"), [(0, ()), (1, ("a = 1\n",)), (2, ())])
def test_snippet_runs_after_its_predecessors(snippet, before):
    lesson = factories.make_lesson(snippets=SNIPPETS)
    factories.make_run(kind=RunKind.SNIPPET, lesson=lesson, snippet=snippet, source="edited\n")

    runner = execute_next(report_of(None))

    assert runner.jobs[0].program.before == before
    assert runner.jobs[0].program.source == "edited\n"
    assert runner.jobs[0].lane == "run"


def test_run_of_visible_cases_never_sees_hidden_ones():
    exercise = make_exercise()
    run = factories.make_run(kind=RunKind.CASES, version=exercise.published)

    runner = execute_next(*MAKING, report_of(*(result.value for result in REFERENCE.results[:1])))

    run.refresh_from_db()
    assert run.verdict == "accepted"
    assert [case["name"] for case in unpack(run.result)["cases"]] == ["one"]
    assert [call.name for call in runner.jobs[-1].program.calls] == ["one"]


@pytest.mark.parametrize("kind", [RunnerUnavailableError, ProtocolMismatchError])
def test_work_waits_while_no_runner_of_this_release_answers(kind):
    submission = factories.make_submission(exercise=make_exercise())

    execute_next(kind("not now"))

    grading = submission.gradings.get()
    assert (grading.state, grading.tries, grading.verdict) == (State.QUEUED, 0, "")


@pytest.mark.parametrize(
    "later", [{"kind": "quantum"}, {"tempo": 3}, {"format": 2}, {"properties": [{"property": "shines(output)"}]}]
)
def test_worker_of_an_older_release_leaves_what_it_does_not_know(later):
    submission = factories.make_submission(exercise=make_exercise(**later))

    runner = execute_next()

    grading = submission.gradings.get()
    assert (grading.state, grading.tries, grading.verdict) == (State.QUEUED, 0, "")
    assert "later release" in grading.fault
    assert runner.jobs == []


def test_lost_runner_is_a_try_and_never_a_verdict():
    submission = factories.make_submission(exercise=make_exercise())

    execute_next(*MAKING, RunnerLostError("it died"))

    grading = submission.gradings.get()
    assert (grading.state, grading.tries, grading.verdict) == (State.QUEUED, 1, "")
    assert "it died" in grading.fault


def test_three_faults_end_as_internal_error_without_an_attempt():
    submission = factories.make_submission(exercise=make_exercise())
    for _ in range(3):
        submission.gradings.update(retry_at=None)
        execute_next(OSError("disk full"))

    assert submission.gradings.get().verdict == "internal_error"
    assert Attempt.objects.get(submission=submission).given_back_at is not None


def test_trial_of_cases_that_cannot_be_made_says_why():
    exercise = make_exercise()
    version, exercise.published = exercise.published, None
    exercise.save()
    run = factories.make_run(kind=RunKind.CASES, version=version)

    execute_next(report_of([], [], []))

    run.refresh_from_db()
    assert (run.state, run.verdict) == (State.GRADED, "runtime_error")
    assert "return no case" in unpack(run.result)["error"]["message"]


def test_exercise_that_makes_no_cases_is_our_fault():
    submission = factories.make_submission(exercise=make_exercise())

    execute_next(report_of([], [], []))

    assert "return no case" in submission.gradings.get().fault
