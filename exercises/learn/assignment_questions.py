"""An assignment all on one page: the forms of its questions, and the ways to what is written in an editor."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.safestring import SafeString

from exercises.choices import Kind
from exercises.content.markdown import render_markdown
from exercises.learn.assignment_items import points_word
from exercises.learn.drafts import DraftState, draft_state, fields_to_open_with, filled_in
from exercises.learn.drawn import DrawnQuestion, drawn_question
from exercises.learn.forms import fresh_key
from exercises.learn.lesson_page import reachable
from exercises.learn.questions import QuestionForm
from exercises.learn.rows import exercise_url
from exercises.models import Assignment, AssignmentExercise, Draft, Exercise, Submission, User
from exercises.queries import definition_of
from exercises.queries.own_order import in_own_order


@dataclass(frozen=True, slots=True, kw_only=True)
class WithinAssignment:
    """Of which assignment a form is: what it is named by when it is handed in."""

    slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentQuestion:
    """An exercise in the midst of the page: as `ExercisePage`, as far as a form needs it."""

    slug: str
    title: str
    kind_word: str
    points_word: str
    is_code: bool
    version: int
    prompt: SafeString
    question: QuestionForm | None
    url: str
    submit_url: str
    draft_url: str
    preview_url: str
    assignment: WithinAssignment
    draft: DraftState
    fault: str = ""
    best: None = None
    key: str = field(default_factory=fresh_key)


def assignment_questions(student: User, assignment: Assignment) -> list[AssignmentQuestion]:
    """All that may be shown, in the student's own order, each with its draft. Three queries, whatever their number."""
    items = assignment.items.select_related("exercise__course", "exercise__published")
    shown = [item for item in items if item.exercise.published and not item.exercise.is_retired]
    handed_in = Submission.objects.filter(student=student, assignment=assignment).defer("source").order_by("pk")
    latest = {row.exercise_id: row for row in handed_in.select_related("version").defer("version__definition")}
    drafts = {row.exercise_id: row for row in Draft.objects.filter(student=student, exercise__assignments=assignment)}
    return [
        _question(student, item, latest.get(item.exercise_id), drafts.get(item.exercise_id))
        for item in in_own_order(assignment, shown, student=student)
    ]


def _question(
    student: User, item: AssignmentExercise, latest: Submission | None, draft: Draft | None
) -> AssignmentQuestion:
    exercise, assignment = item.exercise, item.assignment
    version, where = exercise.published, (exercise.course.slug, exercise.slug)
    assert version is not None
    drawn = _drawn(student, exercise, latest)
    return AssignmentQuestion(
        slug=exercise.slug,
        title=version.title,
        kind_word=str(Kind(version.kind).label),
        points_word=points_word(item.points),
        is_code=version.is_code,
        version=version.number,
        prompt=drawn.prompt,
        question=_with_draft(drawn.form, draft, latest),
        fault=drawn.fault,
        url=f"{exercise_url(exercise.course, exercise)}?assignment={assignment.slug}",
        submit_url=reverse("learn:submit", args=where),
        draft_url=reverse("learn:draft", args=where),
        preview_url=reverse("learn:preview", args=where),
        assignment=WithinAssignment(slug=assignment.slug),
        draft=draft_state(draft, is_code=version.is_code),
    )


def _drawn(student: User, exercise: Exercise, latest: Submission | None) -> DrawnQuestion:
    assert exercise.published is not None
    if exercise.is_code:
        return DrawnQuestion(prompt=reachable(render_markdown(definition_of(exercise)["exercise"]["prompt"])))
    # An older version may have been of another kind.
    is_same = latest is not None and latest.version.kind == exercise.published.kind
    return drawn_question(student, exercise, latest.response if latest is not None and is_same else None)


def _with_draft(form: QuestionForm | None, draft: Draft | None, latest: Submission | None) -> QuestionForm | None:
    fields = fields_to_open_with(draft, latest)
    return form if form is None or fields is None else filled_in(form, fields)
