"""How many queries each page takes for people with a long history, and each answer of the API; files are streamed."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from knox.models import AuthToken

from exercises.choices import Kind, Role, Shown
from exercises.services import open_hint, save_draft, start_assignment, submit
from graders.outcomes import Verdict
from tests.access import Furniture, routes, table
from tests.factories import (
    make_assignment,
    make_case,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    right_response,
)

pytestmark = pytest.mark.django_db

MOST = 15
ROUTES = dict(routes())
OF_EXERCISES = {"learn:exercise", "learn:review", "api:exercise", "teach:analysis"}
OF_SUBMISSIONS = {"learn:submission", "learn:submission-panel", "learn:compare", "teach:submission", "api:submission"}
MISSED = {"verdict": Verdict.WRONG_ANSWER, "points": Decimal(0)}
STATED = {"hints": ["one", "two"], "explanation": "So it is.", "reveal": {"after": 3, "at_closing": True}}


class History(Furniture):
    """A course with one of everything, and a student who has done all that can be done there."""

    def __init__(self):
        super().__init__(dropped_lowest=1)
        self.instructor = make_member(self.course, role=Role.INSTRUCTOR)
        self.assistant = make_member(self.course, role=Role.ASSISTANT)
        self.alone, self.at_home, self.in_quiz = (self._exercises() for _ in range(3))
        self.homework = make_assignment(*self.at_home, **self._dates())
        steps = {"is_quiz": True, "minutes": 60, "max_attempts": 5, "one_question_a_page": True}
        self.steps = make_assignment(*self.in_quiz, **steps, **self._dates())
        for assignment in (self.homework, self.steps):
            assignment.extensions.create(student=self.student, extra_attempts=1)
        start_assignment(self.student, self.steps)
        for exercise in (*self.alone, *self.at_home, *self.in_quiz):
            self._work_on(exercise)
            self.lesson.embedded.create(exercise=exercise, position=exercise.position)

    def addresses(self, route):
        """The addresses of a route: of each exercise, submission and assignment where it is about one."""
        values = self.arguments(route)
        worked_on = (*self.alone, *self.at_home, *self.in_quiz, self.explain)
        if route in OF_EXERCISES:
            name = "slug" if route.startswith("api:") else "exercise"
            changes = [{name: exercise.slug} for exercise in worked_on]
        elif route in OF_SUBMISSIONS:
            name = "pk" if route.startswith("api:") else "submission_id"
            latest = [exercise.submissions.filter(student=self.student).latest("pk") for exercise in worked_on]
            changes = [{name: submission.pk} for submission in latest]
        elif "assignment" in ROUTES[route]:
            changes = [{"assignment": found.slug} for found in (self.homework, self.steps)]
        else:
            changes = []
        every = [{**values, **change} for change in ({}, *changes)]
        return [reverse(route, kwargs={name: found[name] for name in ROUTES[route]}) for found in every]

    def _exercises(self):
        kinds = (Kind.CODE, Kind.CHOICE)
        return [make_exercise(self.course, kind=kind, definition=STATED, max_attempts=9) for kind in kinds]

    def _dates(self):
        soon = timezone.now() + timedelta(days=1)
        return {"due_at": soon, "closes_at": soon + timedelta(days=1), "outcomes_shown": Shown.CLOSED}

    def _work_on(self, exercise):
        open_hint(self.student, exercise, number=1)
        if exercise.is_code:
            make_graded(self.student, exercise)
            cases = (make_case(**MISSED), make_case(**MISSED, visible=False))
            wrong = make_outcome(verdict=Verdict.WRONG_ANSWER, score=Decimal(0), cases=cases)
            make_graded(self.student, exercise, outcome=wrong)
            save_draft(self.student, exercise, source="y = 1\n", revision=0)
        else:
            submit(self.student, exercise, response=right_response(self.student, exercise))
            save_draft(self.student, exercise, fields={}, revision=0)


def answer_to(user, address):
    """The answer, and how many queries it took."""
    client, headers = Client(), {}
    if address.startswith("/api/"):
        headers["Authorization"] = f"Token {AuthToken.objects.create(user=user)[1]}"
    else:
        client.force_login(user)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address, headers=headers)
    return answer, len(queries)


def is_page(answer):
    """Whether it is no file to be kept: these are read row by row."""
    return not answer.streaming and "attachment" not in answer.get("Content-Disposition", "")


@pytest.mark.parametrize("role", ["student", "assistant", "instructor"])
def test_no_page_takes_many_queries(role):
    history = History()
    read = {route for route, rows in table().items() if any(method == "GET" for method, _whose in rows)}
    pages, counts = 0, {}

    for route in sorted(read):
        for address in history.addresses(route):
            with transaction.atomic():
                answer, count = answer_to(getattr(history, role), address)
                transaction.set_rollback(True)
            if answer.status_code == 200 and is_page(answer):
                pages += 1
                counts[route] = max(count, counts.get(route, 0))

    assert pages > 40
    assert {route: count for route, count in counts.items() if count > MOST} == {}
