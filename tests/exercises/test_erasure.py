"""An account that was erased: nothing of its person is left in any table, and the course's scores stand."""

from decimal import Decimal

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.sessions.models import Session
from django.test import Client
from knox.models import AuthToken

from exercises.blobs import unpack
from exercises.choices import AuditAction, Kind, Role, RunKind, State
from exercises.errors import InvalidFieldError, NotAllowedError
from exercises.models import Assignment, BestScore, Comment, Extension, Grading, Override, Question, Reply, Submission
from exercises.queries import regrade_due
from exercises.queries.classes import Picked, all_rows
from exercises.services import (
    RunFacts,
    ask,
    claim_next,
    create_sign_in_link,
    erase_account,
    grant_extension,
    open_hint,
    preview_regrade,
    record_action,
    record_outcome,
    record_run,
    reply,
    review,
    save_draft,
    set_extra_time,
    submit,
    tell,
)
from exercises.services.overrides import set_override
from exercises.services.roster import change_member, remove_member
from exercises.services.spaced_reviews import plan_review
from graders.outcomes import Feedback, Verdict
from tests.factories import (
    make_course,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    make_run,
    make_submission,
    make_user,
    publish_version,
)

pytestmark = pytest.mark.django_db
CANARY = "canary-5b1e"
PASSWORD = f"{CANARY} password"


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def teacher(course):
    return make_member(course, role=Role.INSTRUCTOR)


@pytest.fixture
def student(course, teacher):
    """A student with the canary in all that is theirs."""
    student = make_member(
        course,
        username=f"{CANARY}-name",
        first_name=f"{CANARY} first",
        last_name=f"{CANARY} last",
        email=f"{CANARY}@example.org",
        issuer=f"{CANARY} issuer",
        external_id=f"{CANARY} id",
        password=PASSWORD,
    )
    course.memberships.filter(user=student).update(
        section=f"{CANARY} section", external_id=f"{CANARY} roster", extra_time_factor=Decimal("1.5")
    )
    plant_work(student, course)
    plant_words(student, course, teacher)
    plant_account(student, course, teacher)
    return student


def plant_work(student, course):
    code = make_exercise(course, definition={"hints": ["one"]})
    told = make_outcome(feedback=Feedback(summary=f"{CANARY} summary"), hidden_case={"expected": CANARY})
    facts = RunFacts(evidence=f"{CANARY} evidence")
    make_graded(student, code, source=f"# {CANARY}\n", outcome=told, facts=facts, printed=f"{CANARY} printed")
    submit(student, make_exercise(course, kind=Kind.TEXT), response=f"{CANARY} response")
    submit(student, make_exercise(course, kind=Kind.EXPLAIN), response=f"{CANARY} waits")
    save_draft(student, code, source=f"# {CANARY} draft\n", revision=0)
    student.drafts.update(set_aside=f"{CANARY} set aside")
    open_hint(student, code, number=1)
    plan_review(student, code)
    student.review_cards.update(state={"word": CANARY})
    student.refusals.create(exercise=code, reason="closed", source=CANARY, response=CANARY)
    make_run(student=student, source=f"# {CANARY} run\n")
    record_run(claim_next("test"), Verdict.ACCEPTED, result={"stdout": CANARY}, facts=RunFacts(evidence=CANARY))
    assignment = Assignment.objects.create(course=course, title="First", slug="first")
    Extension.objects.create(assignment=assignment, student=student, extra_attempts=1, reason=f"{CANARY} ill")
    Override.objects.create(student=student, exercise=code, score=3, max_score=4, reason=f"{CANARY} reason")


def plant_words(student, course, teacher):
    submission = student.submissions.last()
    question = ask(student, submission, kind="question", text=f"{CANARY} question")
    reply(question, author=student, text=f"{CANARY} more")
    reply(question, author=teacher, text=f"You wrote {CANARY}.")
    submission.comments.create(author=teacher, text=f"Here {CANARY} stands.")
    copied = {"submission": submission, "version": submission.version, "source": f"# {CANARY} copied\n"}
    make_run(student=teacher, kind=RunKind.JUDGED, state=State.GRADED, verdict=Verdict.ACCEPTED, **copied)
    tell(student.pk, f"{CANARY} notice")


def plant_account(student, course, teacher):
    Client().force_login(student)
    AuthToken.objects.create(user=student)
    create_sign_in_link(student)
    EmailAddress.objects.create(user=student, email=student.email)
    details = {"student": student.username, "names": [str(student)], "kept": "so"}
    record_action(course, AuditAction.COURSE_CHANGED, actor=teacher, target="members", details=details)
    assignment = course.assignments.get()
    grant_extension(assignment, student=student, author=teacher, extra_attempts=2, reason=f"{CANARY} very ill")
    set_extra_time(course, student=student, author=teacher, factor=Decimal(2))


