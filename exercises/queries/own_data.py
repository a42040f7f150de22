"""All that is kept about a person and is theirs to have, section by section, as JSON; read row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from django.db.models import Prefetch
from knox.models import AuthToken

from exercises.choices import RunKind
from exercises.models import (
    Activity,
    AssignmentStart,
    AuditEntry,
    CaseResult,
    Comment,
    Draft,
    Extension,
    Grading,
    Membership,
    Notice,
    Override,
    Question,
    Refusal,
    Reply,
    ReviewCard,
    Revision,
    Run,
    Submission,
    User,
)
from exercises.queries.encounters import Encounter
from exercises.queries.feedback import feedback_of, result_of
from exercises.queries.withheld import withheld_from

ROWS_AT_ONCE = 100
Row = Mapping[str, object]
OF_RUNS = ("stdout", "error", "value", "tensors", "cases")


def own_data(user: User) -> Iterator[tuple[str, Iterable[Row]]]:
    """The sections: a name, and its rows. Of gradings only what the person sees on pages: no more of hidden cases."""
    yield "profile", [_profile(user)]
    yield "memberships", _memberships(user)
    yield "submissions", _submissions(user)
    yield "refused_submissions", _refusals(user)
    yield "drafts", _drafts(user)
    yield "runs", _runs(user)
    yield "hints_and_solutions", _activities(user)
    yield "spaced_reviews", _spaced_reviews(user)
    yield "assignments", _assignments(user)
    yield "scores_by_hand", _overrides(user)
    yield "notices", Notice.objects.filter(user=user).values("text", "url", "created_at", "read_at").iterator()
    yield "questions", _questions(user)
    yield "replies", Reply.objects.filter(author=user).values("question", "text", "created_at").iterator()
    yield "comments", Comment.objects.filter(author=user).values("submission__receipt", "line", "text", "created_at")
    yield "api_tokens", AuthToken.objects.filter(user=user).values("created", "expiry")
    yield "authored", _authored(user)
    yield "acts_recorded", _acts(user)


def _profile(user: User) -> Row:
    names = ("username", "first_name", "last_name", "email", "issuer", "external_id", "date_joined", "last_login")
    return {name: getattr(user, name) for name in names}


def _memberships(user: User) -> Iterable[Row]:
    own = ("role", "section", "external_id", "extra_time_factor", "joined_at", "research_consent_at")
    rows: Iterable[Row] = Membership.objects.filter(user=user).values("course__slug", "course__title", *own)
    return rows


def _submissions(user: User) -> Iterator[Row]:
    in_force = Grading.objects.filter(in_force=True).prefetch_related("case_results")
    rows = Submission.objects.filter(student=user).select_related("exercise__course", "version", "assignment")
    withheld = withheld_from(user)
    met: dict[int, Encounter] = {}
    for row in rows.prefetch_related(Prefetch("gradings", in_force), "comments").order_by("pk").iterator(ROWS_AT_ONCE):
        here = met.setdefault(row.exercise_id, Encounter(user, row.exercise, withheld=withheld))
        is_hidden = withheld.hides(row.grading)
        said = [] if is_hidden else row.comments.all()
        yield {
            "receipt": row.receipt,
            "course": row.exercise.course.slug,
            "exercise": row.exercise.slug,
            "version": row.version.number,
            "assignment": row.assignment.slug if row.assignment else None,
            "handed_in_at": row.created_at,
            "is_counted": row.is_counted,
            "source": row.source,
            "response": row.response,
            "outcome": None if is_hidden else _outcome(row, user, here),
            "comments": [{"line": line.line, "text": line.text, "at": line.created_at} for line in said],
        }


def _outcome(submission: Submission, user: User, met: Encounter) -> Row:
    grading = submission.grading
    has_said = grading.feedback is not None
    content = feedback_of(grading, user, met=met) if has_said else {"feedback": None, "stdout": ""}
    return {
        "state": grading.state,
        "verdict": grading.verdict,
        "score": grading.score,
        "max_score": grading.max_score,
        "judged_at": grading.finished_at,
        "cpu_seconds": grading.cpu_seconds,
        "peak_memory_bytes": grading.peak_memory_bytes,
        "feedback": content["feedback"],
        "printed": content["stdout"],
        "cases": [_case(case) for case in grading.case_results.all()],
    }


def _case(case: CaseResult) -> Row:
    shown = {"name": case.name} if case.is_visible else {}
    return {**shown, "visible": case.is_visible, "verdict": case.verdict, "points": case.points}


def _refusals(user: User) -> Iterable[Row]:
    rows = Refusal.objects.filter(student=user)
    return rows.values("exercise__course__slug", "exercise__slug", "reason", "source", "response", "at").iterator()


def _drafts(user: User) -> Iterable[Row]:
    written = ("source", "response", "set_aside", "set_aside_response")
    rows = Draft.objects.filter(student=user).values("exercise__course__slug", "exercise__slug", *written, "saved_at")
    found: Iterable[Row] = rows.iterator()
    return found


def _runs(user: User) -> Iterator[Row]:
    for run in Run.objects.filter(student=user).exclude(kind=RunKind.JUDGED).order_by("pk").iterator(ROWS_AT_ONCE):
        result = result_of(run)
        yield {
            "kind": run.kind,
            "source": run.source,
            "queued_at": run.queued_at,
            "state": run.state,
            "verdict": run.verdict,
            "result": {name: result[name] for name in OF_RUNS if name in result},
        }


def _activities(user: User) -> Iterable[Row]:
    rows = Activity.objects.filter(student=user)
    return rows.values("exercise__course__slug", "exercise__slug", "kind", "number", "at").iterator()


def _spaced_reviews(user: User) -> Iterable[Row]:
    """Without those of exercises whose outcome is withheld: that there is one would tell."""
    rows = ReviewCard.objects.filter(student=user).exclude(exercise__in=withheld_from(user).exercises)
    return rows.values("exercise__course__slug", "exercise__slug", "due_at", "state", "created_at").iterator()


def _assignments(user: User) -> Iterator[Row]:
    dates = ("started_at", "ends_at", "handed_in_at")
    yield from AssignmentStart.objects.filter(student=user).values("assignment__slug", *dates)
    granted = ("due_at", "closes_at", "extra_attempts", "reason", "granted_at")
    yield from Extension.objects.filter(student=user).values("assignment__slug", *granted)


def _overrides(user: User) -> Iterator[Row]:
    """With their scores, but for those of assignments that withhold them: these stay with staff."""
    withheld = withheld_from(user).assignments
    for row in Override.objects.filter(student=user).select_related("exercise"):
        is_shown = row.assignment_id not in withheld
        score = {"score": row.score, "max_score": row.max_score, "reason": row.reason} if is_shown else {}
        yield {"exercise": row.exercise.slug, **score, "at": row.at, "withdrawn_at": row.withdrawn_at}


def _questions(user: User) -> Iterator[Row]:
    for question in Question.objects.filter(student=user).prefetch_related("replies").order_by("pk"):
        yield {
            "id": question.pk,
            "kind": question.kind,
            "text": question.text,
            "asked_at": question.asked_at,
            "answered_at": question.answered_at,
            "replies": [{"text": said.text, "at": said.created_at} for said in question.replies.all()],
        }


def _authored(user: User) -> Iterable[Row]:
    rows = Revision.objects.filter(saved_by=user)
    return rows.values("exercise__course__slug", "exercise__slug", "number", "saved_at").iterator()


def _acts(user: User) -> Iterable[Row]:
    return AuditEntry.objects.filter(actor=user).values("course__slug", "action", "target", "at").iterator()
