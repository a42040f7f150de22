"""An exercise was corrected: what was handed in is judged anew, looked at, and takes effect or does not."""

from decimal import Decimal

import pytest
from django.urls import reverse

from exercises.choices import AuditAction, Kind, Lane, Reason, RegradeState, Role, State
from exercises.errors import NotAllowedError, RegradeImpossibleError, RegradeNotReadyError
from exercises.models import AuditEntry, Grading, Notice, Submission
from exercises.queries import (
    latest_regrade,
    regrade_changes,
    regrade_due,
    regrade_progress,
    regrades_under_way,
)
from exercises.queries.classes import internal_errors
from exercises.services import (
    apply_regrade_of,
    cancel_regrade,
    claim_next,
    continue_regrade,
    mass_regrades,
    preview_regrade,
    record_outcome,
)
from exercises.services.outcomes import NO_FACTS
from graders.outcomes import Verdict
from tests.exercises.authoring import make_author
from tests.exercises.regrading import best_scores, changes_of, judged_preview, scoring, three_handed_in, work_off
from tests.factories import (
    make_course,
    make_exercise,
    make_graded,
    make_member,
    make_submission,
    publish_version,
)
from tests.together import together

pytestmark = pytest.mark.django_db


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def author(course):
    return make_author(course)


@pytest.fixture
def exercise(course):
    return make_exercise(course, version={"title": "Double it", "points": 10})


@pytest.fixture
def handed_in(exercise):
    return three_handed_in(exercise)


@pytest.fixture
def regrade(exercise, author, handed_in):
    return judged_preview(exercise, author, handed_in)


def test_preview_judges_in_its_own_lane_and_changes_nothing(exercise, author, handed_in):
    corrected = publish_version(exercise)

    regrade = preview_regrade(exercise, author=author)

    gradings = regrade.gradings.all()
    assert {(each.lane, each.reason, each.state) for each in gradings} == {(Lane.REGRADE, Reason.DRY_RUN, State.QUEUED)}
    assert {each.version for each in gradings} == {corrected}
    assert [each.instead_of for each in gradings] == [each.grading for each in handed_in]
    assert (regrade.state, regrade.asked_by, regrade.queued_at is None) == (RegradeState.PREVIEW, author, False)
    work_off({each.pk: scoring(0) for each in handed_in})
    assert best_scores() == [1, 4, 2]
    assert latest_regrade(exercise) == regrade


def test_due_is_what_another_grading_hash_judged(exercise, handed_in):
    before = regrade_due(exercise)
    publish_version(exercise)
    make_graded(exercise=exercise)
    make_submission(exercise=exercise)

    assert (before, regrade_due(exercise)) == (0, 3)


def test_new_version_that_judges_the_same_offers_no_regrade(course, author):
    exercise = make_exercise(course, version={"grading_hash": "same"})
    make_graded(exercise=exercise)
    publish_version(exercise, grading_hash="same")

    assert regrade_due(exercise) == 0
    assert preview_regrade(exercise, author=author).gradings.count() == 0


def test_preview_goes_in_batches_and_again_finds_nothing_left(exercise, author, handed_in, monkeypatch):
    monkeypatch.setattr(mass_regrades, "SUBMISSIONS_AT_ONCE", 2)
    publish_version(exercise)

    regrade = preview_regrade(exercise, author=author)

    progress = regrade_progress(regrade)
    assert (regrade.gradings.count(), progress.total, progress.is_queued) == (2, 3, False)
    assert regrades_under_way() == [regrade.pk]
    with pytest.raises(RegradeNotReadyError):
        apply_regrade_of(regrade, author=author)
    continue_regrade(regrade.pk)
    continue_regrade(regrade.pk)
    assert (regrade.gradings.count(), regrades_under_way()) == (3, [])


def test_open_preview_is_answered_with(exercise, author, regrade):
    assert preview_regrade(exercise, author=author) == regrade
    assert regrade.gradings.count() == 3


@pytest.mark.django_db(transaction=True)
def test_preview_asked_for_by_two_at_the_same_moment_is_one(exercise, author, handed_in):
    publish_version(exercise)

    regrades = together(lambda _: preview_regrade(exercise, author=author), range(2))

    assert regrades[0] == regrades[1]
    assert regrades[0].gradings.count() == 3


def test_changes_say_who_gains_who_loses_and_by_how_much(regrade, handed_in):
    gains, loses, _ = (submission.student for submission in handed_in)

    assert changes_of(regrade) == [(loses, Decimal("-2.50")), (gains, Decimal("7.50"))]
    loss = regrade_changes(regrade)[0]
    assert (loss.before.score, loss.after.score, loss.why) == (4, 3, "accepted → wrong answer")


