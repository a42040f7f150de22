"""The product under Compose, in an engine that the tests start: tens of minutes on a slow machine."""

import json
import os
import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.deploy.engine import CORES, STUDENTS, VERSION, compose_command
from tests.product import ATTENTION, RIGHT

pytestmark = [pytest.mark.verify, pytest.mark.timeout(3000)]

# Sleeps, so that many run at once on few cores.
SLOW = RIGHT.replace("import math\n", "import math\nimport time\n") + "\ntime.sleep(6)\n"
GRADED_SECONDS = 600
MAKE_STUDENTS = f"""
from exercises.models import Course, User
from exercises.services import enrol
from knox.models import AuthToken
for number in range({STUDENTS}):
    user, _ = User.objects.get_or_create(username=f"student-{{number}}")
    enrol(user, Course.objects.get(slug="attention"))
    print("token", AuthToken.objects.create(user)[1])
"""
ANSWERS = {
    RIGHT: "accepted",
    RIGHT.replace("dim=-1", "dim=-2"): "wrong_answer",
    "import os\nos._exit(0)\n": "runtime_error",
    "while True: pass\n": "time_limit",
    "import torch\nkept = [torch.ones(64_000_000) for _ in range(10)]\n": "memory_limit",
    "import os\nos.write(1, b'x' * 100_000_000)\n": "output_limit",
    "import ctypes\nctypes.CDLL(None).ptrace(0, 0, 0, 0)\n": "policy_violation",
}


@pytest.fixture(scope="module")
def tokens(site):
    said = site.manage("shell", "-c", MAKE_STUDENTS)
    return [line.split()[1] for line in said.splitlines() if line.startswith("token ")]


def hand_in(site, token, source):
    return site.call("POST", f"{ATTENTION}submissions/", token, {"source": source})["id"], token


def hand_in_all(site, tokens, source):
    """As a class does it: all at once."""
    with ThreadPoolExecutor(len(tokens)) as pool:
        return list(pool.map(lambda token: hand_in(site, token, source), tokens))


def read_all(site, handed_in):
    return [site.call("GET", f"/api/v1/submissions/{number}/", token) for number, token in handed_in]


def wait_until(site, handed_in, is_so):
    """The submissions, once that is so of the list of their states."""
    end = time.monotonic() + GRADED_SECONDS
    while time.monotonic() < end:
        found = read_all(site, handed_in)
        if is_so([submission["state"] for submission in found]):
            return found
        time.sleep(0.2)
    raise AssertionError(f"{[submission['state'] for submission in found]}\n{site.logs()}")


def verdicts_of(site, handed_in):
    """Once all are graded."""
    found = wait_until(site, handed_in, lambda states: set(states) == {"graded"})
    return [submission["verdict"] for submission in found]


def ask(site, expression):
    """The value of an expression over the product's models, by way of JSON."""
    said = site.manage(
        "shell", "-c", f"import json; from exercises.models import *; print('says', json.dumps({expression}))"
    )
    (line,) = [line for line in said.splitlines() if line.startswith("says ")]
    return json.loads(line.removeprefix("says "))


def test_sandbox_in_the_container_is_tight_and_names_its_substitutes(site):
    said = json.loads(site.manage("sandbox_check", "--running", "--json", service="worker"))

    assert (said["tight"], said["mode"]) == (True, "container")
    states = {layer["name"]: layer["state"] for layer in said["layers"]}
    assert {name for name, state in states.items() if state != "tight"} == {"own id per slot", "control group per run"}
    assert states["own id per slot"] == states["control group per run"] == "substituted"


def test_runner_refuses_to_serve_under_the_profile_of_the_engine(site, engine):
    told = engine.docker(
        *("run", "--rm", "--network=none", "--read-only", "--tmpfs=/tmp", "--cap-drop=ALL"),
        *("--security-opt=no-new-privileges", f"quizsite-runner:{VERSION}"),
        check=False,
    )

    assert told.returncode == 78
    assert b"namespaces: open" in told.stderr


def test_site_refuses_a_secret_that_everybody_knows(site, engine):
    told = engine.docker(
        *("run", "--rm", "--network=none", "--env=QUIZSITE_SECRET_KEY=django-insecure-0123456789012345678901234567"),
        *(f"quizsite-web:{VERSION}", "python", "manage.py", "check"),
        check=False,
    )

    assert told.returncode != 0
    assert b"QUIZSITE_SECRET_KEY is a sample" in told.stderr


