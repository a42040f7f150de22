import gc
import os

import pytest
import pytest_socket
from django.db import connections
from django.test.utils import override_settings
from playwright.sync_api import sync_playwright

from tests.furnished import copied, furnished_site
from tests.product import Product

# No graphics card is played, and one process draws all pages of a context.
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--renderer-process-limit=1"]


@pytest.fixture(scope="session", autouse=True)
def quick_settings():
    """Quick passwords, and static files as they lie in the source."""
    with override_settings(
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        STORAGES={
            "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        },
    ):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """On SQLite a file instead of memory, so that threads meet in it as processes do."""
    settings = connections["default"].settings_dict
    if connections["default"].vendor == "sqlite":
        settings["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


def pytest_collection_finish():
    """What was imported stays until the end: no collection of garbage need look through it again."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup():
    """No network but the loopback, and Unix sockets."""
    pytest_socket.socket_allow_hosts(["127.0.0.1", "::1"], allow_unix_socket=True)


def pytest_terminal_summary(terminalreporter):
    """What tests measured and recorded as `figures`, with the name of the test."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)]
    for report in reports:
        for name, text in getattr(report, "user_properties", ()):
            if name == "figures" and report.when == "call":
                terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {text}")


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests of a process: Playwright can be started only once in it."""
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def furnished(tmp_path_factory):
    """The folder of a site that has been started before: to be copied, for what has no question about a first start."""
    return furnished_site(tmp_path_factory)


@pytest.fixture(scope="module")
def product(tmp_path_factory, furnished):
    """The whole product, started once for a module."""
    running = Product(copied(furnished, tmp_path_factory.mktemp("product") / "data"))
    try:
        running.start()
        yield running
    finally:
        running.stop()
