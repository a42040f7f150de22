"""Who may reach what: all addresses of the site, all kinds of people, and the table of what each is answered."""

import itertools
import json
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from knox.models import AuthToken

from exercises.choices import Kind, RegradeState, Role, RunKind, State
from exercises.learn.shared import shared_url
from exercises.models import Asset, Regrade
from exercises.services import RunFacts, claim_next, create_join_link, create_sign_in_link, record_run, submit, tell
from exercises.services.spaced_reviews import plan_review
from graders.outcomes import Verdict
from tests.factories import (
    make_assignment,
    make_check,
    make_course,
    make_exercise,
    make_graded,
    make_lesson,
    make_member,
    make_revision,
    make_run,
    make_user,
)

TABLE = Path(__file__).with_name("access_table.txt")
ROLES = ("anonymous", "student", "classmate", "stranger", "assistant", "instructor")
METHODS = ("GET", "POST", "DELETE")
# The only ones that take a whole thing in place of another; to PUT elsewhere is to POST.
PUT_TOO = {"api:course-content"}
OF_EXPLANATIONS = {
    "learn:preview",
    "learn:assess",
    "teach:review",
    "teach:review-queue",
    "teach:read-answer",
    "teach:read-alike",
    "teach:put-review-in-force",
}
OF_COURSES = {"api:course", "api:course-content", "api:gradebook", "api:gradebook-csv"}
OF_NO_COURSE = {"key", "uidb36", "path"}


class Furniture:
    """A course with one of everything; submission and run are the student's own."""

    def __init__(self, **course):
        self.course = make_course(**course)
        self.lesson = make_lesson(self.course)
        self.exercise = make_exercise(
            self.course, files={"starter.py": "def double(x): ...\n"}, definition={"hints": ["one", "two"]}
        )
        self.choice = make_exercise(self.course, kind=Kind.CHOICE)
        self.explain = make_exercise(self.course, kind=Kind.EXPLAIN)
        self.quiz = make_assignment(make_exercise(self.course, kind=Kind.CHOICE), is_quiz=True)
        self.asset = Asset.objects.create(
            course=self.course, path="picture.png", media_type="image/png", digest="one", content=b"one"
        )
        create_join_link(self.course, Role.STUDENT, created_by=None)
        self.link = self.course.join_links.get()
        self.student = make_member(self.course)
        self.submission = make_graded(self.student, self.exercise)
        self.explained = submit(self.student, self.explain, response="Because.")
        self.run = make_run(student=self.student)
        record_run(claim_next("test"), Verdict.ACCEPTED, result={"stdout": "1\n"}, facts=RunFacts())
        self.staff_run = make_run(
            kind=RunKind.JUDGED,
            state=State.GRADED,
            verdict=Verdict.ACCEPTED,
            version=self.exercise.published,
            submission=self.submission,
        )
        self.notice = tell(self.student.pk, "Something was judged.")
        self.comment = self.submission.comments.create(text="Which axis?")
        self.override = self.student.overrides.create(exercise=self.exercise, score=1, max_score=1, reason="So.")
        self.question = self.course.questions.create(
            student=self.student, exercise=self.exercise, submission=self.submission, text="Why?"
        )
        plan_review(self.student, self.exercise)
        self.refusal = self.student.refusals.create(exercise=self.exercise, reason="closed", source="x = 1\n")
        self.head = make_revision(self.exercise)
        self.check = make_check(self.head)
        self.regrade = Regrade.objects.create(
            exercise=self.exercise, version=self.exercise.published, state=RegradeState.APPLIED
        )

    def arguments(self, route):
        """What to put in for each name in an address."""
        values = {
            "course": self.course.slug,
            "lesson": self.lesson.slug,
            "assignment": self.quiz.slug,
            "exercise": self.explain.slug if route in OF_EXPLANATIONS else self.exercise.slug,
            "submission_id": self.explained.pk if route in OF_EXPLANATIONS else self.submission.pk,
            "run_id": (self.staff_run if route == "teach:staff-run" else self.run).pk,
            "comment_id": self.comment.pk,
            "notice_id": self.notice.pk,
            "override_id": self.override.pk,
            "student_id": self.student.pk,
            "number": 1,
            "question_id": self.question.pk,
            "refusal_id": self.refusal.pk,
            "link_id": self.link.pk,
            "member_id": self.student.memberships.get(course=self.course).pk,
            "name": self.asset.path,
            "path": "nothing",
            "slug": self.course.slug if route in OF_COURSES else self.exercise.slug,
            "pk": self.run.pk if route == "api:run" else self.submission.pk,
            "token": self._token(route),
            "key": "nobodys-key",
            "uidb36": "1",
        }
        return values

    def _token(self, route):
        if route == "learn:join":
            return create_join_link(self.course, Role.STUDENT, created_by=None)
        if route == "learn:shared":
            return shared_url("print(1)").split("/")[-2]
        return create_sign_in_link(self.student)


