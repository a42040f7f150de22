"""A worker makes checks: in the sandbox, told of while they go on, broken off when nobody wants them any more."""

import pytest
from django.db import OperationalError

from exercises import services
from exercises.choices import State
from exercises.models import Certificate, Check
from exercises.queries import certificate_for
from tests.exercises.authoring import CODE_FILES, NUMERIC, UNREADABLE_FILES, make_author, make_working_copy
from tests.factories import make_course
from tests.worker.stub_runner import StubRunner
from worker import checks
from worker.execution import execute
from worker.sandbox.job import RunnerUnavailableError

pytestmark = pytest.mark.django_db
SOUND = NUMERIC + "explanation: There are five.\nhints: [Use your fingers.]\n"


@pytest.fixture
def author():
    return make_author(make_course())


def start(author, files):
    exercise = make_working_copy(author.courses.get(), files=files, author=author)
    return services.start_check(exercise, author=author)


def execute_next(runner):
    execute(services.claim_next("host:1"), runner)


@pytest.fixture
def told(monkeypatch):
    """What was written as progress."""
    told = []
    record = services.record_progress

    def noted(claim, progress):
        told.append(progress)
        return record(claim, progress)

    monkeypatch.setattr(services, "record_progress", noted)
    return told


def test_question_is_proven_without_the_sandbox(author, told):
    check = start(author, {"exercise.yaml": SOUND})

    execute_next(StubRunner())

    check.refresh_from_db()
    assert (check.state, check.is_sound, check.report["checks"]) == (State.FINISHED, True, ["schema", "texts", "key"])
    assert certificate_for(check.exercise).mutation_score is None
    assert [progress["done"] for progress in told] == [["schema"], ["schema", "texts"], ["schema", "texts", "key"]]


def test_findings_are_told_as_they_come_and_no_certificate_is_given(author, told):
    check = start(author, {"exercise.yaml": NUMERIC})

    execute_next(StubRunner())

    check.refresh_from_db()
    assert [finding["check"] for finding in told[-1]["findings"]] == ["texts", "texts"]
    assert (check.is_sound, Certificate.objects.exists()) == (False, False)


def test_files_that_are_no_exercise_are_the_authors_fault_with_file_and_line(author):
    check = start(author, {"exercise.yaml": "format: 1\nkind: numeric\ntitle: A\nprompt: B\nanswer: yes\n"})

    execute_next(StubRunner())

    check.refresh_from_db()
    (finding,) = check.report["findings"]
    assert (check.state, finding["file"], finding["line"], finding["level"]) == (
        State.FINISHED,
        "exercise.yaml",
        5,
        "problem",
    )


def test_runner_that_is_away_is_our_fault_and_costs_no_try(author):
    check = start(author, CODE_FILES)

    execute_next(StubRunner(RunnerUnavailableError("no runner answers")))

    check.refresh_from_db()
    assert (check.state, check.tries, check.report, check.fault) == (State.QUEUED, 0, None, "no runner answers")


def test_error_of_ours_is_never_the_authors(author):
    check = start(author, CODE_FILES)
    for _ in range(3):
        Check.objects.update(retry_at=None)
        execute_next(StubRunner(RuntimeError("our mistake")))

    check.refresh_from_db()
    assert (check.state, check.report) == (State.FAILED, None)
    assert check.fault == "RuntimeError: our mistake"


def test_check_is_broken_off_where_a_newer_one_took_its_place(author, monkeypatch):
    older = start(author, {"exercise.yaml": NUMERIC})
    claim = services.claim_next("host:1")
    services.save_revision(older.exercise, files=UNREADABLE_FILES, based_on=1, author=author)
    newer = services.start_check(older.exercise, author=author)

    execute(claim, StubRunner())

    older.refresh_from_db()
    assert (older.state, older.report, Check.objects.get(state=State.QUEUED)) == (State.SUPERSEDED, None, newer)


def test_worker_that_stops_gives_its_check_back(author, monkeypatch):
    check = start(author, {"exercise.yaml": SOUND})
    monkeypatch.setattr(checks, "is_stopping", lambda: True)

    execute_next(StubRunner())

    check.refresh_from_db()
    assert (check.state, check.tries, check.fault) == (State.QUEUED, 0, "the worker stops")


def test_progress_of_mutants_is_not_written_for_each_of_them(author, told):
    start(author, {"exercise.yaml": SOUND})
    telling = checks._Telling(claim=services.claim_next("host:1"))
    for tried in range(1, 41):
        telling.tell(checks.Progress(doing="mutants", tried=tried, mutants=40))

    assert [told[0]["tried"], told[-1]["tried"]] == [1, 40]
    assert len(told) < 40


@pytest.mark.django_db(transaction=True)
def test_check_goes_on_where_its_progress_cannot_be_written(author, monkeypatch, caplog):
    check = start(author, {"exercise.yaml": SOUND})

    def fail(claim, progress):
        raise OperationalError("the database went away")

    monkeypatch.setattr(services, "record_progress", fail)
    execute_next(StubRunner())

    check.refresh_from_db()
    assert (check.state, check.tries, check.report["sound"]) == (State.FINISHED, 1, True)
    assert f"the progress of check {check.pk} could not be written" in caplog.messages
