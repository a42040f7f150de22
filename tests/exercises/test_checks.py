"""Checks: asked for, claimed, told of while they go on, and what their end leaves behind."""

from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.choices import Role, State
from exercises.content import CertificateFile
from exercises.errors import NotAllowedError, NothingSavedError
from exercises.models import Certificate, Check, Course, Exercise, Notice
from exercises.queries import certificate_for, latest_check, open_check
from exercises.services import (
    cancel_check,
    checks,
    claim_next,
    load_course,
    publish,
    record_progress,
    record_report,
    release,
    renew_lease,
    save_revision,
    start_check,
    sweep,
)
from tests.exercises.authoring import NUMERIC, UNREADABLE_FILES, certify, make_author, make_working_copy
from tests.factories import (
    make_course,
    make_course_folder,
    make_exercise_folder,
    make_graded,
    make_member,
    make_regrade,
    make_run,
    make_submission,
)
from tests.together import together

pytestmark = pytest.mark.django_db
MUTATION = {"score": 0.75, "required": 0.9, "killed": 3, "survived": 1, "equivalent": 0, "broken": 1, "mutants": [{}]}


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def author(course):
    return make_author(course)


@pytest.fixture
def exercise(course, author):
    return make_working_copy(course, author=author)


def report_on(check, **fields):
    return {"grading_hash": check.revision.grading_hash, "sound": True, "findings": [], "mutation": None, **fields}


def change(exercise, author, number=6):
    based_on = exercise.revisions.order_by("-number").first().number
    save_revision(
        exercise, files={"exercise.yaml": NUMERIC.replace("5", str(number))}, based_on=based_on, author=author
    )


def test_check_waits_for_a_worker_and_is_claimed_under_a_lease(exercise, author):
    check = start_check(exercise, author=author)

    claim = claim_next("host:1")

    assert (claim.kind, claim.id) == ("check", check.pk)
    check.refresh_from_db()
    assert (check.state, check.tries, check.claimed_by, check.host) == (State.RUNNING, 1, "host:1", "host")
    assert check.is_open
    assert renew_lease(claim)


def test_check_needs_a_working_copy_and_an_instructor(course, exercise, author):
    empty = Exercise.objects.create(course=course, slug="empty")

    with pytest.raises(NothingSavedError):
        start_check(empty, author=author)
    for person in (make_member(course), make_author(course, Role.ASSISTANT)):
        with pytest.raises(NotAllowedError):
            start_check(exercise, author=person)
        with pytest.raises(NotAllowedError):
            cancel_check(exercise, author=person)
    assert start_check(exercise, author=author).asked_by == author


def test_open_check_of_the_same_revision_is_answered_with(exercise, author):
    check = start_check(exercise, author=author)
    claim_next("host:1")

    assert start_check(exercise, author=author) == check
    assert Check.objects.count() == 1


@pytest.mark.parametrize("is_running", [False, True])
def test_newer_check_takes_the_place_of_an_older_one(exercise, author, is_running):
    older = start_check(exercise, author=author)
    claim = claim_next("host:1") if is_running else None
    change(exercise, author)

    newer = start_check(exercise, author=author)

    older.refresh_from_db()
    assert (older.state, newer.state) == (State.SUPERSEDED, State.QUEUED)
    assert (open_check(exercise), latest_check(exercise)) == (newer, newer)
    if claim:
        assert not record_progress(claim, {"doing": "mutants"})
        assert not record_report(claim, report_on(older), is_proven=True)
        assert not Certificate.objects.exists()


def test_old_checks_are_forgotten(exercise, author, monkeypatch):
    monkeypatch.setattr(checks, "KEPT", 2)
    for number in (6, 7, 8):
        start_check(exercise, author=author)
        change(exercise, author, number)

    newest = start_check(exercise, author=author)

    assert list(exercise.checks.values_list("pk", flat=True)) == [newest.pk, newest.pk - 1]


def test_cancelled_check_leaves_nothing_open(exercise, author):
    start_check(exercise, author=author)
    cancel_check(exercise, author=author)
    cancel_check(exercise, author=author)

    assert (open_check(exercise), latest_check(exercise), claim_next("host:1")) == (None, None, None)


def test_checks_come_after_submissions_and_before_regrades(exercise, author):
    regrade = make_regrade(make_graded())
    check = start_check(exercise, author=author)
    submission, run = make_submission(), make_run()

    claims = [claim_next("host:1") for _ in range(4)]

    assert [(claim.kind, claim.id) for claim in claims] == [
        ("run", run.pk),
        ("grading", submission.grading.pk),
        ("check", check.pk),
        ("grading", regrade.pk),
    ]


def test_one_check_at_a_time_on_each_host(course, exercise, author):
    first = start_check(exercise, author=author)
    second = start_check(make_working_copy(course, author=author, slug="other"), author=author)

    claims = [claim_next("host:1"), claim_next("host:2"), claim_next("another:1")]

    assert [claim and claim.id for claim in claims] == [first.pk, None, second.pk]


@pytest.mark.django_db(transaction=True)
def test_processes_of_a_host_that_look_at_the_same_time_begin_one_check(course, author):
    for slug in ("one", "two", "three"):
        start_check(make_working_copy(course, author=author, slug=slug), author=author)

    claims = together(claim_next, [f"host:{number}" for number in range(4)])

    assert len([claim for claim in claims if claim]) == 1
    assert Check.objects.filter(state=State.RUNNING).count() == 1


