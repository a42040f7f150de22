from exercises.models.activity import Activity, Refusal, ReviewCard
from exercises.models.assignment import Assignment, AssignmentExercise, AssignmentStart, Extension, Override
from exercises.models.authoring import Certificate, Check, Revision
from exercises.models.conversation import Comment, Question, Reply
from exercises.models.course import Asset, Course, JoinLink, Lesson, LessonExercise, Membership
from exercises.models.exercise import CaseSet, Exercise, ExerciseVersion
from exercises.models.person import SignInLink, User
from exercises.models.record import AuditEntry, Notice
from exercises.models.regrade import Regrade
from exercises.models.run import Run
from exercises.models.submission import Attempt, BestScore, CaseResult, Draft, Grading, IdempotencyKey, Submission

__all__ = [
    "Activity",
    "Asset",
    "Assignment",
    "AssignmentExercise",
    "AssignmentStart",
    "Attempt",
    "AuditEntry",
    "BestScore",
    "CaseResult",
    "CaseSet",
    "Certificate",
    "Check",
    "Comment",
    "Course",
    "Draft",
    "Exercise",
    "ExerciseVersion",
    "Extension",
    "Grading",
    "IdempotencyKey",
    "JoinLink",
    "Lesson",
    "LessonExercise",
    "Membership",
    "Notice",
    "Override",
    "Question",
    "Refusal",
    "Regrade",
    "Reply",
    "ReviewCard",
    "Revision",
    "Run",
    "SignInLink",
    "Submission",
    "User",
]
