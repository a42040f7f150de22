"""The product under Compose, in an engine that the tests start: tens of minutes on a slow machine."""

import json
import time

import pytest

from tests.deploy.engine import STUDENTS
from tests.product import ATTENTION, RIGHT

pytestmark = [pytest.mark.verify, pytest.mark.timeout(3000)]

# Sleeps, so that many run at once on few cores.
SLOW = RIGHT.replace("import math\n", "import math\nimport time\n") + "\ntime.sleep(4)\n"
MAKE_STUDENTS = f"""
from exercises.models import Course, User
from exercises.services import enrol
from knox.models import AuthToken
for number in range({STUDENTS}):
    user, _ = User.objects.get_or_create(username=f"student-{{number}}")
    enrol(user, Course.objects.get(slug="attention"))
    print("token", AuthToken.objects.create(user)[1])
"""


@pytest.fixture(scope="module")
def tokens(site):
    said = site.manage("shell", "-c", MAKE_STUDENTS)
    return [line.split()[1] for line in said.splitlines() if line.startswith("token ")]


def hand_in(site, token, source):
    return site.call("POST", f"{ATTENTION}submissions/", token, {"source": source})["id"]


def state(site, number, token):
    return site.call("GET", f"/api/v1/submissions/{number}/", token)["state"]


def wait_until_graded(site, handed_in, seconds=180):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = [site.call("GET", f"/api/v1/submissions/{number}/", token) for number, token in handed_in]
        if all(submission["state"] == "graded" for submission in found):
            return found
        time.sleep(0.5)
    raise AssertionError(f"not graded: {[submission['state'] for submission in found]}")


def test_sandbox_in_the_container_is_tight_and_names_its_substitutes(site):
    said = json.loads(site.manage("sandbox_check", "--running", "--json", service="worker"))

    assert (said["tight"], said["mode"]) == (True, "container")
    states = {layer["name"]: layer["state"] for layer in said["layers"]}
    assert {name for name, state in states.items() if state != "tight"} == {"own id per slot", "control group per run"}
    assert states["own id per slot"] == states["control group per run"] == "substituted"


def test_runner_refuses_to_serve_under_the_profile_of_the_engine(site, engine):
    told = engine.docker(
        *("run", "--rm", "--network=none", "--read-only", "--tmpfs=/tmp", "--cap-drop=ALL"),
        *("--security-opt=no-new-privileges", "quizsite-runner"),
        check=False,
    )

    assert told.returncode == 78
    assert b"namespaces: open" in told.stderr


def test_site_refuses_a_secret_that_everybody_knows(site, engine):
    told = engine.docker(
        *("run", "--rm", "--network=none", "--env=QUIZSITE_SECRET_KEY=django-insecure-0123456789012345678901234567"),
        *("quizsite-web", "python", "manage.py", "check"),
        check=False,
    )

    assert told.returncode != 0
    assert b"QUIZSITE_SECRET_KEY is a sample" in told.stderr


def test_administrator_gets_in_by_a_link_once(site):
    link = site.manage("create_account", "ada", "--administrator").strip()

    assert site.status(link) == 200
    assert "is_superuser=True" in site.manage(
        "shell",
        "-c",
        f"from exercises.services import redeem_sign_in_link as r; u = r({link.strip('/').split('/')[1]!r});"
        "print(f'is_superuser={u.is_superuser}')",
    )


def test_static_files_and_events_come_through_the_proxy(site, tokens):
    number = hand_in(site, tokens[0], RIGHT)
    (submission,) = wait_until_graded(site, [(number, tokens[0])])

    assert submission["verdict"] == "accepted"
    assert site.status("/events/none/") == 404
    assert site.status("/account/login/") == 200


def test_stop_loses_no_submission(site, tokens):
    handed_in = [(hand_in(site, token, SLOW), token) for token in tokens]
    while {state(site, *submission) for submission in handed_in} == {"queued"}:
        time.sleep(0.1)

    site.compose("stop")
    site.up()

    assert {submission["verdict"] for submission in wait_until_graded(site, handed_in)} == {"accepted"}


def test_runner_that_is_killed_loses_no_submission(site, tokens):
    handed_in = [(hand_in(site, token, f"{SLOW}# again\n"), token) for token in tokens[:4]]

    site.compose("kill", "-s", "SIGKILL", "runner")
    site.compose("up", "-d", "--no-build")

    assert {submission["verdict"] for submission in wait_until_graded(site, handed_in)} == {"accepted"}


def test_dump_brings_back_what_was_lost(site, tokens):
    count = ["shell", "-c", "from exercises.models import Submission; print('count', Submission.objects.count())"]
    before = site.manage(*count)
    dump = ["exec", "-T", "postgres", "pg_dump", "--username=quizsite", "quizsite", "--clean", "--if-exists"]
    dumped = site.compose(*dump)
    hand_in(site, tokens[0], f"{RIGHT}# after the dump\n")

    site.compose("stop", "web", "worker", "beat")
    site.compose(*["exec", "-T", "postgres", "psql", "--username=quizsite", "--quiet", "quizsite"], stdin=dumped)
    site.up()

    assert site.manage(*count) == before != "count 0\n"
