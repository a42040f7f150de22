import socket
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from exercises import queries, runner_status, services
from exercises.models import Exercise
from exercises.runner_status import RunnerFigures
from tests import factories
from tests.exercises.authoring import certify, make_author, make_working_copy
from tests.worker.stub_runner import DEFINITION, LISTED, MISTAKE, REFERENCE, StubRunner, report_of
from worker import prepared, tasks
from worker.app import REPORT_SECONDS, Reports
from worker.sandbox.job import RunnerUnavailableError

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_kept():
    prepared._kept.clear()


@pytest.fixture
def use_runner(monkeypatch):
    return lambda runner: monkeypatch.setattr(tasks, "runner", lambda: runner)


@pytest.fixture
def reported(monkeypatch):
    reported = []
    monkeypatch.setattr(runner_status, "report", lambda **fields: reported.append(fields))
    return reported


def make_exercise():
    return factories.make_exercise(definition=DEFINITION["exercise"], files=DEFINITION["files"])


def test_work_goes_on_until_nothing_waits(use_runner):
    exercise = make_exercise()
    submissions = [factories.make_submission(exercise=exercise) for _ in range(3)]
    use_runner(StubRunner(LISTED, REFERENCE, MISTAKE, *[REFERENCE] * 3))

    tasks.work()

    assert {submission.gradings.get().verdict for submission in submissions} == {"accepted"}


def test_busy_worker_sweeps_in_between(use_runner, monkeypatch):
    exercise = make_exercise()
    for _ in range(2):
        factories.make_submission(exercise=exercise)
    use_runner(StubRunner(LISTED, REFERENCE, MISTAKE, *[REFERENCE] * 2))
    done = []
    monkeypatch.setattr(tasks, "SWEEP_SECONDS", -1)
    monkeypatch.setattr(tasks, "sweep", lambda: done.append("sweep"))

    tasks.work()

    assert done == ["sweep"] * 2


def test_message_that_comes_three_times_judges_once(use_runner):
    submission = factories.make_submission(exercise=make_exercise())
    use_runner(StubRunner(LISTED, REFERENCE, MISTAKE, REFERENCE))

    for _ in range(3):
        tasks.work()

    grading = submission.gradings.get()
    assert (grading.verdict, grading.tries, grading.case_results.count()) == ("accepted", 1, 2)
    assert submission.exercise.best_scores.count() == 1


def test_stopping_worker_takes_no_more_work(use_runner, monkeypatch):
    submission = factories.make_submission(exercise=make_exercise())
    use_runner(StubRunner())
    monkeypatch.setattr(tasks, "is_stopping", lambda: True)

    tasks.work()

    assert submission.gradings.get().state == "queued"


def test_sweeper_publishes_what_is_due_and_goes_on_with_regrades(monkeypatch):
    author = make_author(factories.make_course())
    exercise = make_working_copy(author.courses.get(), author=author)
    certify(exercise)
    services.schedule(exercise, at=timezone.now() + timedelta(seconds=60), author=author)
    Exercise.objects.update(scheduled_at=timezone.now())
    graded = [factories.make_graded(exercise=make_exercise()) for _ in range(2)]
    monkeypatch.setattr(services.mass_regrades, "SUBMISSIONS_AT_ONCE", 1)
    for submission in graded:
        factories.publish_version(submission.exercise)
    regrades = [services.preview_regrade(each.exercise, author=make_author(each.exercise.course)) for each in graded]
    assert len(queries.regrades_under_way()) == 2

    tasks.sweep()

    exercise.refresh_from_db()
    assert exercise.published.number == 1
    assert queries.regrades_under_way() == []
    assert [regrade.gradings.count() for regrade in regrades] == [1, 1]


def test_sweep_that_fails_somewhere_does_the_rest(monkeypatch, caplog):
    exercise, asked, continued = make_exercise(), [], []

    def fail(*_):
        raise RuntimeError("of ours")

    def go_on(regrade_id):
        continued.append(regrade_id)
        raise RuntimeError("of ours")

    for name in ("sweep", "settle_clocks", "publish_due"):
        monkeypatch.setattr(services, name, fail)
    monkeypatch.setattr(queries, "regrades_under_way", lambda: [1, 2])
    monkeypatch.setattr(services, "continue_regrade", go_on)
    monkeypatch.setattr(tasks, "enqueue_preparation", asked.append)

    tasks.sweep()

    assert continued == [1, 2]
    assert asked == [exercise.published_id]
    assert caplog.text.count("of ours") >= 5


