"""Commands that make folders: a new course, a new exercise, schemas, an export."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from exercises.content import read_course, read_course_files, read_exercise
from exercises.content.folders import read_folder
from exercises.content.kinds import KINDS
from exercises.content.schemas import schema_of
from exercises.content.zips import read_zip
from exercises.models import Exercise, Revision
from exercises.services import load_course
from tests.exercises.content.folders import CHOICE, COURSE, LESSON, NUMERIC, write

PLAIN = {
    "course.yaml": COURSE.encode(),
    "lessons/first.md": LESSON.encode(),
    "exercises/which-one/exercise.yaml": CHOICE.encode(),
    "exercises/other/exercise.yaml": NUMERIC.encode(),
}


def run(*arguments, **options):
    printed = StringIO()
    call_command(*arguments, stdout=printed, **options)
    return printed.getvalue()


@pytest.fixture
def course(db):
    return load_course(read_course_files("a-course", PLAIN)).course


def test_new_course_can_be_read(tmp_path):
    folder = tmp_path / "first-course"

    printed = run("new_course", folder)

    read = read_course(folder)
    assert (read.slug, read.title, len(read.lessons), len(read.exercises)) == ("first-course", "First course", 1, 2)
    assert f"+ {folder}/course.yaml" in printed.splitlines()
    assert (
        (folder / "course.yaml")
        .read_text()
        .startswith("# yaml-language-server: $schema=.schema/course.json\ntitle: First course\n")
    )
    assert json.loads((folder / ".schema" / "exercise.json").read_text()) == schema_of("exercise")


def test_new_course_has_the_title_that_is_given(tmp_path):
    run("new_course", tmp_path / "one", title="Yes: no")

    assert read_course(tmp_path / "one").title == "Yes: no"


@pytest.mark.parametrize("kind", KINDS)
def test_new_exercise_can_be_read(tmp_path, kind):
    folder = tmp_path / "a-course" / "exercises" / "new-one"

    run("new_exercise", folder, kind=kind)

    assert read_exercise(folder).kind == kind
    assert (folder / ".schema" / "exercise.json").is_file()


def test_new_exercise_in_a_course_uses_its_schemas(tmp_path):
    run("new_course", tmp_path / "a-course")
    folder = tmp_path / "a-course" / "exercises" / "new-one"

    printed = run("new_exercise", folder, kind="choice")

    line = (folder / "exercise.yaml").read_text().splitlines()[0]
    assert line == "# yaml-language-server: $schema=../../.schema/exercise.json"
    assert not (folder / ".schema").exists()
    assert "::: exercise new-one" in printed
    assert len(read_course(tmp_path / "a-course").exercises) == 3


@pytest.mark.parametrize("command", [("new_course",), ("new_exercise", "--kind=choice")])
def test_what_is_there_is_not_written_over(tmp_path, command):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "notes.txt").write_text("mine")

    with pytest.raises(CommandError, match="is in use already"):
        run(*command, str(tmp_path / "a"))

    assert [path.name for path in (tmp_path / "a").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("command", [("new_course",), ("new_exercise", "--kind=choice")])
def test_name_that_is_no_slug_is_refused(tmp_path, command):
    with pytest.raises(CommandError, match='expected small letters, digits and single hyphens, found "My course"'):
        run(*command, str(tmp_path / "My course"))


@pytest.mark.parametrize("command", [("new_course",), ("new_exercise", "--kind=choice"), ("exercise_schema",)])
def test_folder_that_cannot_be_made_is_refused(tmp_path, command):
    (tmp_path / "a").write_text("a file")

    with pytest.raises(CommandError):
        run(*command, str(tmp_path / "a" / "b"))


def test_unknown_kind_is_refused(tmp_path):
    with pytest.raises(CommandError, match="invalid choice"):
        run("new_exercise", str(tmp_path / "a"), "--kind=essay")


def test_schemas_are_printed_and_written(tmp_path):
    assert json.loads(run("exercise_schema")) == schema_of("exercise")
    assert json.loads(run("exercise_schema", course=True)) == schema_of("course")

    run("exercise_schema", tmp_path / "schemas")

    assert json.loads((tmp_path / "schemas" / "course.json").read_text()) == schema_of("course")


def test_course_is_exported_into_a_folder(course, tmp_path):
    printed = run("export_course", "a-course", tmp_path / "out" / "a-course")

    assert printed == f"A course (a-course): 4 files in {tmp_path}/out/a-course\n"
    assert read_folder(tmp_path / "out" / "a-course").files == PLAIN


def test_course_is_exported_as_a_zip(course, tmp_path):
    run("export_course", "a-course", tmp_path / "a.zip")
    run("export_course", "a-course", tmp_path / "b.zip")

    with (tmp_path / "a.zip").open("rb") as file:
        assert read_zip(file) == PLAIN
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_working_copies_are_exported(course, tmp_path):
    other = Exercise.objects.get(slug="other")
    Revision.objects.create(exercise=other, number=9, files={"exercise.yaml": CHOICE})

    run("export_course", "a-course", tmp_path / "out", working_copies=True)

    assert (tmp_path / "out" / "exercises" / "other" / "exercise.yaml").read_text() == CHOICE


def test_export_into_a_folder_in_use_is_refused(course, tmp_path):
    write(tmp_path / "out", {"notes.txt": "mine"})

    with pytest.raises(CommandError, match="is in use already. Name a new folder, or give --update"):
        run("export_course", "a-course", tmp_path / "out")
    with pytest.raises(CommandError, match="holds something else than a course"):
        run("export_course", "a-course", tmp_path / "out", update=True)

    assert [path.name for path in (tmp_path / "out").iterdir()] == ["notes.txt"]


def test_export_updates_a_folder(course, tmp_path):
    folder = tmp_path / "out"
    run("export_course", "a-course", folder)
    write(
        folder, {"README.md": "mine", ".git/config": "mine", "exercises/gone/data/a.txt": "x", "lessons/first.md": "y"}
    )

    printed = run("export_course", "a-course", folder, update=True)

    assert printed.splitlines()[0] == "- exercises/gone/data/a.txt"
    assert read_folder(folder).files == PLAIN
    assert not (folder / "exercises" / "gone").exists()
    assert ((folder / "README.md").read_text(), (folder / ".git" / "config").read_text()) == ("mine", "mine")


def test_export_follows_no_link(course, tmp_path):
    folder = write(tmp_path / "out", {"course.yaml": COURSE})
    (tmp_path / "elsewhere").mkdir()
    (folder / "lessons").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(CommandError, match="lessons is a link"):
        run("export_course", "a-course", folder, update=True)

    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_unknown_course_is_named_with_the_known(course, tmp_path):
    with pytest.raises(CommandError, match="There is no course 'other'. There are: a-course."):
        run("export_course", "other", tmp_path / "out")


def test_export_to_where_nothing_can_be_written_is_refused(course, tmp_path):
    with pytest.raises(CommandError, match="No such file"):
        run("export_course", "a-course", tmp_path / "nowhere" / "a.zip")
