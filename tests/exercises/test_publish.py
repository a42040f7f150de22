"""What is proven sound is put before students: at once, at a time, and taken back."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from exercises.choices import AuditAction, Kind, RegradeState, Role, State
from exercises.errors import InvalidFieldError, NotAllowedError, NothingSavedError, NotSoundError
from exercises.models import AuditEntry, Exercise, ExerciseVersion, Notice
from exercises.queries import shown_exercises
from exercises.services import (
    cancel_schedule,
    claim_next,
    load_course,
    preview_regrade,
    publish,
    publish_due,
    save_revision,
    schedule,
    store_certificate,
    submit,
    unpublish,
)
from exercises.services.versions import put_in_place
from tests.exercises.authoring import (
    CODE,
    CODE_FILES,
    NUMERIC,
    UNREADABLE_FILES,
    certify,
    make_author,
    make_working_copy,
)
from tests.factories import (
    make_course,
    make_course_folder,
    make_exercise,
    make_graded,
    make_member,
    make_submission,
    publish_version,
)

pytestmark = pytest.mark.django_db
TRAINING = CODE + "training: {metric: mse, at_most: 1}\n"


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def author(course):
    return make_author(course)


@pytest.fixture
def exercise(course, author):
    """Saved and proven."""
    exercise = make_working_copy(course, author=author)
    certify(exercise)
    return exercise


def reword(exercise, author, word="Count them."):
    based_on = exercise.revisions.order_by("-number").first().number
    files = {"exercise.yaml": NUMERIC.replace("Count.", word)}
    return save_revision(exercise, files=files, based_on=based_on, author=author)


def in_an_hour():
    return timezone.now() + timedelta(hours=1)


def test_head_becomes_the_version_that_students_see(exercise, author):
    version = publish(exercise, author=author)

    exercise.refresh_from_db()
    assert (exercise.published, version.number, version.created_by) == (version, 1, author)
    assert (version.kind, version.title, version.definition["exercise"]["answer"]) == ("numeric", "How much", 5)
    assert list(shown_exercises()) == [exercise]
    entry = AuditEntry.objects.get(action=AuditAction.PUBLISHED)
    assert (entry.actor, entry.target, entry.details["version"]) == (author, "how-much", 1)
    assert entry.details["grading_hash"] == version.grading_hash


def test_what_is_again_as_it_once_was_is_that_version(exercise, author):
    first = publish(exercise, author=author)
    reword(exercise, author)
    second = publish(exercise, author=author)
    reword(exercise, author, "Count.")

    assert publish(exercise, author=author) == first
    assert (second.number, ExerciseVersion.objects.count()) == (2, 2)


def test_without_a_certificate_nothing_is_published(course, author):
    exercise = make_working_copy(course, author=author)

    with pytest.raises(NotSoundError, match="Check this exercise first"):
        publish(exercise, author=author, reason="It is urgent.")

    assert Exercise.objects.get().published is None
    assert not ExerciseVersion.objects.exists()


def test_certificate_of_another_grading_hash_does_not_count(exercise, author):
    save_revision(exercise, files={"exercise.yaml": NUMERIC.replace("5", "6")}, based_on=1, author=author)

    with pytest.raises(NotSoundError):
        publish(exercise, author=author)


def test_what_is_no_exercise_is_not_published(exercise, author):
    save_revision(exercise, files=UNREADABLE_FILES, based_on=1, author=author)

    with pytest.raises(NotSoundError, match=r"exercise.yaml, .*expected"):
        publish(exercise, author=author)


def test_nothing_saved_is_not_published(course, author):
    with pytest.raises(NothingSavedError):
        publish(Exercise.objects.create(course=course, slug="empty"), author=author)


def test_students_and_strangers_publish_nothing(course, exercise):
    for person in (make_member(course), make_author(make_course())):
        for act in (publish, unpublish, cancel_schedule):
            with pytest.raises(NotAllowedError):
                act(exercise, author=person)
        with pytest.raises(NotAllowedError):
            schedule(exercise, at=in_an_hour(), author=person)


def test_assistant_publishes_nothing(course, author):
    exercise = make_working_copy(course, author=author, files=CODE_FILES)
    certify(exercise, mutation_score=0.9)

    with pytest.raises(NotAllowedError):
        publish(exercise, author=make_author(course, Role.ASSISTANT))

    assert publish(exercise, author=author).kind == Kind.CODE


def test_below_the_score_of_the_course_an_instructor_needs_a_reason(course, author):
    exercise = make_working_copy(course, author=author, files=CODE_FILES)
    certify(exercise, mutation_score=0.72)

    with pytest.raises(NotSoundError, match=r"0\.72, and the course asks for 0\.9"):
        publish(exercise, author=author, reason="  ")
    publish(exercise, author=author, reason=" It is urgent. ")

    details = AuditEntry.objects.get(action=AuditAction.PUBLISHED).details
    assert (details["reason"], details["mutation_score"], details["required_score"]) == ("It is urgent.", 0.72, 0.9)


def test_course_sets_how_high_the_score_must_be(course, author):
    course.required_score = 0.7
    course.save()
    exercise = make_working_copy(course, author=author, files=CODE_FILES)
    certify(exercise, mutation_score=0.72)

    assert publish(exercise, author=author)


def test_training_may_be_changed_much_and_still_do_its_work(course, author):
    exercise = make_working_copy(course, author=author, files={**CODE_FILES, "exercise.yaml": TRAINING})
    certify(exercise, mutation_score=0.3)

    assert publish(exercise, author=author)


def test_cases_are_drawn_once_it_is_published(course, author, django_capture_on_commit_callbacks):
    exercise = make_working_copy(course, author=author, files=CODE_FILES)
    certify(exercise, mutation_score=1)

    with django_capture_on_commit_callbacks() as told:
        version = publish(exercise, author=author)

    assert [callback.args[-1] for callback in told] == [version.pk]


def test_unpublished_exercise_is_shown_to_nobody_and_loses_nothing(exercise, author, course):
    version = publish(exercise, author=author)
    student = make_member(course)
    submission = submit(student, exercise, response="5")

    unpublish(exercise, author=author)
    unpublish(exercise, author=author)

    assert not shown_exercises().exists()
    assert submission.grading.state == State.GRADED
    assert AuditEntry.objects.filter(action=AuditAction.UNPUBLISHED).count() == 1
    assert publish(exercise, author=author) == version


def test_pages_of_what_was_handed_in_stay_when_it_is_unpublished(exercise, author, course, client):
    publish(exercise, author=author)
    student = make_member(course)
    submission = submit(student, exercise, response="5")
    unpublish(exercise, author=author)

    for person in (student, author):
        client.force_login(person)
        for address in (f"/submissions/{submission.pk}/", "/progress/", f"/courses/{course.slug}/"):
            assert client.get(address).status_code == 200


def test_scheduled_version_is_published_when_its_time_has_come(exercise, author, time_machine):
    schedule(exercise, at=in_an_hour(), author=author)
    reword(exercise, author)
    before = publish_due()
    time_machine.move_to(timezone.now() + timedelta(hours=1, seconds=1))

    published = publish_due()

    assert (before, published, publish_due()) == ([], [exercise], [])
    exercise.refresh_from_db()
    assert exercise.published.definition["exercise"]["prompt"] == "Count."
    assert (exercise.scheduled_version, exercise.scheduled_at) == (None, None)
    entry = AuditEntry.objects.get(action=AuditAction.PUBLISHED)
    assert (entry.actor, entry.details["version"]) == (None, 1)


def test_what_a_later_check_found_unsound_is_not_published_by_the_clock(exercise, author, time_machine):
    schedule(exercise, at=in_an_hour(), author=author)
    exercise.certificates.all().delete()
    time_machine.move_to(timezone.now() + timedelta(hours=2))

    assert publish_due() == []

    exercise.refresh_from_db()
    assert (exercise.published, exercise.scheduled_at) == (None, None)
    notice = Notice.objects.get()
    assert (notice.user, notice.text) == (
        author,
        "“How much” was not published at its time: a later check found it unsound.",
    )
    entry = AuditEntry.objects.get(action=AuditAction.SCHEDULE_CANCELLED)
    assert (entry.actor, entry.details["reason"]) == (None, "a later check found it unsound")


def test_publishing_and_scheduling_leave_what_others_set_meanwhile(exercise, author):
    stale, other = (Exercise.objects.get(pk=exercise.pk) for _ in range(2))
    Exercise.objects.filter(pk=exercise.pk).update(max_attempts=2)

    publish(stale, author=author)
    schedule(other, at=in_an_hour(), author=author)
    cancel_schedule(other, author=author)
    unpublish(other, author=author)

    assert Exercise.objects.get(pk=exercise.pk).max_attempts == 2


@pytest.mark.parametrize("zone", ["America/New_York", "Pacific/Kiritimati"])
def test_schedule_beyond_the_calendar_is_refused(exercise, author, zone):
    with pytest.raises(InvalidFieldError, match="2099"):
        schedule(exercise, at=datetime(9999, 12, 31, 23, 59, tzinfo=ZoneInfo(zone)), author=author)

    exercise.refresh_from_db()
    assert exercise.scheduled_at is None


def test_schedule_needs_a_time_to_come_and_a_certificate(course, exercise, author):
    with pytest.raises(InvalidFieldError) as refusal:
        schedule(exercise, at=timezone.now(), author=author)
    assert refusal.value.field == "at"
    with pytest.raises(NotSoundError):
        schedule(make_working_copy(course, author=author, slug="other"), at=in_an_hour(), author=author)


@pytest.mark.parametrize("act", [cancel_schedule, publish, unpublish])
def test_schedule_is_off(exercise, author, act, time_machine):
    publish(exercise, author=author)
    reword(exercise, author)
    schedule(exercise, at=in_an_hour(), author=author)

    act(exercise, author=author)

    time_machine.move_to(timezone.now() + timedelta(hours=2))
    assert publish_due() == []


def test_clock_brings_nothing_back_that_a_folder_put_away(exercise, author, course, time_machine):
    schedule(exercise, at=in_an_hour(), author=author)

    load_course(make_course_folder(slug=course.slug))

    time_machine.move_to(timezone.now() + timedelta(hours=2))
    assert publish_due() == []
    exercise.refresh_from_db()
    assert exercise.is_retired


def test_cancelling_no_schedule_leaves_no_record(exercise, author):
    cancel_schedule(exercise, author=author)

    assert not AuditEntry.objects.filter(action=AuditAction.SCHEDULE_CANCELLED).exists()


def test_hand_in_that_waits_is_judged_by_the_corrected_version():
    exercise = make_exercise()
    done, waiting = make_graded(exercise=exercise), make_submission(exercise=exercise)
    broken = exercise.published

    corrected = publish_version(exercise)
    put_in_place(exercise, corrected)

    assert done.gradings.get().version == broken
    assert (waiting.gradings.get().version, waiting.version) == (corrected, broken)
    assert claim_next("worker").id == waiting.grading.pk


def test_hand_in_that_waits_stays_with_a_version_that_judges_the_same():
    exercise = make_exercise(version={"grading_hash": "same"})
    waiting = make_submission(exercise=exercise)

    put_in_place(exercise, publish_version(exercise, grading_hash="same"))

    assert waiting.gradings.get().version == waiting.version


def test_explanations_and_code_that_becomes_a_question_wait_as_they_did():
    exercise, explain = make_exercise(), make_exercise(kind=Kind.EXPLAIN)
    code = make_submission(exercise=exercise)
    explained = submit(make_member(explain.course), explain, response="Because.")

    put_in_place(exercise, publish_version(exercise, kind=Kind.NUMERIC))
    put_in_place(explain, publish_version(explain, kind=Kind.EXPLAIN))

    for submission in (code, explained):
        assert submission.gradings.get().version == submission.version


def test_preview_of_a_regrade_is_off_once_another_version_judges():
    exercise = make_exercise()
    make_graded(exercise=exercise)
    publish_version(exercise)
    regrade = preview_regrade(exercise, author=make_author(exercise.course))

    put_in_place(exercise, publish_version(exercise))

    regrade.refresh_from_db()
    assert (regrade.state, regrade.gradings.count()) == (RegradeState.CANCELLED, 0)


def test_newest_certificate_stands(exercise):
    old, new = timezone.now() - timedelta(days=1), timezone.now()
    store_certificate(exercise, "hash", checked_at=new, mutation_score=0.8)
    store_certificate(exercise, "hash", checked_at=old, mutation_score=0.7)

    assert exercise.certificates.get(grading_hash="hash").mutation_score == 0.8


def test_check_here_stands_against_the_word_of_a_file_of_any_date(exercise):
    checked = {"mutation_score": 0.4, "report": {"sound": True}}
    ahead = timezone.now() + timedelta(days=9999)
    store_certificate(exercise, "hash", checked_at=ahead, mutation_score=1.0)
    store_certificate(exercise, "hash", checked_at=timezone.now(), **checked)
    store_certificate(exercise, "hash", checked_at=ahead, mutation_score=1.0)

    assert exercise.certificates.get(grading_hash="hash").mutation_score == 0.4


def test_loading_a_folder_publishes_and_needs_no_certificate():
    load_course(make_course_folder())

    assert Exercise.objects.get().published.number == 1
