"""The course that ships is sound, by the commands that judge everyone's."""

from pathlib import Path

import pytest

from worker.checking.course import check_course

COURSE = Path(__file__).parents[2] / "exercises" / "courses" / "attention"


@pytest.mark.sandbox
@pytest.mark.verify
@pytest.mark.timeout(600)
def test_shipped_course_is_sound(runner):
    report = check_course(COURSE, runner, tell=lambda doing: None)

    unsound = [str(finding) for exercise in report.exercises for finding in exercise.findings if not exercise.is_sound]
    scores = {exercise.slug: exercise.mutation.score for exercise in report.exercises if exercise.mutation}
    assert [str(finding) for finding in report.findings] + unsound == []
    assert report.is_sound
    assert min(scores.values()) >= 0.95
    assert len(scores) >= 12