def test_applied_regrade_is_in_force_and_on_record(exercise, author, regrade, handed_in):
    before = changes_of(regrade)

    applied = apply_regrade_of(regrade, author=author)

    assert (applied.state, applied.applied_by) == (RegradeState.APPLIED, author)
    assert best_scores() == [4, 3, 2]
    assert {(each.in_force, each.reason) for each in regrade.gradings.all()} == {(True, Reason.REGRADE)}
    assert Grading.objects.filter(in_force=True).count() == 3
    assert changes_of(regrade) == before
    entry = AuditEntry.objects.get(action=AuditAction.REGRADE_APPLIED)
    assert (entry.actor, entry.target) == (author, exercise.slug)
    assert entry.details == {"version": 2, "gain": 1, "lose": 1, "gradings": 3, "failed": 0, "impossible": 0}
    assert regrade_due(exercise) == 0


def test_persons_concerned_are_told_and_nobody_else(exercise, author, regrade, handed_in, course):
    apply_regrade_of(regrade, author=author)

    gains, loses, _ = (submission.student for submission in handed_in)
    told = {notice.user: notice for notice in Notice.objects.all()}
    assert set(told) == {gains, loses}
    begin = "“Double it” was corrected, and what you handed in was judged again. "
    assert told[gains].text == begin + "Your score is now 4 of 4 points, before 1 of 4."
    assert told[loses].url == reverse("learn:exercise", args=(course.slug, exercise.slug))


def test_what_is_erased_before_it_takes_effect_stays_as_it_is(author, regrade, handed_in):
    Submission.objects.filter(pk=handed_in[1].pk).update(body_hash="", source="")

    applied = apply_regrade_of(regrade, author=author)

    assert (applied.state, best_scores()) == (RegradeState.APPLIED, [4, 4, 2])


def test_applying_again_changes_nothing(author, regrade):
    apply_regrade_of(regrade, author=author)
    again = apply_regrade_of(regrade, author=author)
    continue_regrade(regrade.pk)

    assert again.state == RegradeState.APPLIED
    assert (Notice.objects.count(), AuditEntry.objects.count()) == (2, 1)


def test_applying_that_was_broken_off_goes_on(author, regrade, monkeypatch):
    monkeypatch.setattr(mass_regrades, "STUDENTS_AT_ONCE", 2)

    begun = apply_regrade_of(regrade, author=author)

    assert (begun.state, regrade_progress(begun).applied) == (RegradeState.APPLYING, 2)
    assert regrades_under_way() == [regrade.pk]
    continue_regrade(regrade.pk)
    regrade.refresh_from_db()
    assert (regrade.state, best_scores(), Notice.objects.count()) == (RegradeState.APPLIED, [4, 3, 2], 2)


@pytest.mark.django_db(transaction=True)
def test_regrade_that_two_apply_at_the_same_moment_takes_effect_once(author, regrade):
    results = together(lambda _: apply_regrade_of(regrade, author=author), range(3))

    assert not [result for result in results if isinstance(result, Exception)]
    assert best_scores() == [4, 3, 2]
    assert (Notice.objects.count(), AuditEntry.objects.count()) == (2, 1)


def test_better_score_is_kept_where_the_course_says_so(exercise, author, regrade, course, handed_in):
    course.keeps_better_score = True
    course.save()
    gains, loses, _ = (submission.student for submission in handed_in)

    assert changes_of(regrade) == [(gains, Decimal("7.50"))]
    apply_regrade_of(regrade, author=author)

    assert best_scores() == [4, 4, 2]
    assert not Notice.objects.filter(user=loses).exists()
    assert changes_of(regrade) == [(gains, Decimal("7.50"))]
    assert (regrade_due(exercise), regrade_progress(regrade).applied) == (0, 3)


def regraded(exercise, author, submission, score):
    """The regrade by the version that is published, judged and applied."""
    regrade = preview_regrade(exercise, author=author)
    work_off({submission.pk: scoring(score)})
    return apply_regrade_of(regrade, author=author)


@pytest.mark.parametrize("keeps_better_score", [False, True])
def test_correction_that_is_taken_back_is_regraded_by_the_version_before(exercise, author, course, keeps_better_score):
    submission = make_graded(exercise=exercise, outcome=scoring(1))
    second = publish_version(exercise)
    regraded(exercise, author, submission, 4)
    publish_version(exercise)
    regraded(exercise, author, submission, 0)
    course.keeps_better_score = keeps_better_score
    course.save()
    exercise.published = second
    exercise.save()

    due = regrade_due(exercise)
    regraded(exercise, author, submission, 4)

    assert (due, best_scores(), regrade_due(exercise)) == (1, [4], 0)


