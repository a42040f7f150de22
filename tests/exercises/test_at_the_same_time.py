from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import monotonic

import pytest
from django.db import connection, transaction

from exercises.choices import AuditAction, Lane, Reason, Role, RunKind, State
from exercises.errors import (
    LinkError,
    NoAttemptsLeftError,
    RegradeNotReadyError,
    ReviewNotOpenError,
    TooManyRunsError,
)
from exercises.models import (
    AssignmentStart,
    Attempt,
    AuditEntry,
    BestScore,
    CaseResult,
    Grading,
    Notice,
    Run,
    Submission,
)
from exercises.services import (
    RunFacts,
    claim_next,
    create_sign_in_link,
    record_outcome,
    redeem_sign_in_link,
    release,
    requeue,
    review,
    save_draft,
    settle_clocks,
    start_assignment,
    start_run,
    submit,
)
from exercises.services.locks import lock_student
from exercises.services.marking import review_alike, undo_reviews
from exercises.services.staff_runs import put_regrade_in_force, return_attempt
from graders.outcomes import Verdict
from tests.factories import (
    make_assignment,
    make_case,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    make_regrade,
    make_run,
    make_submission,
    make_user,
)
from tests.together import together

pytestmark = pytest.mark.django_db(transaction=True)


def refusals(results):
    return [type(result) for result in results if isinstance(result, Exception)]


def test_each_row_is_claimed_by_one_worker():
    runs = [make_run() for _ in range(6)]

    claims = together(claim_next, [f"worker {number}" for number in range(8)])

    assert sorted(claim.id for claim in claims if claim) == sorted(run.pk for run in runs)


def test_one_student_never_has_two_running():
    student = make_user()
    for _ in range(2):
        make_run(student)
        make_submission(student)

    claims = together(claim_next, [f"worker {number}" for number in range(6)])

    assert len([claim for claim in claims if claim]) == 1


def test_workers_finish_together_what_waits_and_each_piece_once():
    exercises = [make_exercise() for _ in range(3)]
    students = [make_user() for _ in range(4)]
    for student in students:
        for exercise in exercises:
            make_submission(student, exercise)

    recorded = together(work_off, [f"worker {number}" for number in range(4)])

    assert sum(recorded) == 12
    assert Grading.objects.filter(state=State.GRADED, tries=1).count() == 12
    assert BestScore.objects.count() == 12


def work_off(owner):
    """How many outcomes a worker recorded before nothing more was to be claimed."""
    recorded = 0
    while (claim := claim_next(owner)) is not None:
        recorded += record_outcome(claim, make_outcome(), facts=RunFacts())
    return recorded


def test_one_of_equal_requests_hands_in():
    exercise = make_exercise()
    student = make_member(exercise.course)
    hand_in = partial(submit, student, exercise, source="x = 1\n")

    submissions = together(lambda key: hand_in(idempotency_key=key), ["one-key"] * 6)

    assert len({submission.pk for submission in submissions}) == 1
    assert Submission.objects.count() == 1


def test_attempts_are_not_overdrawn():
    exercise = make_exercise(kind="numeric", max_attempts=3)
    student = make_member(exercise.course)

    results = together(lambda number: submit(student, exercise, response=number), list(range(10, 20)))

    assert refusals(results) == [NoAttemptsLeftError] * 7
    assert Attempt.objects.count() == 3
    assert BestScore.objects.get().submissions == 3


def test_attempts_of_an_assignment_are_not_overdrawn():
    exercise = make_exercise(kind="numeric")
    assignment = make_assignment(exercise, max_attempts=3)
    student = make_member(exercise.course)

    results = together(
        lambda number: submit(student, exercise, response=number, assignment=assignment.slug), list(range(10, 30))
    )

    assert refusals(results) == [NoAttemptsLeftError] * 17
    assert Attempt.objects.filter(submission__assignment=assignment).count() == 3


def test_clock_that_several_sweepers_find_hands_in_once():
    exercise = make_exercise()
    quiz = make_assignment(exercise, is_quiz=True, minutes=30)
    student = make_member(exercise.course)
    start = start_assignment(student, quiz)
    save_draft(student, exercise, source="draft = 1\n", revision=0)
    AssignmentStart.objects.update(ends_at=start.started_at)

    settled = together(lambda _number: settle_clocks(), list(range(6)))

    assert sum(settled) == 1
    assert Submission.objects.count() == 1


def test_one_of_several_hand_ins_keeps_its_place_and_counts():
    exercise = make_exercise()
    student = make_member(exercise.course)

    together(lambda number: submit(student, exercise, source=f"x = {number}\n"), list(range(6)))

    assert Grading.objects.filter(lane=Lane.SUBMISSION).count() == 1
    assert Grading.objects.filter(lane=Lane.REPLACED).count() == 5
    assert Attempt.objects.filter(given_back_at=None).count() == 1


