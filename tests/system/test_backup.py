"""A backup of the product while it works, brought back in another folder."""

import os
import subprocess
import sys

import pytest

from tests.product import RIGHT, ROOT, Product

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.timeout(240)]


def manage(data, *arguments):
    environment = {**os.environ, "DATA": str(data)}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    command = [sys.executable, ROOT / "manage.py", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def test_hand_ins_before_a_backup_are_graded_after_it_is_restored(product, tmp_path):
    """Also one that waited or ran when the copy was made."""
    graded = product.graded(product.submit(RIGHT))
    waiting = product.submit(f"{RIGHT}# just before the backup\n")
    made = manage(product.data, "backup", tmp_path / "backup")
    refused = manage(product.data, "restore", tmp_path / "backup", "--force")
    restored = manage(tmp_path / "data", "restore", tmp_path / "backup")
    elsewhere = Product(tmp_path / "data")
    elsewhere.start()
    try:
        there = [elsewhere.graded(submission) for submission in (graded, waiting)]
    finally:
        elsewhere.stop()

    assert (made.returncode, refused.returncode, restored.returncode) == (0, 1, 0), made.stderr + restored.stderr
    assert "in use by another running instance" in refused.stderr
    assert [submission["verdict"] for submission in there] == ["accepted", "accepted"]
    assert there[0] == graded
