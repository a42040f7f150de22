"""The tutorial of docs/authoring.md, followed to the letter."""

import re
import shlex
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command

from worker.checking import command

PAGE = (Path(__file__).parents[2] / "docs" / "authoring.md").read_text()
TUTORIAL = PAGE[PAGE.index("## Your first course") : PAGE.index("## The folder")]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`(my-course/[^`]+)`")


class Reader:
    """Does what the page says, in order, and remembers what was printed last."""

    def __init__(self, capsys):
        self.capsys = capsys
        self.printed = ""
        self.status = 0

    def follow(self, text):
        place = 0
        for fence in FENCE.finditer(text):
            self._take(fence[1], fence[2], said=text[place : fence.start()])
            place = fence.end()

    def _take(self, language, content, said):
        if language == "bash":
            for line in content.splitlines():
                self._run(shlex.split(line))
        elif language == "text":
            assert content.rstrip() in self.printed
        elif language == "markdown":
            with Path(FILE.findall(said)[-1]).open("a") as file:
                file.write(f"\n{content}")
        else:
            path = Path(FILE.findall(said)[-1])
            path.parent.mkdir(exist_ok=True)
            path.write_text(content)

    def _run(self, words):
        if words[0] == "rm":
            for path in words[1:]:
                Path(path).unlink()
            return
        assert words[:2] == ["python", "manage.py"]
        if words[2] == "preview":
            return
        self.capsys.readouterr()
        try:
            call_command(*words[2:])
            self.status = 0
        except SystemExit as ended:
            self.status = ended.code
        self.printed = self.capsys.readouterr().out


@pytest.mark.sandbox
def test_whoever_follows_the_tutorial_has_a_sound_course(tmp_path, runner, monkeypatch, capsys):
    @contextmanager
    def any_runner(socket):
        yield runner

    monkeypatch.setattr(command, "any_runner", any_runner)
    monkeypatch.chdir(tmp_path)
    reader = Reader(capsys)
    before, after = TUTORIAL.split("It has made small changes of your reference")

    reader.follow(before)
    assert reader.status == 1
    reader.follow(after)

    assert reader.status == 0
    assert "The course may be published (3 exercises" in reader.printed
    assert len(list(tmp_path.glob("my-course/exercises/*/certificate.json"))) == 3