def test_version_whose_outcome_was_not_kept_judges_anew_what_stands_by_now(exercise, author, course):
    course.keeps_better_score = True
    course.save()
    submission = make_graded(exercise=exercise, outcome=scoring(2))
    second = publish_version(exercise)
    regraded(exercise, author, submission, 1)
    kept = regrade_due(exercise)
    publish_version(exercise)
    regraded(exercise, author, submission, 3)
    exercise.published = second
    exercise.save()

    assert (kept, regrade_due(exercise), best_scores()) == (0, 1, [3])


def test_preview_of_which_something_still_waits_is_not_applied(exercise, author, handed_in):
    publish_version(exercise)
    regrade = preview_regrade(exercise, author=author)
    record_outcome(claim_next("worker"), scoring(4), facts=NO_FACTS)

    with pytest.raises(RegradeNotReadyError, match="1 of 3 submissions are judged"):
        apply_regrade_of(regrade, author=author)

    assert best_scores() == [1, 4, 2]


def test_fault_of_ours_leaves_the_old_outcome_and_is_due_again(exercise, author, regrade, handed_in):
    regrade.gradings.filter(submission=handed_in[1]).update(verdict=Verdict.INTERNAL_ERROR, score=None)

    apply_regrade_of(regrade, author=author)

    assert best_scores() == [4, 4, 2]
    assert (regrade_progress(regrade).failed, regrade_due(exercise)) == (1, 1)
    assert not internal_errors(exercise.course).exists()
    again = preview_regrade(exercise, author=author)
    assert [each.submission for each in again.gradings.all()] == [handed_in[1]]


def test_what_we_failed_to_judge_is_judged_by_the_corrected_version(exercise, author):
    submission = make_submission(exercise=exercise)
    Grading.objects.update(state=State.GRADED, verdict=Verdict.INTERNAL_ERROR)
    publish_version(exercise)
    regrade = preview_regrade(exercise, author=author)
    work_off({submission.pk: scoring(4)})

    (change,) = regrade_changes(regrade)
    apply_regrade_of(regrade, author=author)

    assert (change.before, change.after.score, change.difference) == (None, 4, Decimal("1.00"))
    assert Notice.objects.get().text.endswith("Your score is now 4 of 4 points.")


def test_cancelled_preview_leaves_no_grading_behind(author, regrade):
    cancel_regrade(regrade, author=author)
    cancel_regrade(regrade, author=author)

    regrade.refresh_from_db()
    assert (regrade.state, regrade.gradings.count(), Grading.objects.count()) == (RegradeState.CANCELLED, 0, 3)
    assert AuditEntry.objects.get().action == AuditAction.REGRADE_CANCELLED
    with pytest.raises(RegradeNotReadyError):
        apply_regrade_of(regrade, author=author)


def test_outcome_of_a_cancelled_preview_is_not_taken(exercise, author, handed_in):
    publish_version(exercise)
    regrade = preview_regrade(exercise, author=author)
    claim = claim_next("worker")

    cancel_regrade(regrade, author=author)

    assert not record_outcome(claim, scoring(4), facts=NO_FACTS)
    assert claim_next("worker") is None


def test_applied_regrade_is_not_cancelled(author, regrade):
    apply_regrade_of(regrade, author=author)

    with pytest.raises(RegradeNotReadyError):
        cancel_regrade(regrade, author=author)


def test_others_than_instructors_regrade_nothing(course, exercise, regrade):
    for person in (make_member(course), make_author(make_course()), make_author(course, Role.ASSISTANT)):
        with pytest.raises(NotAllowedError):
            preview_regrade(exercise, author=person)
        with pytest.raises(NotAllowedError):
            apply_regrade_of(regrade, author=person)
        with pytest.raises(NotAllowedError):
            cancel_regrade(regrade, author=person)
    assert preview_regrade(exercise, author=make_author(course)) == regrade


def test_what_the_version_cannot_judge_stays_as_it_is_with_the_reason(course, author):
    exercise = make_exercise(course)
    submission = make_graded(exercise=exercise, outcome=scoring(3))
    publish_version(exercise, kind=Kind.NUMERIC)

    regrade = preview_regrade(exercise, author=author)
    apply_regrade_of(regrade, author=author)

    grading = regrade.gradings.get()
    assert (grading.state, grading.in_force) == (State.IMPOSSIBLE, False)
    assert grading.fault == "What was handed in answers an exercise of the kind code, and version 2 is numeric."
    assert (submission.gradings.get(in_force=True).score, regrade_changes(regrade)) == (3, [])
    assert regrade_progress(regrade).impossible == 1


def test_exercise_that_is_not_published_is_not_regraded(exercise, author, handed_in):
    exercise.published = None
    exercise.save()

    with pytest.raises(RegradeImpossibleError, match="not published"):
        preview_regrade(exercise, author=author)
    assert regrade_due(exercise) == 0