class World:
    """Two courses without a common member, and somebody of each role in the first."""

    def __init__(self):
        self.home, self.foreign = Furniture(), Furniture()
        # Addresses whose answers could be framed, taken for something else, or kept by a cache.
        self.loose = []
        course = self.home.course
        self.people = {
            "anonymous": None,
            "student": self.home.student,
            "classmate": make_member(course),
            "stranger": make_user(),
            "assistant": make_member(course, role=Role.ASSISTANT),
            "instructor": make_member(course, role=Role.INSTRUCTOR),
        }

    def status(self, role, method, address):
        """The status of the answer; whatever the request changed is undone."""
        client, headers = Client(raise_request_exception=False), {}
        user = self.people[role]
        with transaction.atomic():
            if user is not None and address.startswith("/api/"):
                headers["Authorization"] = f"Token {AuthToken.objects.create(user=user)[1]}"
            elif user is not None:
                client.force_login(user)
            is_api = address.startswith("/api/")
            content = {"data": "{}", "content_type": "application/json"} if is_api and method != "GET" else {}
            answer = getattr(client, method.lower())(address, headers=headers, **content)
            transaction.set_rollback(True)
        if is_loose(answer):
            self.loose.append((role, method, address))
        return answer.status_code


def is_loose(answer):
    """Whether another page could frame the answer, a browser take it for something else, or a cache keep it."""
    policy, caching = answer.get("Content-Security-Policy", ""), answer.get("Cache-Control", "")
    is_of_a_file = "default-src 'none'" in policy and "sandbox" in policy
    is_strict = is_of_a_file or ("frame-ancestors 'none'" in policy and "unsafe" not in policy)
    is_same_for_all = answer.request["PATH_INFO"].startswith("/schema/")
    is_private = "no-store" in caching or "private" in caching or is_same_for_all
    is_plain = answer.get("X-Frame-Options") == "DENY" and answer.get("X-Content-Type-Options") == "nosniff"
    return not (is_strict and is_private and is_plain)


def routes():
    """Every route of the site: its name, and the names of the arguments in its address."""
    return sorted(_routes(get_resolver(settings.ROOT_URLCONF).url_patterns, "", ()))


def _routes(patterns, namespace, above):
    for item in patterns:
        arguments = (*above, *item.pattern.regex.groupindex)
        if isinstance(item, URLResolver):
            inner = f"{namespace}{item.namespace}:" if item.namespace else namespace
            yield from _routes(item.url_patterns, inner, arguments)
        elif isinstance(item, URLPattern):
            assert item.name, f"the route {item.pattern} needs a name"
            yield f"{namespace}{item.name}", arguments


def statuses(world, route, arguments):
    """What each role is answered, by method and by whose object it is: home, foreign, or none at all."""
    found = {}
    is_about_a_course = not set(arguments) <= OF_NO_COURSE
    objects = {"home": world.home, "foreign": world.foreign} if is_about_a_course else {"-": world.home}
    methods = (*METHODS, "PUT") if route in PUT_TOO else METHODS
    for (whose, furniture), method in itertools.product(objects.items(), methods):
        values = furniture.arguments(route)
        address = reverse(route, kwargs={name: values[name] for name in arguments})
        found[method, whose] = tuple(world.status(role, method, address) for role in ROLES)
    return found


def table():
    """The table: `{route: {(method, whose): statuses}}`. Methods that nobody may use are left out of it."""
    rows = {}
    for line in TABLE.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            route, method, whose, *codes = line.split()
            rows.setdefault(route, {})[method, whose] = tuple(int(code) for code in codes)
    return rows


def without_forbidden(found):
    """The same without methods that are answered with 405 to everyone who may see that there is something."""
    return {key: codes for key, codes in found.items() if 405 not in codes}


def written(route, found):
    """The lines of the table for a route."""
    return "".join(
        f"{route:40} {method:6} {whose:8} {' '.join(str(code) for code in codes)}\n"
        for (method, whose), codes in found.items()
    )


def dumped(answer):
    """Body and headers of an answer as one text."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return body.decode(errors="replace") + json.dumps(dict(answer.items()))