def test_every_part_is_well_and_held_as_the_file_says(site, engine):
    containers = site.compose("ps", "-q").split()
    told = [json.loads(engine.docker("inspect", number).stdout)[0] for number in containers]
    parts = {it["Config"]["Labels"]["com.docker.compose.service"]: it for it in told}
    ran_through = parts.pop("migrate", None)

    assert ran_through is None or ran_through["State"]["ExitCode"] == 0
    assert {name: it["State"]["Status"] for name, it in parts.items()} == dict.fromkeys(parts, "running")
    assert {"web", "events", "worker", "runner", "postgres", "redis"} <= parts.keys()
    # A part that was begun a moment ago may not have been asked yet.
    assert all(it["State"].get("Health", {}).get("Status") != "unhealthy" for it in parts.values())
    assert not any(it["HostConfig"]["Privileged"] for it in parts.values())
    assert {name for name, it in parts.items() if not it["HostConfig"]["ReadonlyRootfs"]} == {"postgres"}
    assert not any("docker.sock" in json.dumps(it["Mounts"]) for it in parts.values())


def test_settings_are_as_a_deployment_should_have_them(site):
    # Tried over plain HTTP, which is what the one word is about; everything else must be as asked.
    said = site.compose(
        *("exec", "-T", "-e", "QUIZSITE_SSL_REDIRECT=1", "web", "python", "manage.py", "check"),
        *("--deploy", "--fail-level=WARNING"),
    )

    assert "no issues" in said


def test_nothing_but_memory_can_be_written_to(site):
    for service in ("web", "events", "worker", "beat"):
        said = site.run(
            *compose_command(),
            *("exec", "-T", service, "python", "-c", "open('/opt/quizsite/app/new', 'w')"),
            status=1,
        )
        assert "Read-only file system" in said or "Permission denied" in said, service


def test_metrics_are_for_whoever_has_the_token(site):
    assert site.status("/metrics") == 404
    assert "quizsite_queue_waiting" in site.metrics()


def test_administrator_gets_in_by_a_link_once(site):
    link = site.manage("create_account", "ada", "--administrator").strip()

    assert site.status(link) == 200
    assert "is_superuser=True" in site.manage(
        "shell",
        "-c",
        f"from exercises.services import redeem_sign_in_link as r; u = r({link.strip('/').split('/')[1]!r});"
        "print(f'is_superuser={u.is_superuser}')",
    )


def test_static_files_and_events_come_through_the_proxy(site):
    assert site.status("/events/none/") == 404
    assert site.status("/account/login/") == 200


@pytest.mark.parametrize("source", ANSWERS, ids=ANSWERS.values())
def test_every_cause_is_named_in_the_container_too(source, site, tokens):
    assert verdicts_of(site, [hand_in(site, tokens[0], source)]) == [ANSWERS[source]]


def what_they_took(site, handed_in):
    """Verdict, seconds, and tries of each."""
    numbers = [number for number, _ in handed_in]
    fields = "'verdict', 'cpu_seconds', 'wall_seconds', 'tries', 'fault'"
    return ask(site, f"list(Grading.objects.filter(submission__in={numbers}).values_list({fields}))")


@pytest.mark.parametrize("slots", sorted({CORES, STUDENTS}))
def test_stop_loses_no_submission(slots, site, tokens, record_property):
    site.up(RUNNER_SLOTS=str(slots), WORKER_PROCESSES=str(slots))
    handed_in = hand_in_all(site, tokens, f"{SLOW}# {slots}\n")
    found = wait_until(site, handed_in, lambda states: states.count("running") == slots or "graded" in states)
    begun = time.monotonic()

    site.compose("stop")
    stopped = time.monotonic() - begun
    site.up(RUNNER_SLOTS=str(CORES), WORKER_PROCESSES=str(CORES))

    running = [submission["state"] for submission in found].count("running")
    assert verdicts_of(site, handed_in) == ["accepted"] * STUDENTS, what_they_took(site, handed_in)
    assert running > 0
    record_property("figures", f"{running} of {STUDENTS} ran; stopped in {stopped:.1f} s; all accepted after the start")


