from __future__ import annotations

import errno
import ipaddress
import os
import signal
import socket
import time
from argparse import ArgumentParser
from dataclasses import dataclass
from threading import Event
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection, connections

from quizsite import embedded, product
from quizsite.logs import Log
from quizsite.parts import Part
from quizsite.supervisor import GaveUpError, Supervisor
from worker.lifeline import die_with_parent

BROKER_SECONDS = 15
RUNNER_SECONDS = 60
READY_SECONDS = 20
MOST_WEB_PROCESSES = 64
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_asked_to_stop = Event()


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """Where the site is reached: the address, a socket that listens there, and names other than the usual ones.

    `processes`: how many answer there.
    """

    host: str
    hosts: str | None
    listening: socket.socket
    processes: int


class Command(BaseCommand):
    help = "Runs the whole product on this machine until Ctrl+C: web, worker, sandbox, broker. Set PORT and DATA."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host",
            default="127.0.0.1",
            type=_numeric_address,
            help="address to listen on; another than this machine's own needs full isolation of student code",
        )

        parser.add_argument(
            "--web-processes",
            default=1,
            type=_process_count,
            metavar="N",
            help="how many processes answer requests (default: 1); one for each core serves a large class",
        )

        parser.add_argument(
            "--stop-with-parent", action="store_true", help="stop when the process that started this one ends"
        )

    def handle(self, *args: Any, host: str, web_processes: int, stop_with_parent: bool, **options: Any) -> None:
        if not settings.IS_EMBEDDED:
            raise CommandError("`up` runs the embedded mode; QUIZSITE_MODE=production runs each part by itself.")
        for number in STOP_SIGNALS:
            signal.signal(number, _stop)
        if stop_with_parent:
            die_with_parent(by=signal.SIGTERM)
        os.umask(0o077)
        try:
            hosts = _hosts(host)
            with embedded.listening_socket(host, settings.PORT) as listening, embedded.data_folder():
                self._run(Door(host=host, hosts=hosts, listening=listening, processes=web_processes))
        except KeyboardInterrupt:
            self._say("Stopped.")
        except (embedded.CannotStartError, GaveUpError) as error:
            raise CommandError(str(error)) from None
        except DatabaseError as error:
            raise CommandError(
                f"The database in {settings.DATA} cannot be used: {error}. Is the disk full, or the file damaged?"
            ) from None

    def _run(self, door: Door) -> None:
        self._say(f"Starting in {settings.DATA}.")
        log = Log(settings.DATA / "logs", self._say)
        supervisor = Supervisor(log, self._say)
        try:
            self._start(supervisor, door)
            while True:
                _check_stop()
                supervisor.watch()
                self.look_around()
        finally:
            # Whoever is impatient and stops us a second time ends the parts at once.
            supervisor.stop()
            connections.close_all()
            log.close()

    def furnish(self) -> list[embedded.DemoAccount]:
        """What is put into the site before it opens; the accounts to try it with."""
        return embedded.furnish()

    def further_parts(self) -> list[Part]:
        """Parts beside those that every site has."""
        return []

    def is_furnished(self) -> bool:
        """Whether the further parts have done what the site needs before it opens."""
        return True

    def look_around(self) -> None:
        """Is called between two looks after the parts."""

    def _start(self, supervisor: Supervisor, door: Door) -> None:
        # The runner needs nothing that we make here, and takes longest: it loads torch.
        supervisor.start([*product.valkey(), *product.runner(may_be_reduced=_is_loopback(door.host))])
        embedded.migrate()
        if embedded.collect_static_files():
            self._say("Scripts and styles are collected.")
        if not supervisor.watch_until(product.broker_answers, seconds=BROKER_SECONDS):
            raise embedded.CannotStartError(f"The broker at {settings.REDIS_URL} does not answer.")
        accounts = self.furnish()
        connections.close_all()
        embedded.keep_readable(connection)
        supervisor.start([*product.web(door.listening, door.hosts, processes=door.processes), *product.beat()])
        # The worker makes the cases of new exercises at once, and should not have to try in vain.
        supervisor.watch_until(product.runner_listens, seconds=RUNNER_SECONDS)
        supervisor.start([*product.worker(), *self.further_parts()])
        said = self._wait_until_ready(supervisor, door.listening)
        self._welcome(_address(door.host), accounts)
        if said["isolation"] == "reduced":
            self._warn_of_open_layers(said["open_layers"])

    def _wait_until_ready(self, supervisor: Supervisor, listening: socket.socket) -> dict[str, Any]:
        said: dict[str, Any] = {}
        begun = time.monotonic()
        while said.get("status") != "ok":
            _check_stop()
            supervisor.watch()
            said = (product.readiness(listening) if self.is_furnished() else None) or {}
            if time.monotonic() - begun > READY_SECONDS:
                begun = time.monotonic()
                self._say(f"Still starting ({_missing(said)}).")
        return said

    def _welcome(self, address: str, accounts: list[embedded.DemoAccount]) -> None:
        self._say(f"\nReady: {address}{settings.SUB_PATH}/\n")
        for account in accounts:
            self._say(f"Sign in as {account.username} (once): {address}{account.sign_in_path}")
            if account.password:
                self._say(f"  Later: user name {account.username}, password {account.password}")
        self._say(f"\nWhat the parts say is in {settings.DATA / 'logs'}. Stop with Ctrl+C.")

    def _warn_of_open_layers(self, layers: dict[str, str]) -> None:
        self._say("\nWARNING: student code runs with reduced isolation on this machine.")
        for layer, remedy in layers.items():
            self._say(f"  {layer}: {remedy}")
        self._say("  Run only code that you trust. `python manage.py sandbox_check` tells more.")

    def _say(self, text: str) -> None:
        try:
            self.stdout.write(text)
            self.stdout.flush()
        except OSError as error:
            # Where the console is a file on a disk that is full, the site must not end for it.
            if error.errno != errno.ENOSPC:
                raise


