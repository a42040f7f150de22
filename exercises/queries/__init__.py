"""The reads that are worth a name. What a viewer may not see, they do not return."""

from exercises.queries.assignments import (
    AssignmentScore,
    ItemScore,
    assignment_for,
    assignment_score,
    assignments_of,
    clock_length,
    due_assignments,
    items_of,
)
from exercises.queries.attempts import attempts_by_exercise, attempts_left
from exercises.queries.case_sets import versions_without_cases, visible_cases
from exercises.queries.conversations import may_ask, question_for, questions_asked_by, questions_in
from exercises.queries.course_files import certificate_file, course_files, version_files
from exercises.queries.courses import (
    encounter_for,
    exercise_for,
    exercise_met_by,
    exercises_shown_to,
    is_staff_of,
    lesson_for,
    may_create_courses,
    open_courses,
    role_in,
    shown_exercises,
    taught_courses,
    teaches,
    visible_courses,
)
from exercises.queries.definitions import definition_of
from exercises.queries.encounters import Encounter
from exercises.queries.feedback import feedback_of, result_of
from exercises.queries.hints import hints_opened
from exercises.queries.notices import inbox, unread_notices
from exercises.queries.operations import faults_lately, finished_lately, running_work, waiting_work
from exercises.queries.own_data import own_data
from exercises.queries.progress import (
    CourseProgress,
    ExerciseProgress,
    LessonProgress,
    course_progress,
    exercises_under_review,
    progress,
)
from exercises.queries.questions import (
    asked_question,
    response_form,
    response_schema,
    response_seed,
    stated_prompt,
)
from exercises.queries.regrade_changes import RegradeChange, regrade_changes, regrade_summary
from exercises.queries.regrades import (
    RegradeProgress,
    latest_regrade,
    regrade_due,
    regrade_progress,
    regrades_under_way,
)
from exercises.queries.reveals import hand_ins_to_hidden_case, is_over_for, may_see_hidden_case
from exercises.queries.search import Hit, search
from exercises.queries.solutions import SolutionAccess, has_given_up, may_view_solution, solution_access
from exercises.queries.soundness import certificate_for, latest_check, open_check
from exercises.queries.spaced_reviews import SpacedReviews, review_card, spaced_reviews
from exercises.queries.submissions import (
    attempts_among,
    best_score_of,
    queue_place,
    run_for,
    run_place,
    submission_for,
    submissions_of,
)
from exercises.queries.terms import BY_ITSELF, Terms, assignments_with, terms_of
from exercises.queries.versions import is_corrected_since, last_met_version
from exercises.queries.windows import Window, window_of, windows_of
from exercises.queries.working_copies import difference, files_of, head_of, history_of, problems_of, read_working_copy

__all__ = [
    "BY_ITSELF",
    "AssignmentScore",
    "CourseProgress",
    "Encounter",
    "ExerciseProgress",
    "Hit",
    "ItemScore",
    "LessonProgress",
    "RegradeChange",
    "RegradeProgress",
    "SolutionAccess",
    "SpacedReviews",
    "Terms",
    "Window",
    "asked_question",
    "assignment_for",
    "assignment_score",
    "assignments_of",
    "assignments_with",
    "attempts_among",
    "attempts_by_exercise",
    "attempts_left",
    "best_score_of",
    "certificate_file",
    "certificate_for",
    "clock_length",
    "course_files",
    "course_progress",
    "definition_of",
    "difference",
    "due_assignments",
    "encounter_for",
    "exercise_for",
    "exercise_met_by",
    "exercises_shown_to",
    "exercises_under_review",
    "faults_lately",
    "feedback_of",
    "files_of",
    "finished_lately",
    "hand_ins_to_hidden_case",
    "has_given_up",
    "head_of",
    "hints_opened",
    "history_of",
    "inbox",
    "is_corrected_since",
    "is_over_for",
    "is_staff_of",
    "items_of",
    "last_met_version",
    "latest_check",
    "latest_regrade",
    "lesson_for",
    "may_ask",
    "may_create_courses",
    "may_see_hidden_case",
    "may_view_solution",
    "open_check",
    "open_courses",
    "own_data",
    "problems_of",
    "progress",
    "question_for",
    "questions_asked_by",
    "questions_in",
    "queue_place",
    "read_working_copy",
    "regrade_changes",
    "regrade_due",
    "regrade_progress",
    "regrade_summary",
    "regrades_under_way",
    "response_form",
    "response_schema",
    "response_seed",
    "result_of",
    "review_card",
    "role_in",
    "run_for",
    "run_place",
    "running_work",
    "search",
    "shown_exercises",
    "solution_access",
    "spaced_reviews",
    "stated_prompt",
    "submission_for",
    "submissions_of",
    "taught_courses",
    "teaches",
    "terms_of",
    "unread_notices",
    "version_files",
    "versions_without_cases",
    "visible_cases",
    "visible_courses",
    "waiting_work",
    "window_of",
    "windows_of",
]
