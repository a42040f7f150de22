"""The shipped course with a small class in it: what the pages show once people have worked with the product."""

from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from pathlib import Path

import numpy as np

from exercises.blobs import pack
from exercises.choices import Role, RunKind, State
from exercises.content import read_course
from exercises.models import Course, Exercise, Run, Submission, User
from exercises.queries import response_form
from exercises.services import (
    RunFacts,
    claim_next,
    enrol,
    load_course,
    open_hint,
    record_outcome,
    save_draft,
    store_case_set,
    submit,
)
from graders.cases import Case, Key, Raised, Returned, listed_mistakes
from graders.comparisons import Comparison
from graders.judging import judge_case, judge_submission
from graders.outcomes import Verdict
from graders.tensors import Array
from tests.factories import make_user
from worker.values import border_value, shown

COURSE = Path(__file__).parents[2] / "exercises" / "courses" / "attention"
ATTENTION = "scaled-dot-product-attention"
FACTS = RunFacts(cpu_seconds=0.012, wall_seconds=0.02, peak_memory_bytes=41 * 1024 * 1024, torch_version="2.13.0")
RIGHT = """import math

import torch


def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value
"""
NOT_SCALED = RIGHT.replace(" / math.sqrt(query.shape[-1])", "")
RAISES = RIGHT.replace("key.transpose(-2, -1)", "key.transposed()")
NAMES = ("Ada Lind", "Bo Falk", "Cleo Amari", "Dag Moen")


@dataclass(frozen=True, kw_only=True)
class Demo:
    """`student` has tried some things, `instructor` teaches; submissions by what came of them."""

    course: Course
    student: User
    instructor: User
    accepted: Submission
    mistaken: Submission
    raised: Submission
    waiting: Submission
    run: Run


def make_demo():
    course = load_course(read_course(COURSE)).course
    instructor = make_user(username="instructor", first_name="Ines", last_name="Roth", password="demo")
    enrol(instructor, course, role=Role.INSTRUCTOR)
    students = [_student(course, name) for name in NAMES]
    student = students[0]
    attention = course.exercises.get(slug=ATTENTION)
    store_case_set(attention.published, blob=b"", visible=[_shown_case(*case) for case in _inputs()])
    for other in students[1:3]:
        for text in (NOT_SCALED, NOT_SCALED + "\n", NOT_SCALED + "\n\n"):
            _graded(other, attention, text, scale=1.0)
    submit(student, course.exercises.get(slug="one-score"), response="5")
    _answer(student, course.exercises.get(slug="why-divide-by-sqrt-d"), right=False)
    open_hint(student, attention, number=1)
    raised = _graded(student, attention, RAISES, error=_raised())
    mistaken = _graded(student, attention, NOT_SCALED, scale=1.0, printed="scores: (3, 3)\n")
    accepted = _graded(students[1], attention, RIGHT, scale=None)
    waiting = submit(students[2], attention, source=RIGHT)
    save_draft(student, attention, source=NOT_SCALED, revision=0)
    run = _run(student)
    return Demo(
        course=course,
        student=student,
        instructor=instructor,
        accepted=accepted,
        mistaken=mistaken,
        raised=raised,
        waiting=waiting,
        run=run,
    )


def _student(course, name):
    first, last = name.split()
    user = make_user(username=first.lower(), first_name=first, last_name=last, password="demo")
    enrol(user, course)
    return user


def _answer(student, exercise, *, right):
    right_text = next(
        option["text"] for option in exercise.published.definition["exercise"]["options"] if option["correct"]
    )
    options = response_form(student, exercise)["options"]
    chosen = next(option["id"] for option in options if (option["text"] == right_text) is right)
    return submit(student, exercise, response=chosen)


def _inputs():
    square = (
        np.array([[2.0, 0, 1], [0, 3, 0], [1, 1, 2]]),
        np.array([[1.0, 2, 0], [0, 1, 1], [2, 0, 3]]),
        np.array([[1.0, 0, 2], [0, 4, 0], [3, 0, 1]]),
    )
    generator = np.random.default_rng(64)
    return [
        ("three tokens of length 3", square),
        ("two queries, five keys", tuple(generator.normal(size=size) for size in ((2, 4), (5, 4), (5, 3)))),
        ("one query, long vectors", tuple(generator.normal(size=size) for size in ((1, 64), (3, 64), (3, 2)))),
    ]


def _attention(query, key, value, scale=None):
    scores = query @ key.T / (scale or np.sqrt(query.shape[-1]))
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ value


def _shown(values):
    rounded = np.round(values.astype(np.float32).astype(float), 6)
    return {"dtype": "float32", "shape": list(values.shape), "values": rounded.tolist()}


def _shown_case(name, inputs):
    return {
        "name": name,
        "args": [_shown(item) for item in inputs],
        "kwargs": {},
        "expected": _shown(_attention(*inputs)),
    }


