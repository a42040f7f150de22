import pytest
from django.urls import reverse

from exercises.choices import AuditAction, Reason, State
from exercises.errors import NotAllowedError, RegradeImpossibleError
from exercises.models import AuditEntry, Grading
from exercises.queries import faults_lately
from exercises.services import RunFacts, claim_next, erase_account, record_outcome, requeue
from exercises.services.faults import MAX_TRIES
from graders.outcomes import Verdict
from tests.factories import make_exercise, make_graded, make_outcome, make_submission, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator():
    return make_user(is_staff=True)


def given_up(student, course):
    """A grading that failed three times by our fault."""
    submission = make_submission(student, make_exercise(course))
    grading = submission.gradings.get()
    grading.state, grading.verdict = State.GRADED, Verdict.INTERNAL_ERROR
    grading.tries, grading.fault = MAX_TRIES, "gone"
    grading.finished_at = submission.created_at
    grading.save()
    return grading


def test_work_that_was_given_up_is_judged_after_all(people, course, operator):
    grading = given_up(people["owner"], course)

    count = requeue([grading.pk], actor=operator)
    claim = claim_next("worker")
    record_outcome(claim, make_outcome(), facts=RunFacts())

    grading.refresh_from_db()
    assert (count, claim.id) == (1, grading.pk)
    assert (grading.state, grading.verdict, grading.tries) == (State.GRADED, Verdict.ACCEPTED, 1)


def test_it_is_kept_on_record_with_what_had_gone_wrong(people, course, operator):
    grading = given_up(people["owner"], course)

    requeue([grading.pk], actor=operator)

    entry = AuditEntry.objects.get(action=AuditAction.REQUEUED)
    assert (entry.actor, entry.target, entry.details) == (operator, grading.submission.receipt, {"fault": "gone"})


def test_what_was_judged_stays_as_it_is(people, course, operator):
    graded = make_graded(people["owner"], make_exercise(course)).gradings.get()

    assert requeue([graded.pk, 10**9], actor=operator) == 0
    graded.refresh_from_db()
    assert graded.state == State.GRADED


def test_what_was_erased_is_refused_with_a_sentence_and_listed_no_more(people, course, operator, client):
    kept, erased = given_up(people["owner"], course), given_up(people["classmate"], course)
    erase_account(people["classmate"], proof=people["classmate"].username)

    with pytest.raises(RegradeImpossibleError, match=f"{erased.submission.receipt} was erased"):
        requeue([kept.pk, erased.pk], actor=operator)
    client.force_login(operator)
    answer = client.post(reverse("teach:requeue"), {"grading": [erased.pk]}, follow=True)

    assert "nothing is left that could be judged anew" in answer.content.decode()
    assert not Grading.objects.filter(state=State.QUEUED).exists()
    assert list(faults_lately(at=kept.finished_at)) == [kept]


def test_staff_of_a_course_alone_may_not(people, course):
    grading = given_up(people["owner"], course)

    with pytest.raises(NotAllowedError, match="run this site"):
        requeue([grading.pk], actor=people["teacher"])
    assert Grading.objects.get(pk=grading.pk).state == State.GRADED


def test_what_staff_try_out_is_no_fault_to_look_at(people, course, operator):
    grading = given_up(people["owner"], course)
    Grading.objects.filter(pk=grading.pk).update(reason=Reason.DRY_RUN)

    assert not faults_lately(at=grading.finished_at).exists()
    assert requeue([grading.pk], actor=operator) == 0
