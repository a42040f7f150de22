"""The verbs that change something. Each is atomic and raises an `ExerciseError` where it refuses."""

from exercises.services.arrangement import bring_back_exercise, move_exercise, move_lesson, retire_exercise
from exercises.services.assets import add_asset, remove_asset
from exercises.services.assignments import change_assignment, create_assignment, grant_extension, set_extra_time
from exercises.services.audit import record_action
from exercises.services.case_sets import store_case_set
from exercises.services.certificates import store_certificate
from exercises.services.checks import cancel_check, record_progress, record_report, start_check
from exercises.services.claims import Claim, claim_next, renew_lease
from exercises.services.clocks import finish_assignment, settle_clocks, start_assignment
from exercises.services.conversations import ask, close_question, reply
from exercises.services.course_making import change_course, create_course
from exercises.services.course_pushing import push_course, require_right_to_push
from exercises.services.courses import CourseChanges, load_course
from exercises.services.drafts import save_draft
from exercises.services.erasure import erase_account, proves_by_password
from exercises.services.faults import Swept, release, sweep
from exercises.services.hints import open_hint
from exercises.services.identities import Identity, person_of
from exercises.services.lessons import create_lesson, retire_lesson, save_lesson
from exercises.services.links import (
    create_join_link,
    create_sign_in_link,
    join_course,
    open_join_link,
    redeem_sign_in_link,
    revoke_join_link,
)
from exercises.services.mass_regrades import apply_regrade_of, cancel_regrade, continue_regrade, preview_regrade
from exercises.services.members import enrol, join_open_course
from exercises.services.notices import mark_read, tell
from exercises.services.outcomes import RunFacts, record_outcome, record_run
from exercises.services.publishing import cancel_schedule, publish, publish_due, schedule, unpublish
from exercises.services.regrades import apply_regrade, queue_regrade
from exercises.services.requeue import requeue
from exercises.services.reviews import assess_own, review
from exercises.services.revisions import create_exercise, duplicate_exercise, save_revision
from exercises.services.runs import start_run
from exercises.services.solutions import Solution, give_up, view_solution
from exercises.services.submit import submit, submit_review
from exercises.services.tokens import make_token, revoke_token
from exercises.services.trials import start_trial
from exercises.services.withdrawals import cancel_run, withdraw

__all__ = [
    "Claim",
    "CourseChanges",
    "Identity",
    "RunFacts",
    "Solution",
    "Swept",
    "add_asset",
    "apply_regrade",
    "apply_regrade_of",
    "ask",
    "assess_own",
    "bring_back_exercise",
    "cancel_check",
    "cancel_regrade",
    "cancel_run",
    "cancel_schedule",
    "change_assignment",
    "change_course",
    "claim_next",
    "close_question",
    "continue_regrade",
    "create_assignment",
    "create_course",
    "create_exercise",
    "create_join_link",
    "create_lesson",
    "create_sign_in_link",
    "duplicate_exercise",
    "enrol",
    "erase_account",
    "finish_assignment",
    "give_up",
    "grant_extension",
    "join_course",
    "join_open_course",
    "load_course",
    "make_token",
    "mark_read",
    "move_exercise",
    "move_lesson",
    "open_hint",
    "open_join_link",
    "person_of",
    "preview_regrade",
    "proves_by_password",
    "publish",
    "publish_due",
    "push_course",
    "queue_regrade",
    "record_action",
    "record_outcome",
    "record_progress",
    "record_report",
    "record_run",
    "redeem_sign_in_link",
    "release",
    "remove_asset",
    "renew_lease",
    "reply",
    "require_right_to_push",
    "retire_exercise",
    "retire_lesson",
    "review",
    "requeue",
    "revoke_join_link",
    "revoke_token",
    "save_draft",
    "save_lesson",
    "save_revision",
    "schedule",
    "set_extra_time",
    "settle_clocks",
    "start_assignment",
    "start_check",
    "start_run",
    "start_trial",
    "store_case_set",
    "store_certificate",
    "submit",
    "submit_review",
    "sweep",
    "tell",
    "unpublish",
    "view_solution",
    "withdraw",
]