def test_killed_runner_comes_back_and_loses_no_submission(site, tokens, record_property):
    """By itself: the engine starts it again, and what ran in it is tried again."""
    handed_in = hand_in_all(site, tokens[:CORES], f"{SLOW}# killed\n")
    wait_until(site, handed_in, lambda states: "running" in states)
    before = site.pid("runner")

    os.kill(before, signal.SIGKILL)
    begun = time.monotonic()

    assert verdicts_of(site, handed_in) == ["accepted"] * CORES
    assert site.pid("runner") != before
    numbers = [number for number, _ in handed_in]
    faults = ask(
        site, f"list(Grading.objects.filter(submission__in={numbers}, tries=2).values_list('fault', flat=True))"
    )
    assert len(faults) >= 1
    record_property(
        "figures", f"{len(faults)} tried again, all accepted {time.monotonic() - begun:.1f} s after the kill"
    )


def test_backup_brings_back_what_was_lost(site, tokens, tmp_path):
    before = ask(site, "Submission.objects.count()")
    site.run("deploy/backup", tmp_path / "backup")
    hand_in(site, tokens[0], f"{RIGHT}# after the backup\n")
    refusal = site.run("deploy/restore", tmp_path / "backup", status=1)
    site.wait_until_ready()
    kept = ask(site, "Submission.objects.count()")

    site.run("deploy/restore", tmp_path / "backup", "--force")
    site.wait_until_ready()

    assert "This site holds data, which would be replaced." in refusal
    assert (kept, ask(site, "Submission.objects.count()")) == (before + 1, before)
    assert before > 0
    assert verdicts_of(site, [hand_in(site, tokens[0], f"{RIGHT}# after the restore\n")]) == ["accepted"]


def test_damaged_backup_changes_nothing(site, tokens, tmp_path):
    before = ask(site, "Submission.objects.count()")
    site.run("deploy/backup", tmp_path / "backup")
    dump = tmp_path / "backup" / "database.dump"
    dump.write_bytes(dump.read_bytes()[:-1000])
    damaged = site.run("deploy/restore", tmp_path / "backup", "--force", status=1)
    # As if the sums had been made of the damaged files.
    site.run("sh", "-c", f"cd {tmp_path}/backup && sha256sum about.json database.dump > SHA256SUMS")
    short = site.run("deploy/restore", tmp_path / "backup", "--force", status=1)
    site.wait_until_ready()

    assert "is damaged" in damaged
    assert "nothing was changed" in short
    assert ask(site, "Submission.objects.count()") == before > 0


@pytest.fixture
def behind(site):
    """The site behind a proxy that has TLS, and takes off the path below which it shows the site."""
    before = {name: site.environment[name] for name in ("QUIZSITE_SSL_REDIRECT",)}
    site.up(
        COMPOSE_FILE="docker-compose.yml:deploy/existing-proxy.yml",
        QUIZSITE_SUB_PATH="/learn/torch",
        QUIZSITE_SSL_REDIRECT="1",
        QUIZSITE_ORIGINS="https://127.0.0.1",
    )
    yield site
    site.up(COMPOSE_FILE="docker-compose.yml", QUIZSITE_SUB_PATH="", QUIZSITE_ORIGINS="", **before)


def test_site_lies_below_a_path_of_a_host_that_has_a_proxy(behind):
    by_https = {"X_Forwarded_Proto": "https", "X_Forwarded_For": "192.0.2.7"}
    status, headers, page = behind.ask("/account/login/", **by_https)
    plain, where, _ = behind.ask("/account/login/", X_Forwarded_Proto="http")
    inside, onward, _ = behind.ask("/courses/attention/", **by_https)
    *_, link = behind.manage("create_account", "grace", "--administrator").split()

    assert (status, plain, inside) == (200, 301, 302)
    assert where["Location"].startswith("https://127.0.0.1")
    assert "/learn/torch/account/login/" in where["Location"]
    assert onward["Location"].startswith("/learn/torch/account/login/?next=/learn/torch/")
    assert link.startswith("https://127.0.0.1/learn/torch/sign-in/")
    assert "Strict-Transport-Security" not in headers
    addresses = re.findall(r"""(?:href|src|action)="(/[^"]*)""", page)
    assert addresses
    assert all(address.startswith("/learn/torch/") for address in addresses)
    files = [address for address in addresses if address.startswith("/learn/torch/static/")]
    assert {behind.ask(file.removeprefix("/learn/torch").partition("#")[0], **by_https)[0] for file in files} == {200}
    assert behind.ask("/events/none/", **by_https)[0] == 404
    assert "no issues" in behind.manage("check", "--deploy", "--fail-level=WARNING")
