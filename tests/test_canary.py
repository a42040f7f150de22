"""Words planted in all that is for staff or is a classmate's; then a student reads whatever they can reach."""

import re
from decimal import Decimal
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from exercises.blobs import pack
from exercises.choices import Kind, Role, RunKind, Shown, State
from exercises.models import CaseSet, Draft, Grading
from exercises.services import RunFacts, claim_next, record_run, submit, tell
from graders.outcomes import Feedback, Stage, Verdict
from tests.access import METHODS, Furniture, dumped, routes
from tests.factories import (
    make_assignment,
    make_case,
    make_check,
    make_exercise,
    make_graded,
    make_member,
    make_mutant,
    make_mutation,
    make_outcome,
    make_revision,
    make_run,
    make_submission,
)

pytestmark = pytest.mark.django_db

CANARY = "canary-7f3a"
LINKS = re.compile(r"""(?:href|src|action|hx-get|hx-sse:connect|data-[a-z-]+)=["'](/[^"'#]*)""")
FILES = {
    "starter.py": "def double(x): ...\n",
    "reference.py": f"# {CANARY} reference\n",
    "cases.py": f"# {CANARY} cases\n",
    "mistakes/halved.py": f"# {CANARY} mistake\n",
}
CODE = {
    "hints": [f"{CANARY} first hint", f"{CANARY} second hint"],
    "explanation": f"{CANARY} explanation",
    # The student's second hand-in lacks nothing but one more to see the hidden case.
    "reveal": {"after": 3, "at_closing": True},
    "misconceptions": [f"{CANARY} misconception"],
    "mistakes": {"halved": {"title": f"{CANARY} title", "feedback": f"{CANARY} feedback"}},
}
CHOICE = {
    "options": [
        {"text": "Because", "correct": True, "feedback": f"{CANARY} right option"},
        {"text": "By chance", "correct": False, "feedback": "No."},
        {"text": "By law", "correct": False, "feedback": f"{CANARY} other option"},
    ],
    "explanation": f"{CANARY} explanation",
}
NUMERIC = {
    "answer": 918273.5,
    "feedback": [{"answer": 6, "text": f"{CANARY} other number"}],
    "explanation": f"{CANARY} explanation",
}
QUESTIONS = {
    Kind.TEXT: (
        {"accept": [{"exact": CANARY}, {"pattern": f"{CANARY}.*"}], "feedback": [{"pattern": CANARY, "text": CANARY}]},
        "something else",
    ),
    Kind.TENSOR: ({"answer": [918273.5, 1], "explanation": CANARY}, [1, 2]),
    Kind.BLANKS: (
        {"blanks": {"root": {"accept": [{"exact": CANARY}]}, "number": {"answer": 918273.5}}},
        {"root": "d", "number": "8"},
    ),
    Kind.EXPLAIN: (
        {"model_answer": CANARY, "rubric": [{"criterion": "It is", "points": 1, "description": CANARY}]},
        "So it is.",
    ),
}
SCORE = Decimal("918273.5")
SECRETS = (CANARY, str(SCORE))


