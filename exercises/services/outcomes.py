from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from exercises import live
from exercises.blobs import pack
from exercises.choices import Reason, State
from exercises.errors import BlobTooLargeError
from exercises.models import CaseResult, Exercise, Grading, Run
from exercises.services.attempts import give_back_attempt
from exercises.services.best_scores import refresh_best_score
from exercises.services.claims import Claim, held_grading, held_run
from exercises.services.spaced_reviews import note_outcome
from graders.outcomes import CaseOutcome, Outcome, Verdict

PRINTED_BYTES = 64 * 1024
FIELDS_FROM_FACTS = (
    "cpu_seconds",
    "wall_seconds",
    "peak_memory_bytes",
    "torch_version",
    "runner_version",
    "cpu_capability",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What the runner measured. `evidence` is for staff.

    `did_load` is false when the source did not compile, failed while loading or lacks its entry: no attempt, then.
    """

    cpu_seconds: float | None = None
    wall_seconds: float | None = None
    peak_memory_bytes: int | None = None
    torch_version: str = ""
    runner_version: str = ""
    cpu_capability: str = ""
    evidence: str = ""
    did_load: bool = True


NO_FACTS = RunFacts()


@transaction.atomic
def record_outcome(claim: Claim, outcome: Outcome, *, facts: RunFacts, printed: str = "") -> bool:
    """Write the final outcome of a claimed grading; False, and nothing changed, if the claim no longer holds.

    `printed` is what the student's code wrote while visible cases ran; 64 KiB of it are kept.
    """
    grading = held_grading(claim)
    if grading is None:
        return False
    write_outcome(grading, outcome, facts=facts, printed=printed)
    if not facts.did_load and grading.reason == Reason.FIRST:
        give_back_attempt(grading.submission_id, because="the source did not load")
    publish_after_commit(grading.topic)
    return True


@transaction.atomic
def record_run(claim: Claim, verdict: Verdict, *, result: dict[str, Any], facts: RunFacts) -> bool:
    """Write the result of a claimed run (printed text, error, value, tensors, cases); False if the claim is lost."""
    run = held_run(claim)
    if run is None:
        # Of a run that was cancelled nothing is heard, but its process is free again.
        Run.objects.filter(pk=claim.id, lease=claim.lease).update(lease="", lease_until=None)
        return False
    run.result = _packed({**result, "evidence": facts.evidence})
    finish(run, verdict, facts)
    run.save()
    publish_after_commit(run.topic)
    return True


def write_outcome(grading: Grading, outcome: Outcome, *, facts: RunFacts, printed: str = "") -> None:
    """Make the grading graded: its fields, its case results and, if it is in force, the best score."""
    grading.score, grading.max_score = outcome.score, outcome.max_score
    beside = {"stdout": _capped(printed), "evidence": facts.evidence, "hidden_case": outcome.hidden_case}
    grading.feedback = _packed({**outcome.to_json(), **beside})
    finish(grading, outcome.verdict, facts)
    grading.save()
    CaseResult.objects.bulk_create(_case_result(grading, *numbered) for numbered in enumerate(outcome.cases))
    if grading.in_force:
        follow_best_score(grading.student_id, grading.submission.exercise)
        note_outcome(grading, did_load=facts.did_load)


def take_over_outcome(grading: Grading, twin: Grading) -> None:
    """Give the grading the outcome of another one, which judged the same."""
    grading.score, grading.max_score, grading.feedback = twin.score, twin.max_score, twin.feedback
    grading.reviewer = twin.reviewer
    finish(grading, Verdict(twin.verdict), RunFacts(**{name: getattr(twin, name) for name in FIELDS_FROM_FACTS}))
    grading.save()
    cases = list(twin.case_results.all())
    for case in cases:
        case.pk, case.grading = None, grading
    CaseResult.objects.bulk_create(cases)
    follow_best_score(grading.student_id, grading.submission.exercise)


def follow_best_score(student_id: int, exercise: Exercise) -> None:
    """Make the student's best score what stands now; who watches the class hears of it."""
    refresh_best_score(student_id, exercise.pk)
    publish_after_commit(exercise.class_topic)


def finish(work: Run | Grading, verdict: Verdict, facts: RunFacts = NO_FACTS) -> None:
    """Mark the work as done and free of any claim; the caller saves it."""
    work.state = State.GRADED
    work.verdict = verdict
    work.finished_at = timezone.now()
    work.lease, work.lease_until = "", None
    for name in FIELDS_FROM_FACTS:
        setattr(work, name, getattr(facts, name))


def publish_after_commit(topic: str) -> None:
    """Once the transaction is through, tell whoever watches."""
    transaction.on_commit(partial(live.publish_changed, topic), robust=True)


def _case_result(grading: Grading, index: int, case: CaseOutcome) -> CaseResult:
    return CaseResult(
        grading=grading,
        index=index,
        name=case.name[:100],
        is_visible=case.visible,
        verdict=case.verdict,
        points=case.points,
        max_points=case.max_points,
        cause=case.feedback.cause[:100],
    )


def _packed(content: dict[str, Any]) -> bytes:
    """The blob of a result; of one that is too large without what is drawn of its cases, since a verdict must stand."""
    try:
        return pack(content)
    except BlobTooLargeError:
        cases = [{**case, "feedback": {**case["feedback"], "details": None}} for case in content.get("cases", ())]
        return pack({**content, "cases": cases, "hidden_case": None})


def _capped(text: str) -> str:
    return text.encode(errors="replace")[:PRINTED_BYTES].decode(errors="ignore")
