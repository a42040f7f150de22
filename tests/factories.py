"""Rows and values for tests: plain functions, with what a test doesn't name made up."""

import itertools
from decimal import Decimal

from django.utils import timezone

from exercises.choices import Kind, Lane, Reason, Role, RunKind, State
from exercises.content.values import AssetFile, CourseFolder, ExerciseFolder, LessonFolder
from exercises.models import Assignment, Check, Course, Exercise, ExerciseVersion, Grading, Lesson, Revision, Run, User
from exercises.queries import definition_of, response_seed
from exercises.services import RunFacts, claim_next, enrol, record_outcome, submit
from exercises.teach.authoring.beginnings import beginning
from graders.outcomes import CaseOutcome, Feedback, Outcome, Verdict
from graders.questions.kinds import right_response_of

NUMBERS = itertools.count(1000)

CHOICE = {
    "kind": "choice",
    "prompt": "Why?",
    "options": [
        {"text": "Because", "correct": True, "feedback": "Yes."},
        {"text": "By chance", "correct": False, "feedback": "No."},
    ],
}
NUMERIC = {"kind": "numeric", "prompt": "How many?", "answer": 5}
CODE = {"kind": "code", "prompt": "Write `double`.", "entry": "double"}
TEXT = {"kind": "text", "prompt": "What is it called?", "accept": [{"exact": "softmax", "ignore_case": True}]}
TENSOR = {"kind": "tensor", "prompt": "Fill it in.", "answer": [[1, 0.5], ["1/3", 0]]}
BLANKS = {
    "kind": "blanks",
    "prompt": "Fill the gaps.",
    "template": "Divide by {{root}}, which is {{number}}.",
    "blanks": {"root": {"accept": [{"exact": "sqrt(d)"}]}, "number": {"answer": 8}},
}
ORDERING = {
    "kind": "ordering",
    "prompt": "Put in order.",
    "lines": ["def mean(x):", "    total = x.sum()", "    return total / len(x)"],
    "distractors": ["return total"],
    "indent": True,
}
MATCHING = {
    "kind": "matching",
    "prompt": "Match.",
    "pairs": [["query", "asks"], ["key", "shows"], ["value", "gives"]],
    "distractors": ["forgets"],
}
EXPLAIN = {
    "kind": "explain",
    "prompt": "Explain it.",
    "rubric": [
        {"criterion": "Names the spread", "points": 2, "description": "It grows with `d`."},
        {"criterion": "Names the softmax", "points": 1},
    ],
    "model_answer": "The scores spread.",
}
QUESTIONS = {
    Kind.CHOICE: CHOICE,
    Kind.NUMERIC: NUMERIC,
    Kind.TEXT: TEXT,
    Kind.TENSOR: TENSOR,
    Kind.BLANKS: BLANKS,
    Kind.ORDERING: ORDERING,
    Kind.MATCHING: MATCHING,
    Kind.EXPLAIN: EXPLAIN,
    Kind.CODE: CODE,
    Kind.SCRIPT: {"kind": "script", "prompt": "Run."},
}


def make_user(**overrides):
    fields = {"username": f"user{next(NUMBERS)}", **overrides}
    return User.objects.create_user(**fields)


def make_course(**overrides):
    number = next(NUMBERS)
    return Course.objects.create(**{"slug": f"course-{number}", "title": f"Course {number}", **overrides})


def make_member(course, role=Role.STUDENT, **overrides):
    user = make_user(**overrides)
    enrol(user, course, role=role)
    return user


def make_lesson(course=None, **overrides):
    number = next(NUMBERS)
    fields = {
        "course": course or make_course(),
        "slug": f"lesson-{number}",
        "position": number,
        "title": f"Lesson {number}",
        "source": "Text",
        "html": "<p>Text</p>",
        "snippets": [{"source": "print(1)\n", "fresh": False, "output": None, "line": 1}],
    }
    return Lesson.objects.create(**{**fields, **overrides})


def make_exercise(course=None, *, kind=Kind.CODE, definition=None, files=None, version=None, **overrides):
    """A published exercise; `definition` adds to its exercise.yaml, `version` to the fields of its version."""
    number = next(NUMBERS)
    fields = {"course": course or make_course(), "slug": f"exercise-{number}", "position": number, **overrides}
    exercise = Exercise.objects.create(**fields)
    publish_version(exercise, kind=kind, definition=definition, files=files, **(version or {}))
    return exercise


def publish_version(exercise, *, kind=Kind.CODE, definition=None, files=None, **overrides):
    number = next(NUMBERS)
    fields = {
        "exercise": exercise,
        "number": exercise.versions.count() + 1,
        "content_hash": f"content {number}",
        "grading_hash": f"grading {number}",
        "kind": kind,
        "title": f"Exercise {number}",
        "points": 1,
        "definition": {
            "exercise": {**QUESTIONS[kind], "title": f"Exercise {number}", **(definition or {})},
            "files": files or {},
        },
    }
    exercise.published = ExerciseVersion.objects.create(**{**fields, **overrides})
    exercise.save()
    return exercise.published


def make_revision(exercise=None, *, kind=Kind.CODE, files=None, **overrides):
    """A working copy as the head: a small sound exercise of the kind, with `files` in place of its own."""
    exercise = exercise or make_exercise()
    contents = {**beginning(kind, "Begun"), **(files or {})}
    number = exercise.revisions.count() + 1
    facts = {"kind": kind, "title": "Begun", "content_hash": f"content {number}", "grading_hash": f"grading {number}"}
    return Revision.objects.create(**{"exercise": exercise, "number": number, "files": contents, **facts, **overrides})


