from __future__ import annotations

import os
import secrets
import shutil
import socket
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from exercises.models import User
from exercises.services import create_sign_in_link
from quizsite import embedded, product
from quizsite.management.commands import up
from quizsite.parts import Part
from quizsite.previewing import PreviewState, read_state

FOLDER_START = "quizsite-preview-"
FIRST_PORT = 8000
MOST_PORTS = 100
# What would lead to a site's data, or to another place than this machine.
_OF_A_SITE = (
    "DATABASE_PASSWORD",
    "DATABASE_URL",
    "DJANGO_SETTINGS_MODULE",
    "QUIZSITE_HOSTS",
    "QUIZSITE_MODE",
    "QUIZSITE_ORIGINS",
    "QUIZSITE_SUB_PATH",
    "REDIS_PASSWORD",
    "REDIS_URL",
    "RUNNER_SOCKET",
)


class Command(up.Command):
    help = (
        "Shows a course folder as students will see it, with real grading, until Ctrl+C: on data of its own, and again "
        "after each save. Set PORT, or a free one is taken."
    )

    _said = 0

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="a course folder with its course.yaml")
        super().add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.PREVIEW:
            _start_anew(options["folder"])
        # Whatever is in it is removed in the end: it must be what `_start_anew` has made, and no site's.
        if not settings.DATA.name.startswith(FOLDER_START):
            raise CommandError("QUIZSITE_PREVIEW is for this command's own use: unset it.")
        try:
            super().handle(*args, **options)
        finally:
            shutil.rmtree(settings.DATA, ignore_errors=True)

    def furnish(self) -> list[embedded.DemoAccount]:
        """The accounts; the course comes when the folder is read."""
        return [_account(name) for name in embedded.DEMO_ACCOUNTS]

    def further_parts(self) -> list[Part]:
        return [product.preview(settings.PREVIEW)]

    def is_furnished(self) -> bool:
        return read_state() is not None

    def look_around(self) -> None:
        """Says what became of the folder since the last time."""
        state = read_state()
        if state is not None and state.number > self._said:
            self._said = state.number
            self._say(_words(state))


def _start_anew(folder: Path) -> None:
    """The same command in place of this one, with settings for data of its own."""
    if not folder.is_dir():
        raise CommandError(f"There is no folder {folder}.")
    data = Path(tempfile.mkdtemp(prefix=FOLDER_START))
    kept = {name: value for name, value in os.environ.items() if name.removesuffix("_FILE") not in _OF_A_SITE}
    port = kept.get("PORT") or str(_free_port())
    environment = {**kept, "DATA": str(data), "PORT": port, "QUIZSITE_PREVIEW": str(folder.resolve())}
    # Nothing of a shell's is in it: the same interpreter with the same arguments.
    os.execve(sys.executable, [sys.executable, *sys.argv], environment)  # noqa: S606


def _free_port() -> int:
    for port in range(FIRST_PORT, FIRST_PORT + MOST_PORTS):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise CommandError(f"No port from {FIRST_PORT} on is free. Set PORT.")


def _account(name: str) -> embedded.DemoAccount:
    given = os.environ.get(embedded.DEMO_VARIABLE)
    password = given or secrets.token_urlsafe(9)
    user = User.objects.create_user(username=name, password=password)
    path = f"/sign-in/{create_sign_in_link(user)}/"
    return embedded.DemoAccount(username=name, sign_in_path=path, password=None if given else password)


def _words(state: PreviewState) -> str:
    if state.faults:
        count = len(state.faults)
        lines = [f"  {fault.place}: {fault.message}" for fault in state.faults]
        return "\n".join([f"{count} problem{'s' if count > 1 else ''}, nothing was changed:", *lines])
    if state.number == 1:
        return "The course is loaded."
    return "\n".join(["Loaded again.", *(f"  {change}" for change in state.changes)])
