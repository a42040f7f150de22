from pathlib import Path

import pytest

from exercises.content.course import read_course
from exercises.content.kinds.known import unknown_fields

COURSES = Path(__file__).parents[3] / "exercises" / "courses"
CODE = {"kind": "code", "title": "Double", "prompt": "Write it.", "entry": "double"}


@pytest.mark.parametrize("folder", sorted(COURSES.iterdir()), ids=lambda folder: folder.name)
def test_exercises_that_ship_are_known(folder):
    exercises = read_course(folder).exercises

    assert {exercise.slug: unknown_fields(exercise.definition["exercise"]) for exercise in exercises} == {
        exercise.slug: [] for exercise in exercises
    }


@pytest.mark.parametrize(
    ("changes", "unknown"),
    [
        ({}, []),
        ({"kind": "quantum"}, ["kind"]),
        ({"format": 2}, ["format"]),
        ({"tempo": 3}, ["tempo"]),
        ({"compare": {"mood": 1}}, ["compare.mood"]),
        ({"properties": [{"property": "shines(output)"}]}, ["properties.0.property"]),
        ({"properties": [{"property": "sums_to(output, 1, dim=-1)"}]}, []),
        # Wrong, and no sign of a later release.
        ({"draws": 1000, "title": ""}, []),
    ],
)
def test_what_is_not_known_is_named(changes, unknown):
    assert unknown_fields({**CODE, **changes}) == unknown
