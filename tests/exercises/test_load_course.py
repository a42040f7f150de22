from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from exercises.models import Course, Exercise, ExerciseVersion, Lesson
from tests.exercises.content.folders import CHOICE, COURSE, NUMERIC, write, write_course

pytestmark = pytest.mark.django_db


def load(folder):
    printed = StringIO()
    call_command("load_course", folder, stdout=printed)
    return printed.getvalue().splitlines()


def test_a_folder_becomes_a_course(tmp_path):
    printed = load(write_course(tmp_path))

    assert printed == ["A course (a-course)", "+ lesson first: added", "+ exercise which-one: added"]
    course = Course.objects.get()
    assert (course.slug, course.title, course.self_paced) == ("a-course", "A course", False)
    lesson = Lesson.objects.get()
    assert [embedding.exercise.slug for embedding in lesson.embedded.all()] == ["which-one"]
    version = Exercise.objects.get().published
    assert (version.kind, version.title, version.definition["exercise"]["points"]) == ("choice", "Which one", 1.0)


def test_loading_again_changes_nothing(tmp_path):
    folder = write_course(tmp_path)
    load(folder)

    printed = load(folder)

    assert printed == ["A course (a-course)", "  lesson first: unchanged", "  exercise which-one: unchanged"]
    assert ExerciseVersion.objects.count() == 1


def test_what_changed_is_told(tmp_path):
    folder = write_course(tmp_path, **{"exercises/old/exercise.yaml": NUMERIC})
    load(folder)
    write(
        folder,
        {
            "exercises/which-one/exercise.yaml": CHOICE.replace("Choose.", "Choose one."),
            "exercises/old/exercise.yaml": None,
            "exercises/new/exercise.yaml": NUMERIC,
        },
    )
    (folder / "exercises" / "old").rmdir()

    printed = load(folder)

    assert printed[2:] == ["~ exercise which-one: changed", "+ exercise new: added", "- exercise old: retired"]
    assert ExerciseVersion.objects.filter(exercise__slug="which-one").count() == 2


def test_an_unsound_folder_is_refused_whole(tmp_path):
    folder = write_course(tmp_path)
    load(folder)
    write(folder, {"course.yaml": COURSE.replace("A course", "Another") + "colour: red\n", "lessons/first.md": "x"})

    with pytest.raises(CommandError) as caught:
        load(folder)

    lines = str(caught.value).splitlines()
    assert lines[0] == f"2 problems in {folder}, nothing was loaded."
    assert [line.split(":")[0] for line in lines[1:]] == [
        "course.yaml, line 3, `colour`",
        "lessons/first.md, line 1",
    ]
    assert caught.value.returncode == 1
    assert Course.objects.get().title == "A course"


def test_one_problem_is_one(tmp_path):
    with pytest.raises(CommandError, match="^1 problem in "):
        load(tmp_path / "nowhere")
