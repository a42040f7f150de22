"""Reads the folder format into validated values, and renders Markdown. No database; nothing is run."""

from exercises.content.course import mutation_score_for, read_course
from exercises.content.exercise import read_exercise
from exercises.content.problems import ContentError, Problem
from exercises.content.values import AssetFile, CourseFolder, ExerciseFolder, LessonFolder

__all__ = [
    "AssetFile",
    "ContentError",
    "CourseFolder",
    "ExerciseFolder",
    "LessonFolder",
    "Problem",
    "mutation_score_for",
    "read_course",
    "read_exercise",
]
