"""A container engine of its own, and the product in it, made of nothing but packages."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.request
from io import BytesIO
from pathlib import Path

from tests.product import ROOT, free_port

BASE = "quizsite-test/debian:12"
STAND_INS = ("redis", "nginx", "postgres")
TARGETS = ("web", "worker", "runner")
VERSION = "test"
STUDENTS = 20
CORES = len(os.sched_getaffinity(0))
PROGRAMS = ("dockerd", "docker", "debootstrap", "tar")
START_SECONDS = 60
PATIENCE_SECONDS = 60
READY_SECONDS = 600


def missing():
    """What a machine lacks to run these tests, in words; nothing where it lacks nothing."""
    lacking = [program for program in PROGRAMS if shutil.which(program) is None]
    if os.geteuid() != 0:
        lacking.append("the rights of root")
    if not lacking and compose_command() is None:
        lacking.append("docker compose")
    return ", ".join(lacking)


def compose_command():
    """How Compose is called here: the engine's plug-in, or the program of its own that came before it."""
    if subprocess.run(["docker", "compose", "version"], capture_output=True).returncode == 0:
        return ["docker", "compose"]
    return ["docker-compose"] if shutil.which("docker-compose") else None


def mounts_below(folder):
    """The places below a folder where something is mounted."""
    places = (line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines())
    return [place for place in places if Path(place).is_relative_to(folder)]


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


_STAYING = urllib.request.build_opener(_Stay)


class Engine:
    """An engine that keeps everything in one folder, beside any that the machine has."""

    def __init__(self, folder: Path):
        self.folder = folder
        address = f"unix://{folder / 'engine.sock'}"
        # Without BuildKit: the client may have come without its plug-in.
        self.environment = {
            **os.environ,
            "DOCKER_HOST": address,
            "DOCKER_BUILDKIT": "0",
            "COMPOSE_DOCKER_CLI_BUILD": "0",
        }
        # No bridge or packet rules of its own that would stay on this machine: ports are served by the engine's proxy.
        apart = ["--bridge", "none", "--iptables=false", "--ip6tables=false"]
        folders = ["--data-root", folder / "data", "--exec-root", folder / "exec", "--pidfile", folder / "pid"]
        with (folder / "log").open("wb") as log:
            self._process = subprocess.Popen(["dockerd", *apart, *folders, "--host", address], stdout=log, stderr=log)
        self._wait()

    def _wait(self):
        end = time.monotonic() + START_SECONDS
        while subprocess.run(["docker", "info"], env=self.environment, capture_output=True).returncode:
            if self._process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"dockerd did not start: {(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.2)

    def docker(self, *arguments, stdin=None, check=True):
        return subprocess.run(
            ["docker", *map(str, arguments)], env=self.environment, input=stdin, capture_output=True, check=check
        )

    def make_base(self):
        """Debian with Python, as an image; with this machine's sources of packages, so that more can be installed."""
        root = self.folder / "root"
        packages = "python3,python3-venv,libseccomp2,ca-certificates"
        subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={packages}", "bookworm", root],
            check=True,
            capture_output=True,
        )
        with subprocess.Popen(["tar", "-C", root, "-c", "."], stdout=subprocess.PIPE) as tar:
            subprocess.run(["docker", "import", "-", BASE], env=self.environment, stdin=tar.stdout, check=True)
        shutil.rmtree(root)

    def build(self, folder, target, tag, *, network, **arguments):
        given = [item for name, value in arguments.items() for item in ("--build-arg", f"{name}={value}")]
        told = self.docker("build", "--network", network, "--target", target, "--tag", tag, *given, folder, check=False)
        assert told.returncode == 0, told.stdout.decode()[-3000:] + told.stderr.decode()[-1000:]

    def stop(self):
        self._process.terminate()
        self._process.wait(60)
        # What was interrupted may have left this machine's own proc mounted in there: never delete through a mount.
        for mount in sorted(mounts_below(self.folder), reverse=True):
            subprocess.run(["umount", mount], check=True)
        shutil.rmtree(self.folder)


