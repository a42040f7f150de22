"""The whole of `make upgrade-check`: on the same torch, and on one in which changes were planted.

The environments share their files with the present one, all but those of the planted changes.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import uuid

import pytest

from tests.corpus.items import FOLDER
from tests.product import ROOT

pytestmark = [pytest.mark.verify, pytest.mark.sandbox, pytest.mark.timeout(1800)]
PLANTED = '''
def _planted(input, dim, dtype=None, _softmax=softmax):
    """Off by a little, and in need of a system call that no run is allowed."""
    import os
    try:
        os.sched_setaffinity(0, {0})
    except OSError:
        pass
    return _softmax(input, dim, dtype=dtype) * FACTOR

softmax = _planted
'''
LESSON = """---
title: Rows
summary: Rows that sum to one.
---

```python run
import torch
print(torch.softmax(torch.tensor([[0.0, 0.0]]), dim=1))
```
```output
tensor([[0.5000, 0.5000]])
```
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course of one exercise and one lesson."""
    folder = tmp_path_factory.mktemp("courses") / "rows"
    shutil.copytree(FOLDER / "exercises" / "x1-row-softmax", folder / "exercises" / "x1-row-softmax")
    (folder / "exercises" / "x1-row-softmax" / "starter.py").touch()
    (folder / "lessons").mkdir()
    (folder / "lessons" / "rows.md").write_text(LESSON)
    (folder / "course.yaml").write_text("title: Rows\nsummary: Rows.\nlessons: [rows]\n")
    return folder


@pytest.fixture
def environment():
    """A copy of the present environment by links, on its own file system."""
    folder = ROOT / "build" / f"upgrade-test-{uuid.uuid4().hex[:8]}"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    shutil.copytree(sysconfig.get_path("purelib"), packages, symlinks=True, copy_function=os.link, dirs_exist_ok=True)
    yield folder
    shutil.rmtree(folder)


def plant(environment, factor):
    (path,) = environment.glob("lib/python*/site-packages/torch/__init__.py")
    text = path.read_text() + PLANTED.replace("FACTOR", str(factor))
    # Not into the file that is shared.
    path.unlink()
    path.write_text(text)


def check(environment, course, *options):
    """The status, the last line, and the report."""
    target = environment / "report.json"
    command = [sys.executable, "-m", "tests.upgrade", "--other", environment / "bin" / "python", "--courses", course]
    command += ["--without-corpus", "--json", target, *options]
    done = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True)
    assert target.exists(), done.stdout + done.stderr
    return done.returncode, done.stdout.splitlines()[-1], json.loads(target.read_text())


def failed(report):
    return {difference["what"] for difference in report["differences"] if difference["matters"]}


def test_same_torch_changes_nothing(environment, course):
    status, last, report = check(environment, course)

    assert (status, report["differences"]) == (0, [])
    assert last == f"{report['compared']} passed, 0 failed"


def test_planted_changes_are_all_found(environment, course):
    plant(environment, 1.01)

    status, last, report = check(environment, course)

    assert status == 1
    assert last.endswith(f", {report['failed']} failed")
    assert failed(report) == {"reference", "output", "lesson", "denied call"}
    assert "sched_setaffinity: EPERM" in report["denied"][1]


def test_change_within_tolerance_is_a_note(environment, course):
    plant(environment, 1.0000001)

    status, _, report = check(environment, course, "--accept", "sched_setaffinity")

    assert (status, failed(report)) == (0, set())
    assert "output" in {difference["what"] for difference in report["differences"]}
