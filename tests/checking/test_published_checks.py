"""From a working copy to a published version, with the sandbox."""

from pathlib import Path

import pytest

from exercises import services
from exercises.choices import State
from exercises.errors import NotSoundError
from exercises.models import Certificate
from exercises.queries import certificate_for, head_of
from tests.exercises.authoring import make_author, make_working_copy
from tests.factories import make_course
from worker.checks import make_check

pytestmark = [pytest.mark.django_db, pytest.mark.sandbox]
SCALED = """\
format: 1
kind: code
title: Scale it
prompt: Write `scaled`.
entry: scaled
hints: ["Which operator divides?"]
explanation: Each value is divided by the size of the last axis.
mistakes:
  whole: {title: Divided by everything, feedback: Divide by the last axis alone.}
"""
SCALED_FILES = {
    "exercise.yaml": SCALED,
    "starter.py": "def scaled(x):\n    ...\n",
    "reference.py": "def scaled(x):\n    return x / x.shape[-1]\n",
    "mistakes/whole.py": "def scaled(x):\n    return x / x.numel()\n",
    "cases.py": (
        "import torch\n\n\n"
        "def visible():\n"
        '    return [{"name": "two rows", "args": [torch.tensor([[1.0, -2.0, 3.0], [0.5, 4.0, 0.25]])]}]\n\n\n'
        "def hidden(generator):\n"
        '    return [{"name": "a batch", "args": [torch.randn(2, 4, 5, generator=generator)]}]\n'
    ),
}


@pytest.fixture
def author():
    return make_author(make_course())


def checked(author, files, runner):
    exercise = make_working_copy(author.courses.get(), files=files, author=author)
    check = services.start_check(exercise, author=author)
    # Without a heartbeat: its thread would wait for the transaction of the test.
    make_check(services.claim_next("host:1"), runner)
    check.refresh_from_db()
    return check


def test_code_is_proven_in_the_sandbox_and_published(author, runner):
    check = checked(author, SCALED_FILES, runner)

    assert (check.state, check.report["findings"]) == (State.FINISHED, [])
    certificate = certificate_for(check.exercise)
    assert certificate.mutation_score == check.report["mutation"]["score"] >= 0.9
    assert certificate.torch_version.startswith("2.")
    assert services.publish(check.exercise, author=author).grading_hash == head_of(check.exercise).grading_hash


def test_weak_cases_give_a_certificate_with_which_an_instructor_alone_publishes(author, runner):
    folder = Path(__file__).with_name("exercises") / "case-without-mask"
    files = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.*") if path.is_file()}

    check = checked(author, files, runner)

    (finding,) = [finding for finding in check.report["findings"] if finding["level"] != "remark"]
    assert (check.is_sound, finding["level"]) == (False, "shortfall")
    assert certificate_for(check.exercise).mutation_score < 0.9
    with pytest.raises(NotSoundError, match="Give a reason"):
        services.publish(check.exercise, author=author)
    assert services.publish(check.exercise, author=author, reason="The mask comes next week.").number == 1


def test_author_code_that_reaches_for_the_network_is_the_authors_fault(author, runner):
    reaches = 'import socket\n\n\ndef scaled(x):\n    socket.create_connection(("127.0.0.1", 1))\n    return x\n'

    check = checked(author, {**SCALED_FILES, "reference.py": reaches}, runner)

    (finding,) = [finding for finding in check.report["findings"] if finding["level"] == "problem"]
    assert (check.state, finding["file"], check.fault) == (State.FINISHED, "reference.py", "")
    assert not Certificate.objects.exists()