def _stop(number: int, frame: FrameType | None) -> None:
    _asked_to_stop.set()
    raise KeyboardInterrupt


def _check_stop() -> None:
    """Stops where the signal came while Python was in a finaliser, which swallows what is raised in it."""
    if _asked_to_stop.is_set():
        raise KeyboardInterrupt


def _missing(said: dict[str, Any]) -> str:
    missing = [f"{name}: {said[name]}" for name in ("database", "broker", "runner") if said.get(name, "ok") != "ok"]
    return ", ".join(missing) or "the web does not answer yet"


def _numeric_address(text: str) -> str:
    return str(ipaddress.ip_address("127.0.0.1" if text == "localhost" else text))


def _process_count(text: str) -> int:
    count = int(text)
    if not 1 <= count <= MOST_WEB_PROCESSES:
        raise ValueError(f"expected 1 to {MOST_WEB_PROCESSES}, found {count}")
    return count


def _is_loopback(host: str) -> bool:
    return ipaddress.ip_address(host).is_loopback


def _address(host: str) -> str:
    """Of the host; below a sub-path it is that of the proxy, where one is set."""
    if settings.SUB_PATH and settings.CSRF_TRUSTED_ORIGINS:
        return settings.CSRF_TRUSTED_ORIGINS[0]
    return f"http://{_in_url(host)}:{settings.PORT}"


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _hosts(host: str) -> str | None:
    """The names that the site answers to, where they are not set already: the usual ones and `host` itself."""
    if _is_loopback(host) or "QUIZSITE_HOSTS" in os.environ:
        return None
    if ipaddress.ip_address(host).is_unspecified:
        raise embedded.CannotStartError(
            "To listen on all addresses, set QUIZSITE_HOSTS to the site's names, separated by commas."
        )
    return ",".join([*settings.ALLOWED_HOSTS, _in_url(host)])
