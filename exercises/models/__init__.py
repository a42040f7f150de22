from exercises.models.activity import Activity, Refusal
from exercises.models.course import Asset, Course, JoinLink, Lesson, LessonExercise, Membership
from exercises.models.exercise import CaseSet, Exercise, ExerciseVersion
from exercises.models.person import SignInLink, User
from exercises.models.run import Run
from exercises.models.submission import Attempt, BestScore, CaseResult, Draft, Grading, IdempotencyKey, Submission

__all__ = [
    "Activity",
    "Asset",
    "Attempt",
    "BestScore",
    "CaseResult",
    "CaseSet",
    "Course",
    "Draft",
    "Exercise",
    "ExerciseVersion",
    "Grading",
    "IdempotencyKey",
    "JoinLink",
    "Lesson",
    "LessonExercise",
    "Membership",
    "Refusal",
    "Run",
    "SignInLink",
    "Submission",
    "User",
]