def places(word):
    """The columns of all tables in which the word stands; packed values are looked into."""
    found = set()
    for model in apps.get_models():
        for row in model._default_manager.values():
            found |= {f"{model.__name__}.{name}" for name, value in row.items() if word in _text(value)}
    return found


def _text(value):
    if isinstance(value, bytes | memoryview):
        return str(unpack(value))
    return str(value)


def test_canary_was_in_many_tables(student):
    """The control: were the search blind, it would find nothing afterwards either."""
    assert len(places(CANARY)) > 25
    assert {"Grading.feedback", "Submission.source", "Run.result", "AuditEntry.details"} <= places(CANARY)


def test_nothing_of_the_person_is_left(student, teacher):
    session = Session.objects.get()

    erase_account(student, proof=PASSWORD)

    assert places(CANARY) == set()
    assert not Session.objects.filter(pk=session.pk).exists()
    assert not AuthToken.objects.exists()
    student.refresh_from_db()
    assert student.username.startswith("erased-")
    assert (student.is_active, student.has_usable_password()) == (False, False)


def test_scores_of_the_course_stand_under_another_name(student, course):
    best = BestScore.objects.filter(student=student).count()
    verdicts = list(Grading.objects.filter(state=State.GRADED).values_list("verdict", "score").order_by("pk"))

    erase_account(student, proof=PASSWORD)

    student.refresh_from_db()
    assert BestScore.objects.filter(student=student).count() == best > 0
    assert list(Grading.objects.filter(state=State.GRADED).values_list("verdict", "score").order_by("pk")) == verdicts
    assert [row.student for row in all_rows(course, Picked(), [])] == [student]
    assert Override.objects.get().score == 3
    assert Extension.objects.get().extra_attempts == 2
    assert all(submission.is_erased for submission in Submission.objects.all())


def test_record_of_the_course_says_what_was_done_to_whom_by_the_new_name(student, course):
    erase_account(student, proof=PASSWORD)

    student.refresh_from_db()
    name = student.username
    assert list(course.audit_entries.values_list("target", "details").order_by("pk")) == [
        ("members", {"student": name, "names": [name], "kept": "so"}),
        (f"first: {name}", {}),
        (name, {}),
    ]


def test_record_of_a_score_by_hand_names_the_person_no_longer(student, course, teacher):
    exercise = student.overrides.get().exercise
    set_override(exercise, student=student, author=teacher, score=Decimal(1), reason=f"{CANARY} cheated")

    erase_account(student, proof=PASSWORD)

    student.refresh_from_db()
    entry = course.audit_entries.get(action=AuditAction.OVERRIDE_SET)
    assert (entry.target, entry.details) == (f"{exercise.slug}: {student.username}", {})


def test_record_stands_of_what_is_called_like_the_person(course, teacher):
    student = make_member(course, username="four-tokens")
    details = {"version": 1, "reason": "good enough"}
    record_action(course, AuditAction.PUBLISHED, actor=teacher, target="four-tokens", details=details)

    erase_account(student, proof="four-tokens")

    assert course.audit_entries.values_list("target", "details").get() == ("four-tokens", details)


def test_record_names_no_longer_who_was_taken_out_of_the_course(course, teacher):
    student = make_member(course, username="ada", first_name=CANARY, last_name="Lind")
    set_extra_time(course, student=student, author=teacher, factor=Decimal(2))
    change_member(course.memberships.get(user=student), author=teacher, section=f"{CANARY} section")
    remove_member(course.memberships.get(user=student), author=teacher)

    erase_account(student, proof="ada")

    student.refresh_from_db()
    assert places(CANARY) == set()
    named = [student.username, *2 * [f"{course.slug}: {student.username}"]]
    assert list(course.audit_entries.values_list("target", "details").order_by("pk")) == [(name, {}) for name in named]


@pytest.mark.parametrize("name", [f"{CANARY}: Lind", f"{CANARY}{110 * 'a'}"])
def test_record_names_no_longer_whose_name_was_cut_or_holds_a_colon(course, teacher, name):
    student = make_member(course, username="ada", first_name=name, last_name=CANARY + 100 * "b")
    target = f"an-exercise: {student}"
    record_action(course, AuditAction.OVERRIDE_SET, actor=teacher, target=target, details={"reason": "ill"})

    erase_account(student, proof="ada")

    assert places(CANARY) == set()
    assert course.audit_entries.get().details == {}


