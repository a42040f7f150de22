"""What each door may load, seen in a fresh interpreter: a parent package runs on import, and linters don't see that."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAM = """
import importlib, json, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "quizsite.settings"
if {django}:
    import django
    django.setup()
for name in {modules}:
    importlib.import_module(name)
print(json.dumps(sorted(sys.modules)))
"""
EMPTY = ["graders/__init__.py", "worker/__init__.py", "worker/sandbox/__init__.py"]


def loaded(*modules, django=False):
    """The names of all modules that a new interpreter has loaded after importing these."""
    program = PROGRAM.format(modules=list(modules), django=django)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


def within(names, *packages):
    """Those of `names` that are one of the packages or lie inside."""
    return sorted(name for name in names for package in packages if name == package or name.startswith(f"{package}."))


def modules_of(folder, *, without=()):
    """The dotted names of the modules below a folder."""
    paths = (ROOT / folder).rglob("*.py")
    names = sorted(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths)
    return [name for name in names if not within([name], *without)]


def test_graders_load_no_django_no_torch_and_nothing_above_them():
    names = loaded(*modules_of("graders"))

    assert within(names, "django", "celery", "redis", "torch", "exercises", "worker", "quizsite", "asyncio") == []


def test_sandbox_loads_nothing_of_ours():
    names = loaded(*modules_of("worker/sandbox"))

    assert within(names, "django", "celery", "redis", "kombu", "exercises", "graders", "quizsite") == []
    assert [name for name in within(names, "worker") if not within([name], "worker.sandbox")] == ["worker"]


@pytest.mark.parametrize("module", ["job", "wire", "client", "service", "runner", "maker"])
def test_sandbox_outside_of_the_warm_process_loads_no_torch(module):
    names = loaded(f"worker.sandbox.{module}")

    assert within(names, "torch", "numpy") == []


def test_web_loads_neither_torch_nor_the_sandbox_nor_grading():
    names = loaded(
        "quizsite.asgi",
        "quizsite.wsgi",
        "quizsite.urls",
        "exercises.learn.urls",
        "exercises.teach.urls",
        "exercises.api.urls",
        "quizsite.management.commands.up",
        django=True,
    )

    assert within(names, "torch", "worker.sandbox", "worker.grading", "worker.tasks", "worker.cases") == []
    # It is loaded where answers are read, which few processes ever do.
    assert within(names, "sklearn") == []


def test_worker_loads_no_torch_and_no_pages():
    names = loaded("worker.tasks", django=True)

    assert within(names, "torch", "exercises.learn", "exercises.teach", "exercises.api", "quizsite.urls") == []


def test_application_knows_neither_door():
    names = loaded(*modules_of("exercises", without=("exercises.courses", "exercises.migrations")), django=True)

    # Both are installed apps; what is inside of them is what must not be reached.
    allowed = {
        "quizsite",
        "quizsite.apps",
        "quizsite.settings",
        "worker",
        "worker.app",
        "worker.apps",
        "worker.lifeline",
        "worker.stopping",
    }
    # The scheme of the cache, the form of log lines, the path below a host and the addresses are named in the settings.
    allowed |= {"quizsite.cache", "quizsite.log_lines", "quizsite.sub_path", "quizsite.urls", "quizsite.health"}
    assert set(within(names, "quizsite", "worker")) - allowed == set()


def test_events_load_no_models():
    names = loaded("quizsite.events")

    assert within(names, "torch", "exercises.models", "exercises.services", "django.contrib", "worker.sandbox") == []


@pytest.mark.parametrize("path", EMPTY)
def test_packages_that_run_on_every_import_are_empty(path):
    assert (ROOT / path).read_text() == ""
