import contextlib
import http.cookiejar
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.furnished import copied
from tests.product import PASSWORD, RIGHT, ROOT, Product, descendants, free_port

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.timeout(240)]


@pytest.fixture(scope="module")
def product(tmp_path_factory, furnished):
    """The product that most tests look at."""
    running = Product(copied(furnished, tmp_path_factory.mktemp("up") / "data"))
    running.start()
    yield running
    running.stop()


def environment(**changes):
    merged = {**os.environ, "QUIZSITE_DEMO_PASSWORD": PASSWORD, **changes}
    merged.pop("DJANGO_SETTINGS_MODULE", None)
    return merged


def up(*arguments, **changes):
    """What `up` says, and its exit status, where it cannot start."""
    done = subprocess.run(
        [sys.executable, ROOT / "manage.py", "up", *arguments],
        cwd=ROOT,
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stderr


def mode(path):
    return oct(path.stat().st_mode & 0o777)


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(is_done, seconds=30):
    end = time.monotonic() + seconds
    while not is_done() and time.monotonic() < end:
        time.sleep(0.05)
    assert is_done()


def test_up_serves_a_student_from_sign_in_to_verdict(product):
    submission = product.submit(RIGHT)

    assert product.graded(submission)["verdict"] == "accepted"


def test_up_prints_links_that_sign_in_once(product):
    wait_until(lambda: "Stop with Ctrl+C" in product.log.read_text())
    link = re.search(r"Sign in as instructor \(once\): http://127.0.0.1:\d+(\S+)", product.log.read_text())[1]

    first, second = signed_in_by(product, link), signed_in_by(product, link)

    assert (first, second) == ({f"sessionid_{product.port}"}, set())


def signed_in_by(product, link):
    """The session cookies of a browser that opens the link and presses its button."""
    cookies = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    page = browser.open(f"{product.base}{link}", timeout=20).read().decode()
    word = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    with contextlib.suppress(urllib.error.HTTPError):
        browser.open(f"{product.base}{link}", f"csrfmiddlewaretoken={word}".encode(), timeout=20)
    return {cookie.name for cookie in cookies if cookie.name.startswith("sessionid")}


def test_up_does_not_print_a_password_that_was_given(product):
    assert PASSWORD not in product.log.read_text()


def test_up_keeps_its_folder_to_its_user(product):
    data = product.data

    assert {mode(data), mode(data / "run"), mode(data / "logs"), mode(data / "valkey")} == {"0o700"}
    assert {mode(data / "secret_key"), mode(data / "quizsite.sqlite3"), mode(data / "logs" / "parts.log")} == {"0o600"}


def test_up_gives_the_runner_an_empty_environment(product):
    (runner,) = product.pids_of(r"worker\.sandbox\.runner")

    assert Path(f"/proc/{runner}/environ").read_bytes().strip(b"\0") == b""


def test_up_listens_on_loopback_only(product):
    listening = subprocess.run(["cat", "/proc/net/tcp", "/proc/net/tcp6"], capture_output=True, text=True, check=True)

    ours = [
        line.split()[1] for line in listening.stdout.splitlines() if f":{product.port:04X} 00000000:0000 0A" in line
    ]
    assert ours == [f"0100007F:{product.port:04X}"]


def test_up_logs_what_the_parts_say_by_name(product):
    log = (product.data / "logs" / "parts.log").read_text()

    for part in ("valkey", "web", "worker", "beat"):
        assert re.search(rf"^\S+ \S+ {part} +\| ", log, re.MULTILINE), part


def test_up_refuses_a_folder_in_use(product):
    status, said = up(DATA=str(product.data), PORT=str(free_port()))

    assert (status, "is in use by another running instance" in said) == (1, True)


def test_up_refuses_a_port_in_use_and_leaves_nothing_behind(product, tmp_path):
    data = tmp_path / "data"

    status, said = up(DATA=str(data), PORT=str(product.port))

    assert (status, f"port {product.port}: Address already in use" in said) == (1, True)
    assert not data.exists()


def test_up_starts_again_what_died(product):
    for pattern in ("valkey-server", r"quizsite\.server", "celery .*beat"):
        (before,) = product.pids_of(pattern)[:1]

        os.kill(before, signal.SIGKILL)

        wait_until(lambda pattern=pattern, before=before: set(product.pids_of(pattern)) - {before} != set())
    product.wait_for("/readyz", seconds=30)


def test_two_instances_run_side_by_side(product, furnished, tmp_path):
    # Blanks, percent signs and the like mean something in a URL, and may stand in a path.
    other = Product(copied(furnished, tmp_path / "my data, 100%25 ?+#ü"))
    other.start()
    try:
        mine, theirs = product.submit(f"{RIGHT}# mine\n"), other.submit(f"{RIGHT}# theirs\n")

        assert product.graded(mine)["verdict"] == other.graded(theirs)["verdict"] == "accepted"
        assert sources(other) == [f"{RIGHT}# theirs\n"]
    finally:
        other.stop()


def sources(product):
    with sqlite3.connect(product.data / "quizsite.sqlite3") as database:
        return [source for (source,) in database.execute("SELECT source FROM exercises_submission")]


def test_ctrl_c_stops_all_parts(tmp_path):
    """In the middle of a first start's work: the worker makes the cases of all exercises."""
    product = Product(tmp_path / "data")
    product.start()
    pids = list(product.parts())
    assert len(pids) >= 8

    status = product.stop()

    assert status == 0
    wait_until(lambda: not any(is_alive(pid) for pid in pids))
    assert product.log.read_text().endswith("Stopped.\n")
    assert not (tmp_path / "data" / "run" / "valkey.sock").exists()


def test_killed_supervisor_leaves_no_orphan_and_can_start_again(furnished, tmp_path):
    product = Product(copied(furnished, tmp_path / "data"))
    product.start()
    submission = product.submit(RIGHT)
    pids = list(product.parts())
    assert len(pids) >= 8

    product.process.kill()
    product.process.wait()

    wait_until(lambda: not any(is_alive(pid) for pid in pids))
    product.start()
    assert product.graded(submission)["verdict"] == "accepted"
    product.stop()


def test_up_stops_when_the_make_that_started_it_is_killed(tmp_path):
    product = Product(tmp_path / "data")
    shell = '"$@" & echo $!; wait'
    starter = subprocess.Popen(
        ["bash", "-c", shell, "bash", sys.executable, ROOT / "manage.py", "up", "--stop-with-parent"],
        env=environment(DATA=str(product.data), PORT=str(product.port)),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    supervisor = int(starter.stdout.readline())
    wait_until(lambda: len(descendants(supervisor)) >= 2)

    starter.kill()

    wait_until(lambda: not is_alive(supervisor))
    starter.communicate()


@pytest.mark.parametrize("data", ["/proc/data", "/dev/null/data"])
def test_up_refuses_a_folder_that_it_cannot_write(data):
    status, said = up(DATA=data, PORT=str(free_port()))

    assert (status, said.startswith(f"CommandError: Cannot write to {data}")) == (1, True)


def test_up_refuses_a_database_that_is_none(tmp_path):
    (tmp_path / "quizsite.sqlite3").write_text("something else, longer than nothing")

    status, said = up(DATA=str(tmp_path), PORT=str(free_port()))

    assert status == 1
    assert "file is not a database" in said
    assert "Traceback" not in said


def test_up_refuses_all_addresses_without_names(tmp_path):
    status, said = up("--host", "0.0.0.0", DATA=str(tmp_path / "data"), PORT=str(free_port()))

    assert (status, "set QUIZSITE_HOSTS" in said) == (1, True)
    assert not (tmp_path / "data").exists()


def test_up_refuses_an_address_that_is_not_ours(tmp_path):
    status, said = up("--host", "192.0.2.1", DATA=str(tmp_path / "data"), PORT=str(free_port()))

    assert (status, "Cannot listen on 192.0.2.1" in said) == (1, True)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"PORT": "eight"}, "PORT must be a whole number"),
        ({"PORT": "70000"}, "ports go from 1 to 65535"),
        ({"QUIZSITE_MODE": "best"}, "QUIZSITE_MODE must be embedded or production"),
    ],
)
def test_up_refuses_settings_that_it_does_not_understand(tmp_path, changes, words):
    status, said = up(**{"DATA": str(tmp_path / "data"), "PORT": str(free_port()), **changes})

    assert (status, words in said) == (1, True)