def lay_out(folder: Path):
    """The committed source with the wheels that its images are built from, and secrets of its own."""
    committed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(committed)) as archive:
        archive.extractall(folder, filter="data")
    _fetch_wheels(folder / "deploy" / "wheels")
    subprocess.run([folder / "deploy" / "make-secrets"], check=True, capture_output=True)


def _fetch_wheels(folder: Path):
    """All that the lock names, whatever its markers say of this interpreter: the image may have another."""
    pinned = re.findall(r"(?m)^([\w.-]+==[^\s;]+)", (ROOT / "requirements.lock").read_text())
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--dest", folder]
    fetch += ["--python-version=3.11"]
    torch = shlex.split(os.environ.get("TORCH") or "torch==2.13.0")
    subprocess.run([*fetch, "--no-deps", *pinned], check=True)
    subprocess.run([*fetch, *torch], check=True)


class Site:
    """The product under Compose; `call` speaks to its proxy."""

    def __init__(self, engine: Engine, folder: Path, **settings):
        self._engine, self._folder = engine, folder
        self.base = f"http://127.0.0.1:{(port := free_port())}"
        self.environment = {
            **engine.environment,
            **{f"{name.upper()}_IMAGE": f"quizsite-test/{name}" for name in STAND_INS},
            "COMPOSE_PROJECT_NAME": "quizsite-test",
            "QUIZSITE_VERSION": VERSION,
            "QUIZSITE_PROXY": "http",
            "QUIZSITE_SSL_REDIRECT": "0",
            "HTTP_PORT": f"127.0.0.1:{port}",
            "HTTPS_PORT": f"127.0.0.1:{free_port()}",
            **settings,
        }

    def run(self, *command, status=0):
        """What a program of the source folder says. Raises: AssertionError when it ends with another status."""
        told = subprocess.run(command, cwd=self._folder, env=self.environment, capture_output=True, text=True)
        assert told.returncode == status, told.stdout[-3000:] + told.stderr[-3000:]
        return told.stdout + told.stderr

    def compose(self, *arguments):
        return self.run(*compose_command(), *arguments)

    def manage(self, *arguments, service="web"):
        return self.compose("exec", "-T", service, "python", "manage.py", *arguments)

    def up(self, **settings):
        """Start all that does not run, with these settings from now on, and wait until all of it works."""
        self.environment.update(settings)
        try:
            self.compose("up", "-d", "--no-build")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.logs()}") from error
        self.wait_until_ready()

    def wait_until_ready(self):
        end = time.monotonic() + READY_SECONDS
        while self.status("/readyz") != 200:
            assert time.monotonic() < end, self.logs()
            time.sleep(0.5)

    def logs(self):
        return self.compose("logs", "--no-color", "--tail=20")

    def pid(self, service):
        """Of the first process of its container."""
        (container,) = self.compose("ps", "-q", service).split()
        return int(self._engine.docker("inspect", "--format={{.State.Pid}}", container).stdout)

    def status(self, path):
        try:
            with urllib.request.urlopen(self.base + path, timeout=PATIENCE_SECONDS) as answer:
                return answer.status
        except OSError as error:
            return getattr(error, "code", 0)

    def metrics(self):
        """What is told to Prometheus."""
        token = (self._folder / "deploy/secrets/metrics_token").read_text().strip()
        request = urllib.request.Request(f"{self.base}/metrics", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.read().decode()

    def ask(self, path, **headers):
        """Status, headers and text, of a redirect itself as well."""
        request = urllib.request.Request(
            self.base + path, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )
        try:
            with _STAYING.open(request, timeout=PATIENCE_SECONDS) as answer:
                return answer.status, answer.headers, answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode(errors="replace")

    def call(self, method, path, token, body=None):
        request = urllib.request.Request(
            self.base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Token {token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return json.loads(answer.read())