def test_record_of_a_namesake_in_another_course_stands(course):
    """Else whoever can make an account could wipe what courses know of somebody, by taking the name."""
    student = make_member(course, username="ada", first_name="Ada", last_name="Lind")
    elsewhere = make_course()
    teacher = make_member(elsewhere, role=Role.INSTRUCTOR)
    other = make_member(elsewhere, first_name="Ada", last_name="Lind")
    set_extra_time(elsewhere, student=other, author=teacher, factor=Decimal(2))
    before = elsewhere.audit_entries.values_list("target", "details").get()

    erase_account(student, proof="ada")

    assert elsewhere.audit_entries.values_list("target", "details").get() == before


def test_record_of_a_self_paced_course_names_the_person_no_longer():
    course = make_course(self_paced=True)
    student = make_member(course, username=CANARY)
    set_extra_time(course, student=student, author=make_member(course, role=Role.INSTRUCTOR), factor=Decimal(2))

    erase_account(student, proof=CANARY)

    assert places(CANARY) == set()


def test_of_others_nothing_is_changed(student, course, teacher):
    other = make_member(course, first_name="Bo")
    kept = make_graded(other, make_exercise(course), source="mine = 1\n", printed="so it is")
    question = ask(other, kept, kind="question", text="Why?")
    others_client = Client()
    others_client.force_login(other)

    erase_account(student, proof=PASSWORD)

    other.refresh_from_db()
    kept.refresh_from_db()
    assert (other.first_name, kept.source) == ("Bo", "mine = 1\n")
    assert unpack(kept.grading.feedback)["stdout"] == "so it is"
    assert Question.objects.get() == question
    assert others_client.get("/progress/").status_code == 200


def test_work_that_waits_or_runs_is_given_up(course, teacher):
    student = make_member(course, password=PASSWORD)
    running = make_submission(student, make_exercise(course))
    claim = claim_next("test")

    erase_account(student, proof=PASSWORD)

    assert not record_outcome(claim, make_outcome(feedback=Feedback(summary=CANARY)), facts=RunFacts())
    assert running.gradings.get().state == State.SUPERSEDED
    assert claim_next("test") is None
    assert places(CANARY) == set()


def test_clock_that_runs_is_ended(student, course):
    course.assignments.get().starts.create(student=student)

    erase_account(student, proof=PASSWORD)

    assert student.assignment_starts.get().handed_in_at is not None


def test_regrade_leaves_out_what_was_erased(course, teacher):
    exercise = make_exercise(course)
    student, other = make_member(course, password=PASSWORD), make_member(course)
    for person in (student, other):
        make_graded(person, exercise)
    publish_version(exercise)
    regrade = preview_regrade(exercise, author=teacher)
    assert regrade.gradings.count() == 2

    erase_account(student, proof=PASSWORD)

    assert [grading.student for grading in regrade.gradings.all()] == [other]
    assert regrade_due(exercise) == 1


def test_in_a_course_without_staff_nothing_stays():
    exercise = make_exercise(make_course(self_paced=True))
    student = make_member(exercise.course, password=PASSWORD)
    make_graded(student, exercise)

    erase_account(student, proof=PASSWORD)

    assert not Submission.objects.exists()
    assert not BestScore.objects.exists()
    assert not exercise.course.memberships.exists()


@pytest.mark.parametrize("proof", ["", None, "wrong", f"{CANARY}-name"])
def test_wrong_password_changes_nothing(student, proof):
    before = places(CANARY)

    with pytest.raises(InvalidFieldError):
        erase_account(student, proof=proof)

    assert places(CANARY) == before


def test_without_a_password_the_user_name_is_the_proof():
    user = make_user(username="ada")
    with pytest.raises(InvalidFieldError):
        erase_account(user, proof="Ada")

    erase_account(user, proof="ada")

    assert not user.is_active


def test_only_instructor_cannot_leave_a_course_alone(course):
    only = make_member(course, role=Role.INSTRUCTOR, username="ines")
    gone = make_member(course, role=Role.INSTRUCTOR)
    gone.is_active = False
    gone.save()

    with pytest.raises(NotAllowedError, match=course.title):
        erase_account(only, proof="ines")

    only.refresh_from_db()
    assert only.username == "ines"


def test_what_staff_said_stays_with_those_they_said_it_to(course, teacher):
    assistant = make_member(course, role=Role.ASSISTANT, username="bo")
    student = make_member(course)
    submission = submit(student, make_exercise(course, kind=Kind.EXPLAIN), response="So.")
    submission.comments.create(author=assistant, text="Good.")
    reply(ask(student, submission, kind="question", text="Why?"), author=assistant, text="Because.")
    review(submission, reviewer=assistant, points={"Names the spread": 1, "Names the softmax": 1})

    erase_account(assistant, proof="bo")

    assert (Reply.objects.get().author, Reply.objects.get().text) == (None, "Because.")
    assert Comment.objects.get().author is None
    assert submission.gradings.get().score == 2
    assert not course.memberships.filter(user=assistant).exists()
