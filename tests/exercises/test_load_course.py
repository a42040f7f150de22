import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from exercises.choices import AuditAction
from exercises.content import read_exercise
from exercises.content.folders import read_folder
from exercises.content.zips import write_zip
from exercises.models import AuditEntry, Certificate, Course, Exercise, ExerciseVersion, Lesson
from tests.exercises.content.folders import CHOICE, COURSE, NUMERIC, write, write_course

pytestmark = pytest.mark.django_db


def load(folder, **options):
    printed = StringIO()
    call_command("load_course", folder, stdout=printed, **options)
    return printed.getvalue().splitlines()


def changes_in(printed):
    """What was printed but for what is not proven."""
    return [line for line in printed if not line.startswith("!")]


def test_a_folder_becomes_a_course(tmp_path):
    printed = load(write_course(tmp_path))

    assert printed == [
        "A course (a-course)",
        "+ lesson first: added",
        "+ exercise which-one: added",
        "! exercise which-one is not proven sound: it has no certificate (check_exercise --write-certificates)",
    ]
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

    assert changes_in(printed) == [
        "A course (a-course)",
        "  lesson first: unchanged",
        "  exercise which-one: unchanged",
    ]
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

    assert changes_in(printed)[2:] == [
        "~ exercise which-one: changed",
        "+ exercise new: added",
        "- exercise old: retired",
    ]
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


def certificate(folder, **fields):
    """The file that proves the exercise of the sound course sound."""
    read = read_exercise(folder / "exercises" / "which-one")
    written = {"grading_hash": read.grading_hash, "checked_at": "2026-11-29T12:00:00Z", **fields}
    return {"exercises/which-one/certificate.json": json.dumps(written)}


def test_certificate_of_the_folder_is_kept(tmp_path):
    folder = write_course(tmp_path)
    write(folder, certificate(folder, torch_version="2.9.0"))

    printed = load(folder, require_certificates=True)

    assert printed == ["A course (a-course)", "+ lesson first: added", "+ exercise which-one: added"]
    kept = Certificate.objects.get()
    assert (kept.exercise.slug, kept.grading_hash) == ("which-one", kept.exercise.published.grading_hash)
    assert (kept.torch_version, kept.mutation_score) == ("2.9.0", None)


def test_certificate_of_another_version_is_ignored_and_said_so(tmp_path):
    folder = write_course(tmp_path)
    write(folder, certificate(folder, grading_hash="0" * 64))

    printed = load(folder)

    assert printed[-1].endswith("--write-certificates) (certificate.json is of another version)")
    assert not Certificate.objects.exists()


def test_too_low_a_score_is_said(tmp_path):
    folder = write_course(tmp_path)
    write(folder, certificate(folder, mutation_score=0.5))

    assert load(folder)[-1] == (
        "! exercise which-one is not proven sound: its mutation score is 0.50, and the course asks for 0.9"
    )


def test_without_the_certificates_that_are_required_nothing_is_loaded(tmp_path):
    with pytest.raises(CommandError, match="Nothing was loaded.\n! exercise which-one is not proven sound"):
        load(write_course(tmp_path), require_certificates=True)

    assert not Course.objects.exists()


def test_a_zip_is_loaded_like_a_folder(tmp_path):
    folder = write_course(tmp_path)
    (tmp_path / "zipped-course.zip").write_bytes(write_zip(read_folder(folder).files))

    load(tmp_path / "zipped-course.zip")

    assert Course.objects.get().slug == "zipped-course"


def test_a_broken_zip_is_refused(tmp_path):
    (tmp_path / "a.zip").write_text("no zip")

    with pytest.raises(CommandError, match="expected a zip file, found something else"):
        load(tmp_path / "a.zip")


def test_what_was_loaded_is_on_record(tmp_path):
    folder = write_course(tmp_path)
    load(folder)
    load(folder)

    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor) == (AuditAction.COURSE_LOADED, None)
    assert entry.details == {"lessons": {"first": "added"}, "exercises": {"which-one": "added"}}
