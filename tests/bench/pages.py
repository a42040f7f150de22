"""How long each page takes, and how many queries, with a class of 1,100 students and 300,000 submissions.

`make bench` runs it on a PostgreSQL of its own: `.ci/with-postgres python -m tests.bench.pages`. Every route that
answers a student or an instructor with a page is measured, so a new one is measured too. Prints a table and a line of
JSON.
"""

import argparse
import gc
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizsite.settings")
os.environ.setdefault("DATA", tempfile.mkdtemp(prefix="quizsite-bench-"))
django.setup()

from django.core.management import call_command  # noqa: E402  (after the set-up)
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext, override_settings  # noqa: E402
from django.urls import reverse  # noqa: E402
from knox.models import AuthToken  # noqa: E402

from exercises.choices import Role  # noqa: E402
from exercises.management.commands.make_class import database_bytes  # noqa: E402
from exercises.models import Course, Submission  # noqa: E402
from tests.access import OF_COURSES, routes  # noqa: E402

SLUG = "class"
FLAGSHIP = "scaled-dot-product-attention"
MOST_MS, MOST_QUERIES, MOST_BYTES = 300.0, 15, 3_000_000_000
ROUNDS = 7
CORES = os.cpu_count() or 1
SLOW_SECONDS = 3.0
"""What takes longer is timed once."""
STAFF = ("teach:", "authoring:")
# Nothing that a person opens: for machines, or a file that is as large as the class is.
NOT_PAGES = ("healthz", "readyz", "servez", "metrics", "api:schema", "course-schema", "exercise-schema")
WHOLE_CLASS = ("csv", "xlsx", "export", "download")
PLAIN_FILES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}


