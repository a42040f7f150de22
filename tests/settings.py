"""The product's settings with a folder of its own for each test process, and quick where safety does not matter."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

folder = tempfile.mkdtemp(prefix="quizsite-tests-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)
(Path(folder) / "static").mkdir()
os.environ["DATA"] = folder

from quizsite.settings import *  # noqa: E402, F403, TID251  (settings extend settings)

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Pages are tested without collecting static files first.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405
