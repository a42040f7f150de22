"""What the embedded mode keeps in its folder, and what it puts into an empty site."""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
import shutil
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.utils import get_random_secret_key
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.urls import reverse

from exercises.choices import Role
from exercises.content import read_course
from exercises.models import Course, User
from exercises.services import create_sign_in_link, enrol, load_course
from quizsite.new_site import make_tables

SHIPPED_COURSE = Path("exercises") / "courses" / "attention"
DEMO_ACCOUNTS = {"student": Role.STUDENT, "instructor": Role.INSTRUCTOR}
DEMO_VARIABLE = "QUIZSITE_DEMO_PASSWORD"


class CannotStartError(Exception):
    """The product cannot start here and now; the message says why, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoAccount:
    """An account to try the product with; `password` only where it was made up just now."""

    username: str
    sign_in_path: str
    password: str | None = None


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises: CannotStartError where the port is taken or the address is not ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = error.strerror if isinstance(error, OSError) else "ports go from 1 to 65535"
        raise CannotStartError(
            f"Cannot listen on {host} port {port}: {reason}. Choose another port, for example: make run PORT=8001"
        ) from None
    return listening


@contextmanager
def data_folder() -> Iterator[Path]:
    """DATA, made where it is missing, and ours alone until the end. All that is put in it is for our user only.

    Raises: CannotStartError where it cannot be written, or another instance uses it.
    """
    data: Path = settings.DATA
    with locked(data):
        _prepare(data)
        with _tidying(data):
            yield data


@contextmanager
def locked(data: Path) -> Iterator[None]:
    """The folder, made where it is missing, is ours alone until the end.

    Raises: CannotStartError where it cannot be written, or another instance uses it.
    """
    try:
        _make_private_folder(data)
        lock = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise _not_writable(error) from None
    try:
        _take_lock(lock, data)
        yield
    finally:
        os.close(lock)


def migrate() -> None:
    """Bring the database to the tables that this version needs."""
    make_tables()
    call_command("migrate", interactive=False, verbosity=0)


def collect_static_files() -> bool:
    """Collect scripts and styles where they are not what was collected last; whether that was needed."""
    stamp, digest = settings.STATIC_ROOT / ".collected", _digest_of_static_files()
    if stamp.exists() and stamp.read_text() == digest:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(digest)
    return True


@transaction.atomic
def furnish() -> list[DemoAccount]:
    """Load the course that ships and make the demo accounts, whatever of it is missing; a sign-in link for each.

    A course that is there is its people's: it stays as they have made it, with the members that it has.
    """
    course = Course.objects.filter(slug=SHIPPED_COURSE.name).first()
    is_new = course is None
    if course is None:
        course = load_course(read_course(settings.BASE_DIR / SHIPPED_COURSE)).course
    given = os.environ.get(DEMO_VARIABLE)
    return [_demo_account(name, role, course, given=given, must_enrol=is_new) for name, role in DEMO_ACCOUNTS.items()]


def keep_readable(database: BaseDatabaseWrapper) -> None:
    """Holds SQLite's database open in this process for as long as it lives; of another database it opens nothing.

    Whoever closes it last takes away the files beside it, and the next to read must make them: on a full disk that
    fails. The parts close their connections whenever they have nothing to do.
    """
    if database.vendor == "sqlite":
        with database.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM sqlite_master")


@contextmanager
def _tidying(data: Path) -> Iterator[None]:
    """In the end, removes the folder of the sockets if it is not in `data`; after a crash it is used again."""
    try:
        yield
    finally:
        if not settings.RUN_FOLDER.is_relative_to(data):
            shutil.rmtree(settings.RUN_FOLDER, ignore_errors=True)


def _prepare(data: Path) -> None:
    try:
        for folder in (settings.RUN_FOLDER, data / "logs", data / "valkey"):
            _make_private_folder(folder)
        _make_secret_key()
    except OSError as error:
        raise _not_writable(error) from None


def _not_writable(error: OSError) -> CannotStartError:
    return CannotStartError(f"Cannot write to {error.filename}: {error.strerror}. Set DATA to another folder.")


def _make_private_folder(folder: Path) -> None:
    """Raises: PermissionError where somebody else has made it: a name in a shared folder can be guessed."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid():
        raise PermissionError(0, "it belongs to somebody else", str(folder))
    if not any(folder.iterdir()):
        folder.chmod(0o700)


def _take_lock(lock: int, data: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CannotStartError(
            f"The folder {data} is in use by another running instance. Stop that one, or set DATA to another folder."
        ) from None


def _make_secret_key() -> None:
    path: Path = settings.SECRET_FILE
    if not path.exists():
        # Under another name first: a key that was half written would stay for ever.
        new = path.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_text(get_random_secret_key() + "\n")
        new.rename(path)
    key = path.read_text().strip()
    if not key:
        raise CannotStartError(
            f"{path} is empty. Put the key back from a backup. Only if there is none, remove the file: with a new key "
            "everybody must sign in again, and hidden cases are drawn anew."
        )
    settings.SECRET_KEY = key


def _digest_of_static_files() -> str:
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            about = Path(storage.path(path)).stat()
            digest.update(f"{path} {about.st_size} {about.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _demo_account(name: str, role: Role, course: Course, *, given: str | None, must_enrol: bool) -> DemoAccount:
    """The account, a member if it or the course is new; a password that is given takes the place of an earlier one."""
    user, is_new = User.objects.get_or_create(username=name)
    made_up = secrets.token_urlsafe(9) if is_new and not given else None
    password = made_up or given
    if password and not user.check_password(password):
        user.set_password(password)
        user.save()
    if is_new or must_enrol:
        enrol(user, course, role=role)
    path = reverse("learn:sign-in-link", args=(create_sign_in_link(user),))
    return DemoAccount(username=name, sign_in_path=path, password=made_up)
