"""The verbs that change something. Each is atomic and raises an `ExerciseError` where it refuses."""

from exercises.services.case_sets import store_case_set
from exercises.services.claims import Claim, claim_next, renew_lease
from exercises.services.courses import CourseChanges, load_course
from exercises.services.drafts import save_draft
from exercises.services.faults import Swept, release, sweep
from exercises.services.hints import Solution, open_hint, view_solution
from exercises.services.links import (
    create_join_link,
    create_sign_in_link,
    join_course,
    redeem_sign_in_link,
    revoke_join_link,
)
from exercises.services.members import enrol, join_open_course
from exercises.services.outcomes import RunFacts, record_outcome, record_run
from exercises.services.regrades import apply_regrade, queue_regrade
from exercises.services.reviews import assess_own, review
from exercises.services.runs import start_run
from exercises.services.submit import submit

__all__ = [
    "Claim",
    "CourseChanges",
    "RunFacts",
    "Solution",
    "Swept",
    "apply_regrade",
    "assess_own",
    "claim_next",
    "create_join_link",
    "create_sign_in_link",
    "enrol",
    "join_course",
    "join_open_course",
    "load_course",
    "open_hint",
    "queue_regrade",
    "record_outcome",
    "record_run",
    "redeem_sign_in_link",
    "release",
    "renew_lease",
    "review",
    "revoke_join_link",
    "save_draft",
    "start_run",
    "store_case_set",
    "submit",
    "sweep",
    "view_solution",
]
