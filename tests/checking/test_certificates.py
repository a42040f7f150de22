"""Certificates that a check writes beside exercises."""

import json
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
import time_machine
from django.core.management import CommandError, call_command

from exercises.content import read_exercise
from tests.exercises.content.folders import CHOICE, NUMERIC, write, write_course
from worker.checking import command
from worker.checking.certificates import certificate_of, put_certificate
from worker.checking.findings import Check, ExerciseReport, Finding, Mutant, MutationScore

HASH = "a" * 64
MOMENT = datetime(2026, 11, 29, 12, tzinfo=UTC)
SOUND = CHOICE + "explanation: This.\n"


def mutant(fate):
    return Mutant(operator="x", line=1, change="a → b", diff="", fate=fate)


def report(*fates, findings=()):
    mutation = MutationScore(mutants=tuple(map(mutant, fates)), required=0.9, seconds=1.0) if fates else None
    return ExerciseReport(slug="one", grading_hash=HASH, mutation=mutation, findings=findings)


REFUSED = Finding(check=Check.MISTAKES, message="a mistake is accepted")


@pytest.fixture
def no_runner(monkeypatch):
    @contextmanager
    def any_runner(socket):
        yield None

    monkeypatch.setattr(command, "any_runner", any_runner)


def written(folder):
    return json.loads((folder / "certificate.json").read_text())


def test_certificate_says_what_was_found():
    made = certificate_of(report("killed", "killed", "survived", "broken", "equivalent"), "2.9.0", at=MOMENT)

    assert made.model_dump(mode="json") == {
        "format": 1,
        "grading_hash": HASH,
        "mutation_score": 0.6667,
        "mutants": {"killed": 2, "survived": 1, "broken": 1, "equivalent": 1},
        "torch_version": "2.9.0",
        "checked_at": "2026-11-29T12:00:00Z",
    }


def test_certificate_of_a_question_names_no_torch():
    made = certificate_of(report(), "2.9.0", at=MOMENT)

    assert (made.mutation_score, made.mutants, made.torch_version) == (None, {}, "")


def test_certificate_that_says_the_same_stays(tmp_path):
    with time_machine.travel(MOMENT, tick=False):
        first = put_certificate(tmp_path, report("killed"), torch_version="2.9.0")

    assert first == "written"
    assert put_certificate(tmp_path, report("killed"), torch_version="2.9.0") == "kept"
    assert written(tmp_path)["checked_at"] == "2026-11-29T12:00:00Z"
    assert put_certificate(tmp_path, report("killed"), torch_version="3.0.0") == "written"


def test_what_is_not_proven_loses_its_certificate(tmp_path):
    put_certificate(tmp_path, report("killed"), torch_version="2.9.0")

    assert put_certificate(tmp_path, report("killed", findings=(REFUSED,)), torch_version="2.9.0") == "removed"
    assert put_certificate(tmp_path, report("killed", findings=(REFUSED,)), torch_version="2.9.0") == "none"
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_certificate_is_written_over(tmp_path):
    (tmp_path / "certificate.json").write_text("{}")

    assert put_certificate(tmp_path, report("killed"), torch_version="2.9.0") == "written"


def test_command_writes_the_certificate_of_an_exercise(tmp_path, no_runner, capsys):
    folder = write(tmp_path / "which-one", {"exercise.yaml": SOUND})

    call_command("check_exercise", folder, write_certificates=True)

    assert "certificate of which-one: written" in capsys.readouterr().err
    read = read_exercise(folder)
    assert read.certificate.grading_hash == read.grading_hash


def test_command_writes_the_certificates_of_a_course(tmp_path, no_runner, capsys):
    files = {"exercises/which-one/exercise.yaml": SOUND, "exercises/other/exercise.yaml": NUMERIC}
    folder = write_course(
        tmp_path,
        **files,
        **{
            "exercises/other/certificate.json": json.dumps({"grading_hash": HASH, "checked_at": "2026-11-29T12:00:00Z"})
        },
    )

    with pytest.raises(SystemExit):
        call_command("check_course", folder, write_certificates=True)

    assert capsys.readouterr().err.splitlines() == [
        "certificate of which-one: written",
        "certificate of other: removed",
    ]
    assert written(folder / "exercises" / "which-one")["mutation_score"] is None
    assert not (folder / "exercises" / "other" / "certificate.json").exists()


def test_without_the_option_nothing_is_written(tmp_path, no_runner):
    folder = write(tmp_path / "which-one", {"exercise.yaml": SOUND})

    call_command("check_exercise", folder)

    assert [path.name for path in folder.iterdir()] == ["exercise.yaml"]


def test_place_that_cannot_be_written_is_told(tmp_path, no_runner, monkeypatch):
    def refuse(*args, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(command, "put_certificate", refuse)

    with pytest.raises(CommandError, match="A certificate cannot be written"):
        call_command("check_exercise", write(tmp_path / "one", {"exercise.yaml": SOUND}), write_certificates=True)
