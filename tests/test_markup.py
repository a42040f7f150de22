"""Markup in every field that a person can write: no page makes anything of it."""

from html.parser import HTMLParser

import pytest
from django.apps import apps
from django.db import models
from django.urls import reverse

from exercises.choices import Kind, Role
from exercises.content.markdown import render_markdown
from exercises.models import CaseResult, ExerciseVersion, Grading, Lesson
from graders.outcomes import Feedback, Stage, Verdict
from tests.access import Furniture, routes
from tests.factories import make_case, make_exercise, make_graded, make_member, make_outcome
from tests.test_canary import Reader

pytestmark = pytest.mark.django_db

MARKUP = " ".join(
    (
        "<planted-element>",
        "</textarea></title></script></style><planted-element>",
        "'\"><script>plant()</script>",
        "<img src=x onerror=plant()>",
        "<svg onload=plant()><a xlink:href=javascript:plant()>x</a></svg>",
        "<iframe srcdoc='<script>plant()</script>'></iframe>",
        "<a href='javascript:plant()'>a</a> [b](javascript:plant()) ![c](https://planted.test/c.png)",
        "<form action=https://planted.test><button formaction=javascript:plant()>d</button></form>",
        "<math><mtext></mtext><mglyph><style><img src=x onerror=plant()></style></mglyph></math>",
        "<base href=https://planted.test/><link rel=stylesheet href=https://planted.test/e.css>",
        "<details open ontoggle=plant()>f</details> \" autofocus onfocus=plant() x=' {{ 7|add:7 }}",
        "$\\href{javascript:plant()}{g}$",
    )
)
ACTIVE = {"iframe", "object", "embed", "base", "planted-element", "foreignobject", "frame", "applet"}
# Names that addresses, rights and machines go by, and what is rendered when it is stored.
FIXED = {
    "slug",
    "path",
    "html",
    "lease",
    "receipt",
    "kind",
    "state",
    "verdict",
    "password",
    "digest",
    "media_type",
    "reason",
}
OF_HASHES = ("_hash", "_version", "zone")
WORDS_OF_VERSIONS = ("prompt", "explanation")


def plant_everywhere():
    """The markup behind what stands in each field of text of each row, whoever wrote it."""
    for model in apps.get_app_config("exercises").get_models():
        fields = [field for field in model._meta.concrete_fields if is_written(field)]
        for row in model._default_manager.all():
            changes = {field.name: f"{getattr(row, field.name) or row.pk} {MARKUP}" for field in fields}
            if changes:
                model._default_manager.filter(pk=row.pk).update(**changes)
    for lesson in Lesson.objects.all():
        Lesson.objects.filter(pk=lesson.pk).update(html=render_markdown(f"# One\n\n{MARKUP}\n"))
    for version in ExerciseVersion.objects.all():
        words = dict.fromkeys(WORDS_OF_VERSIONS, f"What? {MARKUP}")
        hints = [MARKUP] * len(version.definition.get("hints", []))
        version.definition = {**version.definition, **words, "hints": hints}
        ExerciseVersion.objects.filter(pk=version.pk).update(definition=version.definition)


def is_written(field):
    is_text = isinstance(field, models.CharField | models.TextField) and not field.choices
    return is_text and field.name not in FIXED and not field.name.endswith(OF_HASHES)


class Page(HTMLParser):
    """Finds what a browser would run, or fetch from elsewhere."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        if tag in ACTIVE or (tag == "script" and not given.get("src", "").startswith("/static/")):
            self.found.append((tag, given))
        for name, value in given.items():
            leads = "".join(value.split()).lower()
            if name.startswith("on") or "plant()" in name or leads.startswith(("javascript:", "vbscript:")):
                self.found.append((tag, name, value))
            if name in ("src", "action", "formaction", "data", "poster") and leads.startswith(("http", "//")):
                self.found.append((tag, name, value))
            if tag == "link" and leads.startswith(("http", "//")):
                self.found.append((tag, name, value))


class Furnished(Furniture):
    """Everything there is, and a submission that failed with words of its own."""

    def __init__(self):
        super().__init__()
        self.questions = [
            make_exercise(self.course, kind=kind) for kind in (Kind.NUMERIC, Kind.TEXT, Kind.ORDERING, Kind.MATCHING)
        ]
        told = Feedback(
            stage=Stage.VALUES, summary=MARKUP, hint=MARKUP, details={"traceback": MARKUP, "printed": MARKUP}
        )
        case = make_case(name=MARKUP, verdict=Verdict.RUNTIME_ERROR, feedback=told)
        outcome = make_outcome(verdict=Verdict.RUNTIME_ERROR, score=0, cases=(case,), feedback=told)
        self.submission = make_graded(self.student, self.exercise, outcome=outcome, source=MARKUP, printed=MARKUP)

    def addresses(self):
        for route, arguments in routes():
            values = self.arguments(route)
            yield reverse(route, kwargs={name: values[name] for name in arguments})
        for exercise in (self.choice, *self.questions):
            yield reverse("learn:exercise", args=[self.course.slug, exercise.slug])


@pytest.fixture
def furnished():
    made = Furnished()
    made.teacher = make_member(made.course, role=Role.INSTRUCTOR)
    plant_everywhere()
    return made


@pytest.mark.parametrize("who", ["student", "teacher"])
def test_no_page_makes_anything_of_markup(furnished, who):
    reader = Reader(getattr(furnished, who))
    pages = {}
    for address in dict.fromkeys(["/", "/search/?q=plant", *furnished.addresses()]):
        answer = reader.get(address)
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            pages[address] = b"".join(answer).decode()

    assert {address: Page(text).found for address, text in pages.items() if Page(text).found} == {}
    # It is on the pages, as text.
    assert sum("planted-element" in text for text in pages.values()) > 15
    assert len(pages) > 40


def test_what_looks_for_it_would_find_each_kind():
    """The control: the same markup, not escaped."""
    found = str(Page(f"<p>{MARKUP}").found)

    for sign in (
        "planted-element",
        "'script'",
        "onerror",
        "onload",
        "iframe",
        "javascript:",
        "formaction",
        "base",
        "ontoggle",
    ):
        assert sign in found


def test_rows_that_hold_feedback_were_among_them(furnished):
    assert CaseResult.objects.filter(name__contains="planted").exists()
    assert Grading.objects.exclude(feedback=None).exists()
