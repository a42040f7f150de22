"""Reads and writes the folder format as validated values, and renders Markdown. No database; nothing is run."""

from exercises.content.certificate import CERTIFICATE_FILE, write_certificate
from exercises.content.course import mutation_score_for, read_course, read_course_files
from exercises.content.exercise import read_exercise, read_exercise_files
from exercises.content.problems import ContentError, Problem
from exercises.content.values import AssetFile, CertificateFile, CourseFolder, ExerciseFolder, LessonFolder

__all__ = [
    "CERTIFICATE_FILE",
    "AssetFile",
    "CertificateFile",
    "ContentError",
    "CourseFolder",
    "ExerciseFolder",
    "LessonFolder",
    "Problem",
    "mutation_score_for",
    "read_course",
    "read_course_files",
    "read_exercise",
    "read_exercise_files",
    "write_certificate",
]
