"""The product's settings with a folder of its own for each test process."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

folder = tempfile.mkdtemp(prefix="quizsite-tests-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)
# Where static files would be collected: the middleware that serves them wants it to be there.
(Path(folder) / "static").mkdir()
os.environ["DATA"] = folder

from quizsite.settings import *  # noqa: E402, F403, TID251  (settings extend settings)

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":  # noqa: F405  (of the settings)
    # Tables as the models say, without the history of those from elsewhere; on PostgreSQL the migrations make them.
    DATABASES["default"]["TEST"] = {"MIGRATE": False}  # noqa: F405
    # What a power cut would leave of a test's database is nobody's care.
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"  # noqa: F405