def make_check(revision=None, *, report=None, **overrides):
    """A finished check of the revision; `report` adds to one that found nothing."""
    revision = revision or make_revision()
    whole = {
        "slug": revision.exercise.slug,
        "kind": revision.kind,
        "title": revision.title,
        "grading_hash": revision.grading_hash,
        "sound": True,
        "checks": ["schema", "texts"],
        "findings": [],
        "facts": {},
        "mutation": None,
        "seconds": 1.5,
        **(report or {}),
    }
    fields = {"exercise": revision.exercise, "revision": revision, "state": State.FINISHED, "report": whole}
    return Check.objects.create(**{**fields, **overrides})


def make_mutant(**overrides):
    """One change of a reference, as in a report; it survived, and a case is offered."""
    fields = {
        "operator": "keepdim dropped",
        "line": 2,
        "change": "return x - x.mean(-1, keepdim=True) → return x - x.mean(-1)",
        "diff": "@@ -2 +2 @@\n-    return x - x.mean(-1, keepdim=True)\n+    return x - x.mean(-1)\n",
        "fate": "survived",
        "by": "",
        "reason": "",
        "offer": {
            "code": '{\n    "name": "far",\n    "args": [\n        torch.tensor([[3.5]]),\n    ],\n},',
            "seen": "All differ.",
        },
    }
    return {**fields, **overrides}


def make_mutation(*mutants, **overrides):
    """The mutation score of a report with these mutants."""
    counts = {
        fate: sum(mutant["fate"] == fate for mutant in mutants)
        for fate in ("killed", "survived", "equivalent", "broken")
    }
    decided = counts["killed"] + counts["survived"]
    score = counts["killed"] / decided if decided else 1.0
    return {"score": score, "required": 0.9, **counts, "mutants": list(mutants), **overrides}


def make_submission(student=None, exercise=None, **overrides):
    """A hand-in of code, waiting to be graded."""
    exercise = exercise or make_exercise()
    fields = {"source": f"x = {next(NUMBERS)}\n", **overrides}
    return submit(student or make_member(exercise.course), exercise, **fields)


def right_response(student, exercise):
    """What the key says, for this student."""
    return right_response_of(definition_of(exercise)["exercise"], response_seed(student, exercise))


def make_graded(student=None, exercise=None, *, outcome=None, facts=None, printed="", **overrides):
    """A hand-in of code, graded; nothing else may wait."""
    submission = make_submission(student, exercise, **overrides)
    claim = claim_next("test")
    assert claim.id == submission.grading.pk
    record_outcome(claim, outcome or make_outcome(), facts=facts or RunFacts(), printed=printed)
    return submission


def make_run(student=None, **overrides):
    fields = {"student": student or make_user(), "kind": RunKind.FREE, "source": "print(1)\n", "lane": Lane.RUN}
    return Run.objects.create(**{**fields, **overrides})


def make_regrade(submission, **overrides):
    """A second grading of the submission, waiting."""
    fields = {
        "student": submission.student,
        "submission": submission,
        "version": submission.version,
        "lane": Lane.REGRADE,
        "reason": Reason.REGRADE,
        "state": State.QUEUED,
        "queued_at": timezone.now(),
    }
    return Grading.objects.create(**{**fields, **overrides})


def make_case(**overrides):
    fields = {
        "name": "two tokens",
        "visible": True,
        "verdict": Verdict.ACCEPTED,
        "points": Decimal(1),
        "max_points": Decimal(1),
        "feedback": Feedback(),
    }
    return CaseOutcome(**{**fields, **overrides})


def make_outcome(**overrides):
    fields = {
        "verdict": Verdict.ACCEPTED,
        "score": Decimal(4),
        "max_score": Decimal(4),
        "feedback": Feedback(summary="All cases are right."),
    }
    return Outcome(**{**fields, **overrides})


def make_exercise_folder(**overrides):
    fields = {
        "slug": "double",
        "kind": "code",
        "title": "Double",
        "points": Decimal(1),
        "definition": {"exercise": {**CODE, "title": "Double"}, "files": {"starter.py": "def double(x): ...\n"}},
        "content_hash": "content one",
        "grading_hash": "grading one",
    }
    return ExerciseFolder(**{**fields, **overrides})


def make_lesson_folder(**overrides):
    fields = {
        "slug": "doubling",
        "title": "Doubling",
        "summary": "Twice as much.",
        "source": "# Doubling\n",
        "html": "<h2>Doubling</h2>",
        "snippets": ({"source": "print(2)\n", "fresh": False, "output": "2\n", "line": 3},),
        "checks": (),
        "contents": (),
        "search_text": "Doubling",
        "exercises": ("double",),
    }
    return LessonFolder(**{**fields, **overrides})


def make_asset_file(**overrides):
    fields = {"path": "picture.png", "media_type": "image/png", "digest": "one", "content": b"one"}
    return AssetFile(**{**fields, **overrides})


def make_course_folder(**overrides):
    fields = {
        "slug": "numbers",
        "title": "Numbers",
        "summary": "From one to two.",
        "self_paced": True,
        "time_zone": "UTC",
        "lessons": (make_lesson_folder(),),
        "exercises": (make_exercise_folder(),),
        "assets": (make_asset_file(),),
    }
    return CourseFolder(**{**fields, **overrides})


def make_assignment(*exercises, **overrides):
    """An open assignment of these exercises, each with 10 points; students see it."""
    number = next(NUMBERS)
    exercises = exercises or (make_exercise(),)
    fields = {"course": exercises[0].course, "title": f"Assignment {number}", "slug": f"assignment-{number}"}
    assignment = Assignment.objects.create(**{**fields, **overrides})
    for position, exercise in enumerate(exercises):
        assignment.items.create(exercise=exercise, position=position, points=10)
    return assignment