class Planted(Furniture):
    """A course with a word in each place that is not for the student, who has handed in something to each exercise."""

    def __init__(self):
        super().__init__(title="Planted")
        self.code = make_exercise(self.course, files=FILES, definition=CODE)
        self.numeric = make_exercise(self.course, kind=Kind.NUMERIC, definition=NUMERIC)
        self.choice = make_exercise(self.course, kind=Kind.CHOICE, definition=CHOICE)
        self.questions = [
            make_exercise(self.course, kind=kind, definition=definition) for kind, (definition, _) in QUESTIONS.items()
        ]
        for position, exercise in enumerate((self.code, self.numeric, self.choice, *self.questions)):
            self.lesson.embedded.create(exercise=exercise, position=position)
        shown = [{"name": "visible", "args": [1.0], "kwargs": {}, "expected": 2.0}]
        CaseSet.objects.create(
            exercise=self.code,
            grading_hash=self.code.published.grading_hash,
            digest="x",
            blob=CANARY.encode(),
            visible=shown,
            hidden=pack([{"index": 0, "draw": 0, "name": CANARY, "args": [CANARY], "kwargs": {}, "expected": CANARY}]),
        )
        self._hand_in()
        self._hand_in_to_what_is_withheld()
        self._plant_at_a_classmate()
        self._plant_at_authors()

    def _hand_in(self):
        by_text = {option["text"]: option["id"] for option in self._api("choice")["options"]}
        submit(self.student, self.choice, response=by_text["By chance"])
        submit(self.student, self.numeric, response="7")
        for question, (_, wrong) in zip(self.questions, QUESTIONS.values(), strict=True):
            submit(self.student, question, response=wrong)
        told = {"values": f"{CANARY} hidden values", "worst": [0, 1]}
        hidden = make_case(
            name="hidden",
            visible=False,
            verdict=Verdict.WRONG_ANSWER,
            feedback=Feedback(stage=Stage.VALUES, summary="In a hidden case, …", details=told),
        )
        kept = {"name": f"{CANARY} hidden case", "args": [f"{CANARY} hidden input"], "expected": CANARY}
        outcome = make_outcome(verdict=Verdict.WRONG_ANSWER, score=1, cases=(make_case(), hidden), hidden_case=kept)
        self.submission = make_graded(
            self.student, self.code, outcome=outcome, facts=RunFacts(evidence=f"{CANARY} evidence")
        )
        run = make_run(student=self.student)
        record_run(claim_next("test"), Verdict.ACCEPTED, result={"stdout": "1\n"}, facts=RunFacts(evidence=CANARY))
        self.run = run
        hidden = [{"index": 0, "draw": 0, "verdict": "wrong_answer", **kept, "actual": CANARY, "feedback": {}}]
        self.staff_run = make_run(
            kind=RunKind.JUDGED,
            state=State.GRADED,
            verdict=Verdict.WRONG_ANSWER,
            version=self.code.published,
            submission=self.submission,
            source=f"# {CANARY} edited copy\n",
            result=pack({"cases": [], "hidden": hidden, "evidence": CANARY}),
        )
        failed = make_submission(self.student, self.code)
        Grading.objects.filter(submission=failed).update(
            state=State.GRADED, verdict=Verdict.INTERNAL_ERROR, fault=f"{CANARY} fault"
        )

    def _hand_in_to_what_is_withheld(self):
        """Right, judged, and not to be known yet: in no list, panel, score, notice or copy."""
        self.withheld = make_exercise(self.course, definition={"explanation": f"{CANARY} explanation"})
        assignment = make_assignment(self.withheld, title="Withheld", outcomes_shown=Shown.RELEASED)
        told = Feedback(summary=f"{CANARY} feedback")
        outcome = make_outcome(score=SCORE, max_score=SCORE, feedback=told, cases=(make_case(name=f"{CANARY} case"),))
        handed_in = make_graded(self.student, self.withheld, outcome=outcome, printed=f"{CANARY} printed")
        handed_in.comments.create(author=make_member(self.course, role=Role.ASSISTANT), text=f"{CANARY} comment")
        assert handed_in.assignment == assignment

    def _plant_at_a_classmate(self):
        classmate = make_member(self.course, username=f"{CANARY}-name", first_name=CANARY)
        make_graded(classmate, self.code, source=f"# {CANARY} source\n", printed=f"{CANARY} printed")
        Draft.objects.create(student=classmate, exercise=self.code, source=f"{CANARY} draft")
        make_run(student=classmate, source=f"# {CANARY} run\n")
        tell(classmate.pk, f"{CANARY} notice")
        asked = self.course.questions.create(student=classmate, exercise=self.code, text=f"{CANARY} question")
        asked.replies.create(author=classmate, text=f"{CANARY} reply")

    def _plant_at_authors(self):
        head = make_revision(self.code, files={"reference.py": f"# {CANARY} head\n"}, title=f"{CANARY} new title")
        finding = {"check": "mistakes", "message": f"{CANARY} finding", "file": "", "line": None, "level": "problem"}
        mutant = make_mutant(operator=f"{CANARY} mutant")
        make_check(head, report={"findings": [finding], "mutation": make_mutation(mutant)})

    def _api(self, name):
        exercise = getattr(self, name)
        address = reverse("api:exercise", kwargs={"course": self.course.slug, "slug": exercise.slug})
        return Reader(self.student).get(address).json()


