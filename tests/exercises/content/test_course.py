# ruff: noqa: E501  (messages stand whole, as authors see them)
import pytest

from exercises.content import mutation_score_for, read_course
from tests.exercises.content.folders import (
    CHOICE,
    COURSE,
    LESSON,
    NUMERIC,
    SOUND,
    problems_of_course,
    write,
    write_course,
)

SLUG = "expected small letters, digits and single hyphens, found"
PLAIN_LESSON = "---\ntitle: Second\n---\nText.\n"


def test_a_sound_course(tmp_path):
    course = read_course(write_course(tmp_path))

    assert (course.slug, course.title, course.summary, course.self_paced, course.time_zone) == (
        "a-course",
        "A course",
        "",
        False,
        "UTC",
    )
    assert [lesson.slug for lesson in course.lessons] == ["first"]
    assert course.lessons[0].exercises == ("which-one",)
    assert [exercise.slug for exercise in course.exercises] == ["which-one"]
    assert course.assets == ()


def test_all_fields_of_a_course(tmp_path):
    yaml = COURSE + "format: 1\nsummary: Short.\nself_paced: true\ntime_zone: Europe/Berlin\n"

    course = read_course(write_course(tmp_path, **{"course.yaml": yaml}))

    assert (course.summary, course.self_paced, course.time_zone) == ("Short.", True, "Europe/Berlin")


def test_values_are_frozen(tmp_path):
    course = read_course(write_course(tmp_path))

    with pytest.raises(ValueError, match="frozen"):
        course.title = "Another"


def test_order_is_that_of_lessons_then_of_slugs(tmp_path):
    course = read_course(
        write_course(
            tmp_path,
            **{
                "course.yaml": "title: A course\nlessons: [second, first]\n",
                "lessons/second.md": PLAIN_LESSON + "\n::: exercise z-last\n",
                "exercises/z-last/exercise.yaml": NUMERIC,
                "exercises/b-alone/exercise.yaml": NUMERIC,
                "exercises/a-alone/exercise.yaml": NUMERIC,
            },
        )
    )

    assert [lesson.slug for lesson in course.lessons] == ["second", "first"]
    assert [exercise.slug for exercise in course.exercises] == ["z-last", "which-one", "a-alone", "b-alone"]


def test_a_lesson_and_an_exercise_may_share_a_slug(tmp_path):
    folder = write_course(tmp_path, **{"exercises/first/exercise.yaml": NUMERIC})

    assert problems_of_course(folder) == []