def test_runs_are_limited():
    student = make_user()

    results = together(lambda text: start_run(student, RunKind.FREE, source=text), ["x\n"] * 6)

    assert refusals(results) == [TooManyRunsError] * 4
    assert Run.objects.count() == 2


def test_outcome_is_delivered_once():
    make_submission()
    claim = claim_next("worker")
    outcome = make_outcome(cases=(make_case(),))

    results = together(lambda facts: record_outcome(claim, outcome, facts=facts), [RunFacts()] * 4)

    assert sorted(results) == [False, False, False, True]
    assert CaseResult.objects.count() == 1


@pytest.fixture
def operator():
    return make_user(is_staff=True)


def recorded(claim, operator):
    return record_outcome(claim, make_outcome(), facts=RunFacts())


def given_back(claim, operator):
    return release(claim, "gone")


def put_back(claim, operator):
    return requeue([claim.id], actor=operator)


@pytest.mark.parametrize(
    ("action", "state", "verdict"),
    [
        (recorded, State.RUNNING, ""),
        (given_back, State.RUNNING, ""),
        (put_back, State.GRADED, Verdict.INTERNAL_ERROR),
    ],
)
def test_who_waits_for_a_student_holds_none_of_their_gradings(operator, action, state, verdict):
    submission = make_submission()
    claim = claim_next("worker")
    Grading.objects.update(state=state, verdict=verdict)

    with ThreadPoolExecutor(1) as pool:
        # As an account is erased: first its student, then all that is theirs.
        with transaction.atomic():
            lock_student(submission.student_id)
            waiting = pool.submit(together, partial(action, operator=operator), [claim])
            wait_until_somebody_waits()
            Grading.objects.select_for_update(nowait=True).get(pk=claim.id)
        (result,) = waiting.result()

    assert not isinstance(result, Exception)


def wait_until_somebody_waits():
    """Until another connection waits for a lock of this one. On SQLite it waits for the whole transaction."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    deadline = monotonic() + 30
    while connection.vendor == "postgresql" and monotonic() < deadline:
        with connection.cursor() as cursor:
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return


@pytest.mark.skipif(connection.vendor == "sqlite", reason="PostgreSQL only, SQLite has one writer; make test runs both")
def test_claim_passes_over_whose_student_somebody_holds():
    held, other = make_submission(), make_submission()

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        lock_student(held.student_id)
        (claim,) = pool.submit(together, claim_next, ["worker"]).result()

    assert claim.id == other.grading.pk
    assert claim_next("worker").id == held.grading.pk


@pytest.mark.parametrize("number", [2, 3])
def test_one_of_several_who_read_alike_answers_reads_each(number):
    exercise = make_exercise(kind="explain")
    readers = [make_member(exercise.course, role=Role.ASSISTANT) for _ in range(number)]
    answers = [submit(make_member(exercise.course), exercise, response="So.") for _ in range(4)]
    points = {"Names the spread": 2, "Names the softmax": 1}

    results = together(lambda reader: review_alike(answers, reviewer=reader, points=points), readers)

    assert set(refusals(results)) <= {ReviewNotOpenError}
    assert Grading.objects.count() == Grading.objects.filter(state=State.GRADED, in_force=True).count() == 4


def test_what_two_of_the_staff_do_at_once_is_done_and_told_once():
    submission = make_graded()
    teachers = [make_member(submission.exercise.course, role=Role.INSTRUCTOR) for _ in range(3)]
    grading = make_regrade(submission, reason=Reason.DRY_RUN)
    record_outcome(claim_next("worker"), make_outcome(), facts=RunFacts())

    regraded = together(lambda author: put_regrade_in_force(reread(grading), author=author), teachers)
    returned = together(lambda author: return_attempt(submission, author=author, reason="So."), teachers)

    assert refusals(regraded) == refusals(returned) == [RegradeNotReadyError] * 2
    assert sorted(AuditEntry.objects.values_list("action", flat=True)) == sorted(
        [AuditAction.SUBMISSION_REGRADED, AuditAction.ATTEMPT_GIVEN_BACK]
    )
    assert Notice.objects.count() == 2


def reread(grading):
    return Grading.objects.get(pk=grading.pk)


def test_review_is_undone_once_also_where_two_ask():
    exercise = make_exercise(kind="explain")
    reader = make_member(exercise.course, role=Role.ASSISTANT)
    answer = submit(make_member(exercise.course), exercise, response="So.")
    first, again = (
        review(answer, reviewer=reader, points={"Names the spread": given, "Names the softmax": 1}) for given in (2, 0)
    )

    undone = together(lambda ids: undo_reviews(exercise.course, ids, author=reader), [[again.pk]] * 3)

    assert sorted(undone) == [0, 0, 1]
    assert list(Grading.objects.values_list("pk", "in_force")) == [(first.pk, True)]


def test_sign_in_link_lets_one_visitor_in():
    token = create_sign_in_link(make_user())

    results = together(redeem_sign_in_link, [token] * 6)

    assert refusals(results) == [LinkError] * 5