class Visitors:
    """A student in the middle of the class and its instructor, each signed in."""

    def __init__(self):
        self.course = Course.objects.get(slug=SLUG)
        members = self.course.memberships.select_related("user").order_by("pk")
        students = members.filter(role=Role.STUDENT)
        self.people = {
            "student": students[students.count() // 2].user,
            "instructor": members.filter(role=Role.INSTRUCTOR).first().user,
        }
        self.clients = {role: self._signed_in(user) for role, user in self.people.items()}
        self.tokens = {role: AuthToken.objects.create(user=user)[1] for role, user in self.people.items()}

    def open(self, role, address):
        """The answer, of which a stream has not been read."""
        headers = {"Authorization": f"Token {self.tokens[role]}"} if address.startswith("/api/") else {}
        return self.clients[role].get(address, headers=headers)

    def get(self, role, address):
        """The whole answer."""
        answer = self.open(role, address)
        if answer.streaming:
            for _piece in answer.streaming_content:
                pass
        return answer

    def arguments(self, route):
        """What to put in for the names in an address."""
        student, exercise = self.people["student"], self.course.exercises.get(slug=FLAGSHIP)
        mine = Submission.objects.filter(student=student, exercise=exercise).last()
        return {
            "course": SLUG,
            "lesson": self.course.lessons.first().slug,
            "exercise": FLAGSHIP,
            "assignment": self.course.assignments.last().slug,
            "student_id": student.pk,
            "submission_id": mine.pk,
            "receipt": mine.receipt,
            "number": 1,
            "slug": SLUG if route in OF_COURSES else FLAGSHIP,
            "pk": mine.pk,
        }

    def _signed_in(self, user):
        client = Client(raise_request_exception=False, SERVER_NAME="localhost")
        client.force_login(user)
        return client


def addresses(visitors):
    """`(name, role, address)` of every page, and names of the routes for which there is nothing to put in."""
    found, left = [], []
    for route, arguments in routes():
        known = visitors.arguments(route)
        if route in NOT_PAGES or any(name not in known for name in arguments):
            left.append(route)
            continue
        role = "instructor" if route.startswith(STAFF) else "student"
        found.append((route, role, reverse(route, kwargs={name: known[name] for name in arguments})))
    return [*found, *_more(visitors)], left


def _more(visitors):
    """What a single address of a route does not show: other orders, far pages, what staff see of students' pages."""
    matrix, known = reverse("teach:matrix", args=(SLUG,)), visitors.arguments("")
    submission = reverse("learn:submission", args=(known["submission_id"],))
    choice = visitors.course.exercises.filter(published__kind="choice").first()
    analysis = reverse("teach:exercise-analysis", args=(SLUG, choice.slug))
    return [
        ("teach:matrix by points", "instructor", f"{matrix}?sort=-points"),
        ("teach:matrix last page", "instructor", f"{matrix}?page=9999"),
        ("teach:matrix of who is stuck", "instructor", f"{matrix}?stuck=1"),
        ("teach:matrix by exercise", "instructor", f"{matrix}?sort={FLAGSHIP}"),
        (
            "teach:exercise-analysis of a choice",
            "instructor",
            analysis,
        ),
        ("learn:submission of a student", "instructor", submission),
        ("learn:search for a word", "student", f"{reverse('learn:search')}?q=attention"),
    ]


def measure(visitors, name, role, address):
    """One row; None where the visitor is not answered with a page."""
    first = _spent(visitors, role, address)
    if first is None:
        return None
    # Without the first, which fills caches.
    spent = [first] if first[0] > SLOW_SECONDS else [_spent(visitors, role, address) for _ in range(ROUNDS)]
    wall, cpu = (statistics.median(values) * 1000 for values in zip(*spent, strict=True))
    with CaptureQueriesContext(connection) as queries:
        visitors.get(role, address)
    return {"page": name, "role": role, "ms": round(wall, 1), "cpu_ms": round(cpu, 1), "queries": len(queries)}


def _spent(visitors, role, address):
    """Seconds by the clock and of computing, here and in the database; None where the answer is not a page."""
    started, before = time.perf_counter(), time.thread_time() + _database_seconds()
    answer = visitors.get(role, address)
    wall, cpu = time.perf_counter() - started, time.thread_time() + _database_seconds() - before
    return (wall, cpu) if answer.status_code == 200 else None


def _database_seconds():
    """What the process of the database that serves this connection has computed; 0 where it is not on this machine."""
    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    stat = Path(f"/proc/{connection.connection.info.backend_pid}/stat")
    if not stat.exists():
        return 0.0
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def growth_of_exports(visitors, pages):
    """For each file of the whole class, the most MB that this process grew by while it was written."""
    return {name: _growth(visitors, role, address) for name, role, address in pages if _is_file(name)}


def _growth(visitors, role, address):
    gc.collect()
    before = largest = _resident_bytes()
    answer = visitors.open(role, address)
    for number, _piece in enumerate(answer.streaming_content if answer.streaming else ()):
        if number % 50 == 0:
            largest = max(largest, _resident_bytes())
    return round((largest - before) / 1e6, 1)


def _resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _is_file(name):
    return any(word in name for word in WHOLE_CLASS)


def _is_missed(row):
    # On a busy machine the clock measures the others.
    is_idle = os.getloadavg()[0] <= CORES
    is_slow = row["cpu_ms"] > MOST_MS or (is_idle and row["ms"] > MOST_MS)
    return (is_slow or row["queries"] > MOST_QUERIES) and not _is_file(row["page"])


def print_rows(rows, left, size, growth):
    print(f"{CORES} cores, load {os.getloadavg()[0]:.1f}; ms by the clock, and of computing here and in the database\n")
    print(f"{'page':40} {'seen by':10} {'ms':>8} {'cpu ms':>8} {'queries':>8}")
    for row in sorted(rows, key=lambda row: -row["cpu_ms"]):
        missed = "  a file of the whole class" if _is_file(row["page"]) else "  missed" if _is_missed(row) else ""
        print(f"{row['page']:40} {row['role']:10} {row['ms']:8.1f} {row['cpu_ms']:8.1f} {row['queries']:8}{missed}")
    print(f"\nnot measured, for want of an object: {', '.join(left)}")
    print("most MB more memory while a file of the whole class was written:")
    for name, megabytes in growth.items():
        print(f"{name:40} {megabytes:8.1f}")
    print(f"database: {size / 1e6:.0f} MB{'  missed' if size > MOST_BYTES else ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=1100)
    parser.add_argument("--submissions", type=int, default=300_000)
    parser.add_argument("--only", default="", help="pages whose name has this in it")
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    if not Course.objects.filter(slug=SLUG).exists():
        call_command("make_class", slug=SLUG, students=options.students, submissions=options.submissions)
    with override_settings(STORAGES=PLAIN_FILES):
        visitors = Visitors()
        pages, left = addresses(visitors)
        wanted = [page for page in pages if options.only in page[0]]
        rows = [row for page in wanted if (row := measure(visitors, *page)) is not None]
        growth = growth_of_exports(visitors, wanted)
    size = database_bytes()
    print_rows(rows, left, size, growth)
    print(f"\n{json.dumps({'pages': rows, 'database_bytes': size, 'export_growth_mb': growth})}")
    return any(map(_is_missed, rows)) or size > MOST_BYTES


if __name__ == "__main__":
    sys.exit(main())