def _array(values):
    return Array(dtype="float32", values=values.astype(np.float32))


def _key(exercise):
    cases = [
        Case(
            name=name,
            visible=visible,
            index=index,
            expected=_array(_attention(*inputs)),
            mistakes={"no-scaling": Returned(value=_array(_attention(*inputs, scale=1.0)))},
            points=Decimal(1),
        )
        for visible in (True, False)
        for index, (name, inputs) in enumerate(_inputs())
    ]
    hidden = [f"hidden {number}" for number in range(1, 4)]
    named = [*cases[:3], *(_renamed(case, name) for case, name in zip(cases[3:], hidden, strict=True))]
    definition = exercise.published.definition["exercise"]
    return Key(cases=tuple(named), comparison=Comparison.from_definition({}), mistakes=listed_mistakes(definition))


def _renamed(case, name):
    return Case(
        name=name,
        visible=False,
        index=case.index,
        expected=case.expected,
        mistakes=case.mistakes,
        points=case.points,
    )


def _raised():
    traceback = (
        "Traceback (most recent call last):\n"
        '  File "solution.py", line 7, in scaled_dot_product_attention\n'
        "    scores = query @ key.transposed() / math.sqrt(query.shape[-1])\n"
        "                     ^^^^^^^^^^^^^^\n"
        "AttributeError: 'Tensor' object has no attribute 'transposed'"
    )
    return Raised(
        type="AttributeError",
        message="'Tensor' object has no attribute 'transposed'",
        line=7,
        traceback=traceback,
    )


def _graded(student, exercise: Exercise, source, *, scale=None, error=None, printed=""):
    submission = submit(student, exercise, source=source)
    if submission.grading.state == State.GRADED:
        return submission
    claim = claim_next("demo")
    key = _key(exercise)
    inputs = [values for _name, values in _inputs()] * 2
    given = [error or Returned(value=_array(_attention(*values, scale=scale))) for values in inputs]
    judged = judge_submission(key, given)
    cases = tuple(map(with_actual, judged.cases, given))
    outcome = replace(judged, cases=cases, hidden_case=_hidden_case(key, given))
    record_outcome(claim, outcome, facts=FACTS, printed=printed)
    return Submission.objects.get(pk=submission.pk)


def with_actual(case, given):
    """The judged case with what came out, as the worker shows it."""
    if not case.visible or case.verdict == Verdict.ACCEPTED or not isinstance(given, Returned):
        return case
    details = {**(case.feedback.details or {}), "actual": shown(border_value(given.value))}
    return replace(case, feedback=replace(case.feedback, details=details))


def _hidden_case(key, given):
    """The third hidden case, as the worker keeps one."""
    case = replace(key.cases[-1], visible=True)
    told = judge_case(case, given[-1], key.comparison)
    if told.verdict == Verdict.ACCEPTED:
        return None
    kept = {**_shown_case(case.name, _inputs()[-1][1]), "feedback": asdict(told.feedback)}
    returned = {"actual": _shown(given[-1].value.values)} if isinstance(given[-1], Returned) else {}
    return {**kept, **returned}


def run_result():
    weights = [[0.2119, 0.0179, 0.7702], [0.3333, 0.3333, 0.3333], [0.1, 0.2, 0.7]]
    scores = [
        [[[(row - column) * head / 2 + batch for column in range(8)] for row in range(8)] for head in (1, 2, 3)]
        for batch in range(2)
    ]
    rows = ",\n        ".join(str(row) for row in weights)
    return {
        "stdout": f"Weights:\ntensor([{rows}])\n",
        "error": None,
        "value": "tensor([1.0000, 1.0000, 1.0000])",
        "tensors": [
            _summary("weights", shape=[3, 3], low=0.0179, high=0.7702, mean=0.3333, preview=weights),
            _summary("scores", shape=[2, 3, 64, 64], low=-3.1, high=4.2, mean=0.01, preview=scores),
            _summary("mask", dtype="bool", shape=[4], low=0.0, high=1.0, mean=0.5, preview=[True, False, True, False]),
            _summary("broken", shape=[3], preview=[float("nan"), 1.0, 2.0]),
        ],
        "cases": [],
    }


def _summary(name, *, shape, preview, dtype="float32", low=None, high=None, mean=None):
    figures = {"min": low, "max": high, "mean": mean}
    return {"name": name, "dtype": dtype, "shape": shape, "preview": preview, **figures}


def _run(student):
    return Run.objects.create(
        student=student,
        kind=RunKind.FREE,
        lane=0,
        source="import torch\n",
        state=State.GRADED,
        verdict="accepted",
        cpu_seconds=0.0043,
        peak_memory_bytes=38 * 1024 * 1024,
        result=pack(run_result()),
    )