def test_read_me_and_licence_are_no_part_of_the_course(tmp_path):
    assert problems_of_course(write_course(tmp_path, **{"README.md": "x", "LICENSE": "x", ".git/config": "x"})) == []


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"course.yaml": None}, "course.yaml: expected this file, found none"),
        ({"course.yaml": "lessons: [first]"}, "course.yaml, line 1, `title`: expected this field, found none"),
        ({"course.yaml": "title: A"}, "course.yaml, line 1, `lessons`: expected this field, found none"),
        ({"course.yaml": "title: A\nlessons: first"}, 'course.yaml, line 2, `lessons`: expected a list, found the text "first"'),
        ({"course.yaml": "title: A\nlessons: [first]\nlessons: [first]"}, "course.yaml, line 3, `lessons`: given twice, first in line 2"),
        ({"course.yaml": "title: A\nlessons:\n  - first\n  - first"}, 'course.yaml, line 4, `lessons[2]`: the lesson "first" is listed twice, first in line 3'),
        ({"course.yaml": "title: A\nlessons: [first, other]"}, "course.yaml, line 2, `lessons[2]`: expected the file lessons/other.md, found none"),
        ({"course.yaml": "title: A\nlessons: [first, A B]"}, f'course.yaml, line 2, `lessons[2]`: {SLUG} "A B"'),
        ({"course.yaml": COURSE + "colour: red"}, "course.yaml, line 3, `colour`: unknown field; known here: format, title, summary, lessons, self_paced, time_zone, mutation_score"),
        ({"course.yaml": COURSE + "self_paced: 1"}, "course.yaml, line 3, `self_paced`: expected true or false, found the number 1"),
        ({"course.yaml": COURSE + "time_zone: Berlin"}, 'course.yaml, line 3, `time_zone`: expected a time zone such as Europe/Berlin, found the text "Berlin"'),
        ({"course.yaml": COURSE + "format: 2"}, "course.yaml, line 3, `format`: expected 1, found the number 2"),
        ({"course.yaml": "title: [A\n"}, "course.yaml, line 2: not YAML: expected ',' or ']', but got '<stream end>'"),
        ({"lessons/second.md": PLAIN_LESSON}, "lessons/second.md: expected this lesson under `lessons` in course.yaml, found it not listed"),
        ({"lessons/notes.txt": "x"}, "lessons/notes.txt: unknown; expected here: <slug>.md"),
        ({"lessons/A b.md": PLAIN_LESSON}, f'lessons/A b.md, `slug`: the file\'s name is the slug: {SLUG} "A b"'),
        ({"exercises/a.yaml": "x"}, "exercises/a.yaml: expected a folder, found a file"),
        ({"exercises/which-one/exercise.yaml": CHOICE + "x: 1"}, "exercises/which-one/exercise.yaml, line 10, `x`: unknown field; known here: format, kind, title, prompt, points, difficulty, tags, misconceptions, hints, explanation, parameters, options, multiple, shuffle, partial_credit"),
        ({"exercises/Other/exercise.yaml": NUMERIC}, f'exercises/Other, `slug`: the folder\'s name is the slug: {SLUG} "Other"'),
        ({"exercises/other/notes.txt": "x"}, "exercises/other/exercise.yaml: expected this file, found none"),
        ({"exercise/a/exercise.yaml": "x"}, "exercise: unknown; expected here: assets, course.yaml, exercises, lessons"),
        ({"exercises/which-one/exercise.yaml": None, "exercises/which-one/.keep": ""}, "exercises/which-one/exercise.yaml: expected this file, found none"),
    ],
)  # fmt: skip
def test_refused(tmp_path, files, problem):
    assert problem in problems_of_course(write_course(tmp_path, **files))


def test_a_linked_exercise_is_refused(tmp_path):
    folder = write_course(tmp_path)
    (folder / "exercises" / "linked").symlink_to(folder / "exercises" / "which-one")

    assert problems_of_course(folder) == ["exercises/linked: expected a folder, found a link"]


def test_an_unsound_exercise_is_not_reported_as_missing_too(tmp_path):
    found = problems_of_course(write_course(tmp_path, **{"exercises/which-one/exercise.yaml": "{}"}))

    assert [problem.split(":")[0] for problem in found] == ["exercises/which-one/exercise.yaml, line 1, `kind`"]


def test_problems_of_all_files_are_reported_at_once_in_order(tmp_path):
    folder = write_course(
        tmp_path,
        **{
            "course.yaml": "lessons: [first]\nx: 1\n",
            "lessons/first.md": LESSON + "\n::: exercise nowhere\n",
            "exercises/which-one/exercise.yaml": CHOICE + "y: 1\n",
            "assets/a.exe": "x",
        },
    )

    assert [problem.split(":")[0] for problem in problems_of_course(folder)] == [
        "assets/a.exe",
        "course.yaml, line 1, `title`",
        "course.yaml, line 2, `x`",
        "exercises/which-one/exercise.yaml, line 10, `y`",
        "lessons/first.md, line 9",
    ]


def test_the_name_of_the_folder_is_the_slug(tmp_path):
    folder = write(tmp_path / "My course", SOUND)

    assert problems_of_course(folder) == [f'My course, `slug`: the folder\'s name is the slug: {SLUG} "My course"']


def test_no_folder(tmp_path):
    assert problems_of_course(tmp_path / "nowhere") == ["nowhere: expected a course folder, found none"]


def test_mutation_score_is_what_the_course_around_an_exercise_asks(tmp_path):
    folder = write_course(tmp_path, **{"course.yaml": COURSE + "mutation_score: 0.75"})

    assert mutation_score_for(folder / "exercises" / "which-one") == 0.75
    assert mutation_score_for(tmp_path / "elsewhere" / "exercises" / "one") == 0.9
