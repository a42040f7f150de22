"""What authors begin from is sound."""

import pytest

from exercises.content import read_course_files, read_exercise_files
from exercises.content.beginning import beginning_of, new_course_files
from exercises.content.kinds import KINDS
from worker.checking.exercise import check_read_exercise
from worker.checking.lessons import lesson_findings


@pytest.mark.sandbox
@pytest.mark.parametrize("kind", KINDS)
def test_beginning_is_sound_without_a_remark(runner, kind):
    read = read_exercise_files("an-exercise", beginning_of(kind))

    report = check_read_exercise(read, runner, required_score=0.95, tell=lambda doing: None)

    assert [str(finding) for finding in report.findings] == []


@pytest.mark.sandbox
def test_first_lesson_does_what_it_says(runner):
    (lesson,) = read_course_files("a-course", new_course_files("A course")).lessons

    assert list(lesson_findings(lesson, runner)) == []
    assert len(lesson.checks) == 1


def test_unknown_kind_has_no_beginning():
    with pytest.raises(KeyError):
        beginning_of("essay")
