import os
import socket
from types import SimpleNamespace

import pytest
from django.db import ConnectionHandler

from exercises.choices import Role
from exercises.models import Course, ExerciseVersion, User
from exercises.services import redeem_sign_in_link
from quizsite import embedded
from tests.factories import make_course, make_exercise, make_lesson, make_user


@pytest.fixture
def data(settings, tmp_path):
    """A DATA that does not exist yet."""
    settings.DATA = tmp_path / "data"
    settings.RUN_FOLDER = settings.DATA / "run"
    settings.SECRET_FILE = settings.DATA / "secret_key"
    settings.SECRET_KEY = "before"
    settings.STATIC_ROOT = settings.DATA / "static"
    return settings.DATA


def test_secret_key_is_made_once_and_for_the_user_alone(data, settings):
    with embedded.data_folder():
        first = settings.SECRET_KEY
    settings.SECRET_KEY = "before"
    with embedded.data_folder():
        second = settings.SECRET_KEY

    assert first == second == (data / "secret_key").read_text().strip()
    assert len(first) >= 50
    assert oct((data / "secret_key").stat().st_mode & 0o777) == "0o600"


def test_secret_key_that_was_lost_is_not_taken_for_one(data):
    with embedded.data_folder():
        pass
    (data / "secret_key").write_text("\n")

    with pytest.raises(embedded.CannotStartError, match="is empty"), embedded.data_folder():
        pass


def test_folder_is_free_again_once_it_is_left(data):
    with embedded.data_folder(), pytest.raises(embedded.CannotStartError, match="in use by another"):
        embedded.data_folder().__enter__()

    with embedded.data_folder():
        pass


def test_folder_of_somebody_else_is_refused(data, monkeypatch):
    data.mkdir()
    monkeypatch.setattr(os, "getuid", lambda: data.stat().st_uid + 1)

    with pytest.raises(embedded.CannotStartError, match="belongs to somebody else"), embedded.data_folder():
        pass


def test_run_folder_outside_of_data_is_removed_at_the_end(data, settings, tmp_path):
    settings.RUN_FOLDER = tmp_path / "run"

    with embedded.data_folder():
        (settings.RUN_FOLDER / "valkey.sock").touch()

    assert not settings.RUN_FOLDER.exists()
    assert data.exists()


def test_link_in_place_of_the_run_folder_is_refused(data, tmp_path):
    data.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (data / "run").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(embedded.CannotStartError, match="belongs to somebody else"), embedded.data_folder():
        pass


def test_mode_of_a_folder_that_holds_other_things_is_left_alone(data):
    data.mkdir(mode=0o755)
    (data / "notes").write_text("mine")

    with embedded.data_folder():
        pass

    assert oct(data.stat().st_mode & 0o777) == "0o755"


def test_port_in_use_is_refused_with_the_remedy():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(embedded.CannotStartError, match=rf"port {port}: .*make run PORT=8001"):
            embedded.listening_socket("127.0.0.1", port)


def test_static_files_are_collected_only_when_they_changed(data, settings, tmp_path):
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "one.css").write_text("a")
    settings.STATICFILES_DIRS = [sources]
    settings.INSTALLED_APPS = ["django.contrib.staticfiles"]

    first, again = embedded.collect_static_files(), embedded.collect_static_files()
    (sources / "one.css").write_text("ab")
    changed = embedded.collect_static_files()

    assert (first, again, changed) == (True, False, True)
    assert (data / "static" / "one.css").read_text() == "ab"


@pytest.mark.django_db
def test_empty_site_gets_course_and_accounts_with_passwords_of_their_own(monkeypatch):
    monkeypatch.delenv(embedded.DEMO_VARIABLE, raising=False)

    accounts = embedded.furnish()

    course = Course.objects.get(slug="attention")
    roles = dict(course.memberships.values_list("user__username", "role"))
    assert roles == {"student": Role.STUDENT, "instructor": Role.INSTRUCTOR}
    assert len({account.password for account in accounts}) == 2
    for account in accounts:
        user = User.objects.get(username=account.username)
        assert user.check_password(account.password)
        assert redeem_sign_in_link(account.sign_in_path.split("/")[2]) == user
        assert not user.is_staff
        assert not user.is_superuser


@pytest.mark.django_db
def test_second_start_changes_nothing_and_tells_no_password(monkeypatch):
    monkeypatch.delenv(embedded.DEMO_VARIABLE, raising=False)
    for name in embedded.DEMO_ACCOUNTS:
        make_user(username=name)
    embedded.furnish()
    assert Course.objects.get(slug="attention").memberships.count() == 2
    before = set(ExerciseVersion.objects.values_list("pk", flat=True))
    hashes = set(User.objects.values_list("password", flat=True))

    accounts = embedded.furnish()

    assert [account.password for account in accounts] == [None, None]
    assert set(ExerciseVersion.objects.values_list("pk", flat=True)) == before
    assert set(User.objects.values_list("password", flat=True)) == hashes


@pytest.mark.django_db
def test_start_leaves_a_course_as_its_authors_made_it():
    course = make_course(slug="attention", title="Our attention")
    make_lesson(course, slug="positions", source="Our own words.")
    make_exercise(course, slug="our-exercise")
    make_exercise(course, slug="one-score", is_retired=True)
    course.assets.create(path="ours.svg", content=b"<svg/>")
    embedded.furnish()
    course.memberships.get(user__username="student").delete()
    before = _state_of(course)

    embedded.furnish()

    assert _state_of(course) == before
    assert [lesson.slug for lesson in course.lessons.all()] == ["positions"]
    assert [member.user.username for member in course.memberships.all()] == ["instructor"]


def _state_of(course):
    """All rows that belong to the course."""
    rows = [Course.objects.filter(pk=course.pk), course.lessons, course.exercises, course.assets, course.memberships]
    return [list(each.order_by("pk").values()) for each in rows]


@pytest.mark.django_db
def test_password_that_is_given_holds_from_then_on_and_is_not_told(monkeypatch):
    make_course(slug="attention")
    embedded.furnish()
    monkeypatch.setenv(embedded.DEMO_VARIABLE, "given-at-the-second-start")

    accounts = embedded.furnish()

    assert [account.password for account in accounts] == [None, None]
    for user in User.objects.all():
        assert user.check_password("given-at-the-second-start")


def database(path):
    """A connection to a file of SQLite's, as the parts open theirs."""
    options = {"init_command": "PRAGMA journal_mode=WAL;"}
    return ConnectionHandler({"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": path, "OPTIONS": options}})[
        "default"
    ]


@pytest.mark.django_db
def test_database_that_is_held_open_keeps_what_reading_needs(tmp_path):
    held, passing = database(tmp_path / "db"), database(tmp_path / "db")
    with passing.cursor() as cursor:
        cursor.execute("CREATE TABLE t (x)")
    passing.close()
    alone = {file.name for file in tmp_path.iterdir()}

    embedded.keep_readable(held)
    with passing.cursor() as cursor:
        cursor.execute("SELECT * FROM t")
    passing.close()
    beside = {file.name for file in tmp_path.iterdir()}
    held.close()

    assert beside == {"db", "db-wal", "db-shm"}
    assert alone == {file.name for file in tmp_path.iterdir()} == {"db"}


def test_another_database_is_not_held_open():
    # What has no cursor would fail if it were asked for one.
    embedded.keep_readable(SimpleNamespace(vendor="postgresql"))