class Reader:
    """Reads pages as a user who is signed in, and the API with a token of theirs."""

    def __init__(self, user):
        self._client = Client(raise_request_exception=False)
        self._client.force_login(user)
        self._headers = {"Authorization": f"Token {AuthToken.objects.create(user=user)[1]}"}

    def get(self, address, method="get"):
        headers = self._headers if address.startswith("/api/") else {}
        return getattr(self._client, method)(address, headers=headers)

    def crawl(self, addresses):
        """The text of each answer by its address: of these, and of all that their links lead to."""
        texts, waiting = {}, list(addresses)
        while waiting:
            address = waiting.pop()
            if address in texts or address.startswith("/static/"):
                continue
            answer = self.get(address)
            texts[address] = dumped(answer)
            links = [*LINKS.findall(texts[address]), answer.headers.get("Location", "")]
            waiting += [_path(address, link) for link in links if link.startswith("/")]
        return texts


def _path(address, link):
    parts = urlsplit(urljoin(address, unescape(link)))
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def addresses(planted):
    """Every address of the site, with the objects of the course; and what a curious student would add."""
    found = [f"/search/?q={CANARY}", "/search/?q=918273", "/api/v1/schema/?format=json"]
    for exercise in (
        planted.exercise,
        planted.code,
        planted.numeric,
        planted.choice,
        planted.withheld,
        *planted.questions,
    ):
        planted.exercise = exercise
        for route, arguments in routes():
            values = planted.arguments(route)
            found.append(reverse(route, kwargs={name: values[name] for name in arguments}))
    return [address for address in dict.fromkeys(found) if not address.startswith(("/sign-in/", "/join/"))]


def leaks(texts):
    """Where a secret stands; an address that repeats what was asked for does not count as one."""
    return {
        address: text[max(text.find(secret) - 80, 0) :][:200]
        for address, text in texts.items()
        for secret in SECRETS
        if secret in text and f"q={secret}" not in address
    }


@pytest.fixture
def planted():
    return Planted()


def test_student_finds_no_canary_on_any_page_or_endpoint(planted):
    texts = Reader(planted.student).crawl(["/", *addresses(planted)])

    assert leaks(texts) == {}
    # The crawl went where the secrets are near.
    assert f"/submissions/{planted.submission.pk}/" in texts
    assert f"/courses/{planted.course.slug}/exercises/{planted.code.slug}/" in texts
    assert len(texts) > 40


def test_search_finds_nothing_by_a_secret(planted):
    reader = Reader(planted.student)

    for secret in (CANARY, "918273"):
        page = reader.get(f"/search/?q={secret}").content.decode()
        assert planted.code.published.title not in page
        assert planted.numeric.published.title not in page


@pytest.mark.parametrize("method", ["options", "head", *(name.lower() for name in METHODS)])
def test_no_method_tells_a_canary(planted, method):
    reader = Reader(planted.student)

    texts = {address: dumped(reader.get(address, method)) for address in addresses(planted)}

    assert leaks(texts) == {}


def test_canary_is_found_by_those_whom_it_is_for(planted):
    """The control: were the crawl blind, it would find nothing here either."""
    reader = Reader(make_member(planted.course, role=Role.INSTRUCTOR))
    teach, author = f"/teach/{planted.course.slug}/", f"/author/courses/{planted.course.slug}/"
    theirs = {
        teach,
        f"{teach}questions/",
        f"{teach}submissions/{planted.submission.pk}/",
        f"{teach}staff-runs/{planted.staff_run.pk}/",
        f"{author}exercises/{planted.code.slug}/check/",
    }

    assert set(leaks({address: dumped(reader.get(address)) for address in theirs})) == theirs