def test_version_that_cannot_be_published_at_its_time_stops_no_other(monkeypatch, caplog):
    author = make_author(factories.make_course())
    course = author.courses.get()
    stuck, other = (make_working_copy(course, slug=slug, author=author) for slug in ("stuck", "other"))
    for exercise in (stuck, other):
        certify(exercise)
        services.schedule(exercise, at=timezone.now() + timedelta(seconds=60), author=author)
    Exercise.objects.update(scheduled_at=timezone.now())
    put_in_place = services.publishing.put_in_place

    def fail_for_one(exercise, version):
        if exercise == stuck:
            raise RuntimeError("of ours")
        put_in_place(exercise, version)

    monkeypatch.setattr(services.publishing, "put_in_place", fail_for_one)

    tasks.sweep()

    assert [Exercise.objects.get(pk=each.pk).published is None for each in (stuck, other)] == [True, False]
    assert f"publishing {stuck} as scheduled failed" in caplog.text


def test_cases_are_prepared_for_a_version(use_runner):
    exercise = make_exercise()
    use_runner(StubRunner(LISTED, REFERENCE, MISTAKE))

    tasks.prepare_cases(exercise.published_id)

    assert exercise.case_sets.count() == 1


def test_author_fault_is_logged_and_stores_nothing(use_runner, caplog):
    exercise = make_exercise()
    use_runner(StubRunner(report_of([], [], [])))

    tasks.prepare_cases(exercise.published_id)

    assert "return no case" in caplog.text
    assert exercise.case_sets.count() == 0


def test_cases_of_a_later_release_are_left_to_it(use_runner, caplog):
    exercise = factories.make_exercise(definition={**DEFINITION["exercise"], "tempo": 3}, files=DEFINITION["files"])
    use_runner(StubRunner())

    tasks.prepare_cases(exercise.published_id)

    assert "does not know tempo" in caplog.text
    assert exercise.case_sets.count() == 0


def test_sweep_frees_and_asks_for_missing_cases(monkeypatch, caplog):
    exercise, asked = make_exercise(), []
    monkeypatch.setattr(tasks, "enqueue_preparation", asked.append)
    monkeypatch.setattr(services, "sweep", lambda: services.Swept(freed=2, given_up=1))

    tasks.sweep()

    assert asked == [exercise.published_id]
    assert "2 freed, 1 given up" in caplog.text


@pytest.mark.parametrize(
    ("state", "required", "expected"),
    [
        ("tight", True, {"isolation": "tight", "open_layers": {}}),
        ("substituted", True, {"isolation": "tight", "open_layers": {}}),
        ("open", False, {"isolation": "tight", "open_layers": {}}),
        ("open", True, {"isolation": "reduced", "open_layers": {"no network": "run it as root"}}),
    ],
)
def test_runner_is_reported(use_runner, reported, state, required, expected):
    layer = {"name": "no network", "state": state, "remedy": "run it as root", "required": required}
    use_runner(SimpleNamespace(status=lambda: {"layers": [layer], "slots": 2}))

    tasks.report_runner()

    assert reported == [
        {**expected, "host": socket.gethostname(), "figures": RunnerFigures(slots=2, layers={"no network": state})}
    ]


def test_runner_that_does_not_answer_is_reported(use_runner, reported):
    def status():
        raise RunnerUnavailableError("nobody answers")

    use_runner(SimpleNamespace(status=status))

    tasks.report_runner()

    assert (reported[0]["host"], reported[0]["fault"]) == (socket.gethostname(), "nobody answers")


def test_each_worker_reports_from_its_start_until_its_connection_ends(use_runner, reported):
    cancelled, timer = [], []
    use_runner(SimpleNamespace(status=lambda: {"slots": 2, "layers": []}))
    entry = SimpleNamespace(cancel=lambda: cancelled.append(True))
    consumer = SimpleNamespace(
        app=tasks.app, timer=SimpleNamespace(call_repeatedly=lambda *timed: timer.append(timed) or entry)
    )
    step = Reports(consumer)

    step.stop(consumer)
    assert not cancelled
    step.start(consumer)
    assert len(reported) == 1
    step.stop(consumer)

    assert timer == [(REPORT_SECONDS, tasks.report_runner)]
    assert cancelled == [True]
    assert Reports in tasks.app.steps["consumer"]
