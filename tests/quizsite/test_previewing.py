import itertools
import socket
import tempfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from exercises.choices import Role
from exercises.models import Course, Exercise, User
from exercises.queries import role_in
from quizsite import previewing
from quizsite.management.commands import preview
from quizsite.preview_loading import load_folder
from quizsite.preview_pages import PreviewPages
from quizsite.previewing import Fault, PreviewState, follow, read_state, signature, write_state
from tests.exercises.content.folders import CHOICE, write, write_course
from tests.factories import make_user
from tests.product import free_port


@pytest.fixture(autouse=True)
def data(tmp_path, settings):
    settings.DATA = tmp_path / "data"
    settings.DATA.mkdir()
    settings.PREVIEW = str(tmp_path / "a-course")
    return settings.DATA


def page_of(path="/", *, method="get", answer=None, **headers):
    """What the middleware makes of the answer to a request."""
    said = answer or HttpResponse("<body>A page</body>")
    return PreviewPages(lambda request: said)(getattr(RequestFactory(headers=headers), method)(path))


def test_state_is_read_as_it_was_written():
    state = PreviewState(
        number=3, changes=["lesson a: added"], faults=[Fault(place="a, line 1", message="b", text="c")]
    )
    assert read_state() is None

    write_state(state)

    assert read_state() == state


def test_signature_differs_after_a_save_and_not_else(tmp_path):
    folder = write_course(tmp_path)
    before = signature(folder)

    assert signature(folder) == before
    write(folder, {".git/config": "x", "README.md": "x"})
    assert signature(folder).keys() == before.keys()
    write(folder, {"lessons/first.md": "another text"})
    assert signature(folder) != before
    assert signature(tmp_path / "nowhere") == {}


@pytest.mark.django_db(transaction=True)
def test_folder_is_followed(tmp_path, monkeypatch):
    folder = write_course(tmp_path)
    monkeypatch.setattr(previewing, "LOOK_SECONDS", 0)
    states = follow(folder)

    first = next(states)
    write_state(first)
    write(folder, {"exercises/which-one/exercise.yaml": CHOICE + "colour: red\n"})
    second = next(states)
    write_state(second)
    third = next(follow(folder))

    assert (first.number, first.changes) == (1, ["lesson first: added", "exercise which-one: added"])
    assert (second.number, second.changes, len(second.faults)) == (2, [], 1)
    # Whoever starts again goes on counting, so that pages load again.
    assert third.number == 3


@pytest.mark.django_db(transaction=True)
def test_accounts_are_members_of_what_was_loaded(tmp_path):
    student, other = make_user(username="student"), make_user(username="other")

    load_folder(write_course(tmp_path), 1)

    course = Course.objects.get()
    assert (role_in(student, course), role_in(other, course)) == (Role.STUDENT, None)
    assert Exercise.objects.get().published is not None


@pytest.mark.django_db(transaction=True)
def test_faults_name_place_and_line(tmp_path):
    folder = write_course(tmp_path, **{"exercises/which-one/exercise.yaml": CHOICE + "colour: red\n", "x.txt": "y"})

    state = load_folder(folder, 7)

    assert [(fault.place, fault.text) for fault in state.faults] == [
        ("exercises/which-one/exercise.yaml, line 10, `colour`", "colour: red"),
        ("x.txt", ""),
    ]
    assert not Course.objects.exists()


def test_page_gets_the_script_that_loads_it_again():
    write_state(PreviewState(number=5))

    page = page_of().content.decode()

    assert page.startswith("<body>A page<script src=")
    assert 'data-state="/preview/state" data-number="5" defer></script></body>' in page


@pytest.mark.parametrize(
    "answer",
    [
        HttpResponse("<p>a fragment</p>"),
        HttpResponse("</body>", content_type="text/plain"),
        StreamingHttpResponse([b"</body>"]),
    ],
)
def test_what_is_no_page_stays(answer):
    found = page_of(answer=answer)

    assert b"preview.js" not in (b"".join(found) if found.streaming else found.content)


def test_state_is_told():
    assert page_of("/preview/state").content == b'{"number": 0}'
    write_state(PreviewState(number=5))
    assert page_of("/preview/state").content == b'{"number": 5}'


@pytest.mark.django_db
def test_problems_take_the_place_of_pages(client, settings):
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "quizsite.preview_pages.PreviewPages"]
    write_state(PreviewState(number=2, faults=[Fault(place="<b>", message="expected a number", text="a: <i>")]))
    client.force_login(User.objects.create(username="student"))

    page = client.get("/").content.decode()

    assert "1 problem in the folder" in page
    assert "<strong>&lt;b&gt;</strong>: expected a number" in page
    assert "<code>a: &lt;i&gt;</code>" in page
    assert settings.PREVIEW in page


@pytest.mark.parametrize(
    ("path", "options"),
    [
        *itertools.product(["/api/v1/courses/", "/sign-in/x/", "/account/login/", "/healthz"], [{}]),
        ("/", {"method": "post"}),
        ("/", {"HX-Request": "true"}),
    ],
)
def test_problems_take_the_place_of_nothing_else(path, options):
    write_state(PreviewState(number=2, faults=[Fault(place="a", message="b")]))

    assert b"A page" in page_of(path, **options).content


class StartedAnewError(Exception):
    """The command would go on with other settings."""


@pytest.fixture
def started(monkeypatch):
    """What the command starts in its own place: program, arguments, environment."""
    found = []

    def execve(*arguments):
        found.extend(arguments)
        raise StartedAnewError

    monkeypatch.setattr("quizsite.management.commands.preview.os.execve", execve)
    return found


def test_preview_leaves_the_settings_of_a_site_behind(tmp_path, settings, monkeypatch, started):
    settings.PREVIEW = ""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("DATABASE_URL", "REDIS_URL_FILE", "RUNNER_SOCKET", "QUIZSITE_MODE", "DATA"):
        monkeypatch.setenv(name, "of-a-site")
    monkeypatch.setenv("PORT", "4711")
    folder = write_course(tmp_path)

    with pytest.raises(StartedAnewError):
        call_command("preview", folder)

    environment = started[2]
    assert "of-a-site" not in environment.values()
    assert (environment["PORT"], environment["QUIZSITE_PREVIEW"]) == ("4711", str(folder))
    data = Path(environment["DATA"])
    assert (data.parent, list(data.iterdir())) == (tmp_path, [])


def test_preview_takes_a_free_port(tmp_path, settings, monkeypatch, started):
    settings.PREVIEW = ""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("PORT", raising=False)
    monkeypatch.setattr(preview, "FIRST_PORT", free_port())

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", preview.FIRST_PORT))
        taken.listen()
        with pytest.raises(StartedAnewError):
            call_command("preview", write_course(tmp_path))

    assert int(started[2]["PORT"]) > preview.FIRST_PORT


def test_preview_needs_a_folder(tmp_path, settings, started):
    settings.PREVIEW = ""

    with pytest.raises(CommandError, match="There is no folder"):
        call_command("preview", tmp_path / "nowhere")

    assert started == []


def test_preview_removes_no_data_of_a_site(tmp_path, data):
    with pytest.raises(CommandError, match="unset it"):
        call_command("preview", write_course(tmp_path))

    assert data.is_dir()
