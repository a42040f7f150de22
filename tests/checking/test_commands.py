"""The two commands: exit status, report, JSON."""

import io
import json
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.exercises.content.folders import write_course
from worker.checking import command
from worker.sandbox.job import SandboxError

FOLDERS = Path(__file__).parent / "exercises"


class NoRunner:
    """Is asked for nothing: exercises that are answered by a response are checked without a sandbox."""


@pytest.fixture(autouse=True)
def no_runner(monkeypatch):
    @contextmanager
    def any_runner(socket):
        yield NoRunner()

    monkeypatch.setattr(command, "any_runner", any_runner)


def test_unsound_exercise_exits_with_one(capsys):
    with pytest.raises(SystemExit) as ended:
        call_command("check_exercise", FOLDERS / "guess-accepted")

    assert ended.value.code == 1
    printed = capsys.readouterr().out
    assert "guess-accepted  numeric  not sound" in printed
    assert "exercise.yaml: the guess 0 is accepted" in printed


def test_folder_that_cannot_be_read_is_a_report(capsys):
    with pytest.raises(SystemExit):
        call_command("check_exercise", FOLDERS / "tex-eaten", "--json")

    report = json.loads(capsys.readouterr().out)
    assert report["sound"] is False
    assert report["findings"][0]["line"] == 4


def test_sound_course_exits_with_nothing(tmp_path, capsys):
    choice = (
        "format: 1\nkind: choice\ntitle: Which\nprompt: Which?\nexplanation: This.\noptions:\n"
        "  - {text: this, correct: true}\n  - {text: that}\n"
    )
    folder = write_course(tmp_path, **{"exercises/which-one/exercise.yaml": choice})

    call_command("check_course", folder)

    printed = capsys.readouterr().out
    assert "remark  exercise.yaml: option 2 does not say why it is wrong" in printed
    assert "The course may be published (1 exercise" in printed


def test_course_that_cannot_be_read_is_a_report(tmp_path, capsys):
    with pytest.raises(SystemExit):
        call_command("check_course", write_course(tmp_path, **{"course.yaml": "title: A\n"}), "--json")

    assert json.loads(capsys.readouterr().out)["findings"][0]["file"] == "course.yaml"


def test_progress_is_shown_where_somebody_watches(monkeypatch):
    watched = io.StringIO()
    monkeypatch.setattr(command.sys.stderr, "isatty", lambda: True, raising=False)

    with pytest.raises(SystemExit):
        call_command("check_exercise", FOLDERS / "guess-accepted", stdout=io.StringIO(), stderr=watched)

    assert "guess-accepted: key" in watched.getvalue()


def test_fault_of_the_runner_is_none_of_the_exercise(monkeypatch):
    @contextmanager
    def any_runner(socket):
        raise SandboxError("no runner answers")
        yield

    monkeypatch.setattr(command, "any_runner", any_runner)

    with pytest.raises(CommandError, match="no runner answers"):
        call_command("check_exercise", FOLDERS / "guess-accepted")