def test_progress_is_kept_until_the_report(exercise, author):
    check = start_check(exercise, author=author)
    claim = claim_next("host:1")

    assert record_progress(claim, {"doing": "cases"})

    check.refresh_from_db()
    assert check.progress == {"doing": "cases"}
    assert record_report(claim, report_on(check), is_proven=True, torch_version="2.13.0")
    check.refresh_from_db()
    assert (check.state, check.progress, check.is_sound, check.is_open) == (State.FINISHED, {}, True, False)


def test_progress_is_told(exercise, author, django_capture_on_commit_callbacks):
    check = start_check(exercise, author=author)
    claim = claim_next("host:1")

    with django_capture_on_commit_callbacks() as told:
        record_progress(claim, {"doing": "cases"})

    assert [callback.args for callback in told] == [(f"check:{check.pk}",)]
    assert check.topic == f"check:{check.pk}"


def test_proven_check_gives_a_certificate_for_the_grading_hash(exercise, author):
    check = start_check(exercise, author=author)

    record_report(claim_next("host:1"), report_on(check, mutation=MUTATION), is_proven=True, torch_version="2.13.0")

    certificate = certificate_for(exercise)
    assert (certificate.grading_hash, certificate.mutation_score) == (check.revision.grading_hash, 0.75)
    assert certificate.mutants == {"killed": 3, "survived": 1, "equivalent": 0, "broken": 1}
    assert (certificate.torch_version, certificate.report["sound"], "mutation" in certificate.report) == (
        "2.13.0",
        True,
        False,
    )


def test_certificate_is_of_the_grading_hash_alone(exercise, author):
    certify(exercise)
    save_revision(exercise, files={"exercise.yaml": NUMERIC.replace("Count.", "Count!")}, based_on=1, author=author)
    reworded = certificate_for(exercise)
    change(exercise, author)

    assert reworded is not None
    assert certificate_for(exercise) is None


def test_later_check_that_finds_something_withdraws_the_certificate(exercise, author):
    certify(exercise)
    check = start_check(exercise, author=author)

    record_report(claim_next("host:1"), report_on(check, sound=False), is_proven=False)

    assert certificate_for(exercise) is None
    assert not latest_check(exercise).is_sound


def test_author_of_what_students_have_before_them_is_told_that_it_is_unsound(exercise, author):
    certify(exercise)
    publish(exercise, author=author)
    check = start_check(exercise, author=author)

    record_report(claim_next("host:1"), report_on(check, sound=False), is_proven=False)

    notice = Notice.objects.get()
    assert (notice.user, notice.text) == (
        author,
        "“How much” is published, and a check has now found it unsound: mend it, or take it back.",
    )


@pytest.mark.parametrize("is_published", [False, True])
def test_nobody_is_told_of_what_no_student_has_before_them(exercise, author, is_published):
    certify(exercise)
    if is_published:
        publish(exercise, author=author)
        change(exercise, author)
    check = start_check(exercise, author=author)

    record_report(claim_next("host:1"), report_on(check, sound=False), is_proven=False)

    assert not Notice.objects.exists()


def test_certificate_in_an_upload_is_confirmed_by_a_check_here(author):
    written = CertificateFile(grading_hash="a" * 64, mutation_score=1.0, checked_at=timezone.now())
    folder = make_exercise_folder(grading_hash="a" * 64, certificate=written)
    course = make_course_folder(exercises=(folder,))

    load_course(course)
    by_operator = Check.objects.count()
    Course.objects.get(slug=course.slug).memberships.create(user=author, role=Role.INSTRUCTOR)
    for _ in range(2):
        load_course(course, loader=author, only_proven=True)

    check = Check.objects.get()
    assert (by_operator, check.asked_by, check.exercise.published.grading_hash) == (0, author, "a" * 64)
    record_report(claim_next("host:1"), report_on(check, grading_hash="a" * 64, mutation=MUTATION), is_proven=True)
    load_course(course, loader=author, only_proven=True)
    assert Check.objects.get().state == State.FINISHED


def test_unreadable_revision_gets_a_report_and_no_certificate(exercise, author):
    certify(exercise)
    save_revision(exercise, files=UNREADABLE_FILES, based_on=1, author=author)
    check = start_check(exercise, author=author)

    record_report(claim_next("host:1"), report_on(check, sound=False), is_proven=False)

    assert certificate_for(exercise) is None
    assert Certificate.objects.count() == 1


def test_report_without_the_lease_is_not_taken(exercise, author):
    check = start_check(exercise, author=author)
    claim = claim_next("host:1")
    release(claim, "the runner died")

    assert not record_report(claim, report_on(check), is_proven=True)
    check.refresh_from_db()
    assert (check.state, check.report, check.fault) == (State.QUEUED, None, "the runner died")
    assert claim_next("host:1") is None


def test_after_three_faults_of_ours_a_check_has_failed_without_a_report(exercise, author):
    check = start_check(exercise, author=author)
    for _ in range(3):
        Check.objects.update(retry_at=None)
        release(claim_next("host:1"), "the runner died")

    check.refresh_from_db()
    assert (check.state, check.report, check.is_open) == (State.FAILED, None, False)
    assert start_check(exercise, author=author).state == State.QUEUED


def test_check_of_a_worker_that_died_is_made_again(exercise, author, django_capture_on_commit_callbacks):
    check = start_check(exercise, author=author)
    claim_next("host:1")
    Check.objects.update(lease_until=timezone.now() - timedelta(seconds=1))

    with django_capture_on_commit_callbacks() as told:
        assert sweep().freed == 1

    assert len(told) == 2
    assert claim_next("host:2").id == check.pk
