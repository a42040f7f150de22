from decimal import Decimal

import pytest

from exercises import live
from exercises.choices import Kind, State
from exercises.models import Grading
from exercises.services import RunFacts, claim_next, store_case_set, submit
from graders.outcomes import Feedback, Verdict
from tests.exercises.learn.people import expecting
from tests.factories import make_case, make_exercise, make_graded, make_outcome, make_submission, publish_version

# Values with three digits before the point: no moment on a page (51.578804 s) reads like one of them.
MISMATCH = {
    "path": "",
    "expected_shape": [2, 2],
    "actual_shape": [2, 2],
    "expected_dtype": "float32",
    "actual_dtype": "float32",
    "wrong": 3,
    "total": 4,
    "share_wrong": 0.75,
    "max_absolute_error": 2.4834,
    "max_relative_error": 7.1,
    "worst": {"index": [0, 1], "actual": "362.834", "expected": "0.3507"},
    "pairs": [],
    "map": None,
    "others": [],
}


def page_of(submission):
    return f"/submissions/{submission.pk}/"


def wrong(**overrides):
    feedback = Feedback(stage="values", summary="The values are not right.", hint="Look at `scores`.", details=MISMATCH)
    return make_case(**{"verdict": Verdict.WRONG_ANSWER, "points": 0, "feedback": feedback, **overrides})


def outcome_with(*cases, **overrides):
    deciding = cases[0].feedback
    fields = {"verdict": Verdict.WRONG_ANSWER, "score": 0, "cases": cases, "feedback": deciding}
    return make_outcome(**{**fields, **overrides})


@expecting(owner=200, classmate=404, stranger=404, teacher=200)
@pytest.mark.parametrize("part", ["", "panel/"])
def test_submission_is_for_its_author_and_staff(client, people, course, part, who, status):
    submission = make_submission(people["owner"], make_exercise(course))
    client.force_login(people[who])

    assert client.get(page_of(submission) + part).status_code == status


def test_submission_shows_receipt_source_and_history(client, student, course):
    exercise = make_exercise(course)
    first = make_graded(student, exercise, source="x = '<b>'")
    second = make_graded(student, exercise)

    text = client.get(page_of(first)).content.decode()

    assert first.receipt in text
    assert second.receipt in text
    assert "&lt;b&gt;" in text
    assert "<b>" not in text


def test_submission_of_another_names_its_author_to_staff(client, people, course):
    submission = make_submission(people["owner"], make_exercise(course))
    client.force_login(people["teacher"])

    assert client.get(page_of(submission)).context["author"] == people["owner"]


@pytest.mark.parametrize(("points", "told"), [(Decimal(2), True), (Decimal(4), False)])
def test_points_of_cases_are_told_from_those_of_the_exercise(client, student, course, points, told):
    submission = make_graded(
        student, make_exercise(course, version={"points": points}), outcome=outcome_with(wrong(), score=Decimal(1))
    )

    text = client.get(page_of(submission)).content.decode()

    assert "1 / 4" in text
    assert ("1 / 4 over all cases" in text) == told


def test_case_shows_shapes_worst_place_and_errors(client, student, course):
    submission = make_graded(student, make_exercise(course), outcome=outcome_with(wrong(), make_case()))

    panel = client.get(page_of(submission)).context["panel"]

    first, second = panel.cases
    assert [(str(fact.label), fact.text) for fact in first.facts] == [
        ("Form", "float32 [2, 2]"),
        ("Differ", "3 / 4"),
        ("Worst", "[0, 1]: 362.834 instead of 0.3507"),
        ("Largest error", "2.483"),
        ("Largest relative error", "7.1"),
    ]
    assert first.is_open
    assert not second.is_open
    assert str(panel.feedback.hint) == "Look at <code>scores</code>."


def test_visible_case_shows_input_expected_and_got(client, student, course):
    exercise = make_exercise(course, files={"starter.py": "def double(x):\n    ...\n"})
    case = {"name": "two tokens", "args": [2], "kwargs": {}, "expected": 4}
    store_case_set(exercise.published, blob=b"", visible=[case])
    feedback = Feedback(stage="values", summary="Off.", details={**MISMATCH, "actual": 5})
    submission = make_graded(student, exercise, outcome=outcome_with(wrong(feedback=feedback)))

    [view] = client.get(page_of(submission)).context["panel"].cases

    assert [(value.label, value.text) for value in [*view.inputs, *view.outputs[0].values]] == [
        ("x", "2"),
        ("Expected", "4"),
        ("Got", "5"),
    ]


def test_cases_are_those_of_the_version_that_judged(client, student, course):
    exercise = make_exercise(course)
    first = exercise.published
    submission = make_graded(student, exercise, outcome=outcome_with(wrong(feedback=Feedback(summary="Off."))))
    before = client.get(page_of(submission))
    second = publish_version(exercise, files={"starter.py": "def double(rows):\n    ...\n"})
    for version, expected in ((first, 4), (second, 9)):
        case = {"name": "two tokens", "args": [2], "kwargs": {}, "expected": expected}
        store_case_set(version, blob=b"", visible=[case])
    submission.gradings.update(version=second)

    after = client.get(page_of(submission))

    [view] = after.context["panel"].cases
    shown = [(value.label, value.text) for value in [*view.inputs, *view.outputs[0].values]]
    assert shown == [("rows", "2"), ("Expected", "9")]
    assert "judged by version 2" in after.content.decode()
    assert "judged by version" not in before.content.decode()


def test_hidden_case_shows_its_stage_and_no_values_to_its_author(client, people, course):
    hidden = wrong(name="large scores", visible=False)
    submission = make_graded(people["owner"], make_exercise(course), outcome=outcome_with(hidden))
    client.force_login(people["owner"])

    page = client.get(page_of(submission))

    [view] = page.context["panel"].cases
    assert view.facts == []
    assert (view.inputs, view.outputs) == ([], [])
    assert "362.834" not in page.content.decode()


def test_explanation_of_a_mistake_is_told_once_and_rendered(client, student, course):
    feedback = Feedback(stage="values", summary="Off.", hint="Divide by **√d**.", cause="no-scaling", details=MISMATCH)
    outcome = outcome_with(wrong(feedback=feedback), wrong(name="second", feedback=feedback))
    submission = make_graded(student, make_exercise(course), outcome=outcome)

    text = client.get(page_of(submission)).content.decode()

    assert text.count("Divide by <strong>√d</strong>.") == 1
    assert "A known mistake fits" in text


@pytest.mark.parametrize(
    ("cause", "label"), [("scaled", "A likely cause"), ("mutated_input", "Where to look"), ("", "Where to look")]
)
def test_hint_that_no_author_wrote_is_no_known_mistake(client, student, course, cause, label):
    feedback = Feedback(stage="values", summary="Off.", hint="Every *value* is `2` times.", cause=cause)
    submission = make_graded(student, make_exercise(course), outcome=outcome_with(wrong(feedback=feedback)))

    text = client.get(page_of(submission)).content.decode()

    assert label in text
    assert "Every *value* is <code>2</code> times." in text
    assert "A known mistake fits" not in text


def test_lines_of_a_traceback_lead_to_the_code(client, student, course):
    frames = [
        "Traceback (most recent call last):",
        '  File "solution.py", line 3, in outer',
        '  File "snippet_1.py", line 2, in <module>',
        '  File "solution.py", line 1, in <b>',
        "ValueError: no",
    ]
    details = {"type": "ValueError", "message": "no", "line": 1, "traceback": "\n".join(frames)}
    feedback = Feedback(stage="exception", summary="ValueError: no (line 1)", details=details)
    case = make_case(verdict=Verdict.RUNTIME_ERROR, points=0, feedback=feedback)
    outcome = outcome_with(case, verdict=Verdict.RUNTIME_ERROR)
    submission = make_graded(student, make_exercise(course), outcome=outcome, source="\n\nx")

    text = client.get(page_of(submission)).content.decode()

    assert '<a href="#line-3" data-line="3" data-message="ValueError: no">' in text
    assert ">  File &quot;solution.py&quot;, line 1, in &lt;b&gt;</a>" in text
    assert 'data-line="2"' not in text


def test_exception_shows_traceback_and_line_as_text(client, student, course):
    details = {"type": "ValueError", "message": "<b>boom</b>", "line": 3, "traceback": "Traceback: <b>boom</b>"}
    feedback = Feedback(stage="exception", summary="ValueError: <b>boom</b> (line 3)", details=details)
    case = make_case(verdict=Verdict.RUNTIME_ERROR, points=0, feedback=feedback)
    outcome = outcome_with(case, verdict=Verdict.RUNTIME_ERROR)
    submission = make_graded(student, make_exercise(course), outcome=outcome, source="\n\nx")

    text = client.get(page_of(submission)).content.decode()

    assert 'href="#line-3"' in text
    assert 'id="line-3"' in text
    assert "Traceback: &lt;b&gt;boom&lt;/b&gt;" in text
    assert "<b>boom" not in text


def test_printed_text_is_text(client, student, course):
    submission = make_graded(student, make_exercise(course), printed="<script>alert(1)</script>")

    text = client.get(page_of(submission)).content.decode()

    assert "&lt;script&gt;alert(1)" in text
    assert "<script>alert" not in text


def test_evidence_and_faults_are_for_staff(client, people, course):
    submission = make_graded(people["owner"], make_exercise(course), facts=RunFacts(evidence="oom_kill 1"))
    Grading.objects.update(fault="the runner died")
    client.force_login(people["owner"])
    text = client.get(page_of(submission)).content.decode()
    assert "oom_kill" not in text
    assert "the runner died" not in text

    client.force_login(people["teacher"])
    text = client.get(page_of(submission)).content.decode()
    assert "oom_kill 1" in text
    assert "the runner died" in text


def test_panel_is_live_until_it_is_graded(client, student, course):
    submission = make_submission(student, make_exercise(course))
    address = page_of(submission) + "panel/"

    assert "data-live" in client.get(address).content.decode()

    Grading.objects.update(state=State.GRADED, verdict=Verdict.ACCEPTED, score=1, max_score=1)
    text = client.get(address).content.decode()
    assert "data-live" not in text
    assert "data-announce" in text


def test_page_of_a_waiting_submission_reloads_itself_without_script(client, student, course):
    submission = make_submission(student, make_exercise(course))

    assert '<noscript><meta http-equiv="refresh"' in client.get(page_of(submission)).content.decode()


def test_panel_shows_cases_while_they_are_judged(client, student, course, redis):
    submission = make_submission(student, make_exercise(course))
    claim_next("test")
    case = {"name": "two tokens", "visible": True, "verdict": "accepted", "points": 1, "max_points": 1}
    live.store_partial(submission.grading.pk, [case])

    page = client.get(page_of(submission) + "panel/")

    assert [view.name for view in page.context["panel"].cases] == ["two tokens"]
    assert "Running: 1 case judged" in page.content.decode()


def test_superseded_submission_says_so(client, student, course):
    exercise = make_exercise(course, max_attempts=2)
    first = make_submission(student, exercise)
    make_submission(student, exercise)

    text = client.get(page_of(first)).content.decode()

    assert "A newer submission of yours took its place" in text
    assert "data-live" not in text


def test_overtaken_submission_says_that_it_is_judged_later(client, student, course):
    exercise = make_exercise(course)
    first = make_submission(student, exercise)
    make_submission(student, exercise)

    text = client.get(page_of(first)).content.decode()

    assert "judged when nothing else waits" in text
    assert "data-live" in text


@pytest.mark.parametrize(("kind", "response"), [(Kind.NUMERIC, "1/8"), (Kind.CHOICE, None)])
def test_answer_to_a_question_is_shown_in_words(client, student, course, kind, response):
    exercise = make_exercise(course, kind=kind)
    if kind == Kind.CHOICE:
        page = client.get(f"/courses/{course.slug}/exercises/{exercise.slug}/")
        response = next(option.id for option in page.context["page"].question.options if "chance" in option.text)
    submission = submit(student, exercise, response=response)

    text = client.get(page_of(submission)).content.decode()

    assert ("By chance" if kind == Kind.CHOICE else "1/8") in text


def test_submission_takes_as_many_queries_for_three_in_the_history(client, student, course, queries_of):
    exercise = make_exercise(course)
    submission = make_graded(student, exercise)
    queries_of(page_of(submission))
    one = queries_of(page_of(submission))
    for _ in range(2):
        make_graded(student, exercise)

    assert queries_of(page_of(submission)) == one


KEPT = {
    "name": "a batch",
    "args": [{"dtype": "float32", "shape": [2], "values": [361.5, 362.5]}],
    "kwargs": {},
    "expected": {"dtype": "float32", "shape": [2], "values": [3, 5]},
    "actual": {"dtype": "float32", "shape": [2], "values": [3, 325.5]},
    "feedback": {
        "stage": "values",
        "summary": "One of <b> values is not.",
        "hint": "Work it out.",
        "cause": "",
        "details": MISMATCH,
    },
}


def failed_in_hidden_case(student, exercise):
    hidden = wrong(name="a batch", visible=False)
    return make_graded(student, exercise, outcome=outcome_with(hidden, hidden_case=KEPT))


def test_hidden_case_is_shown_once_the_exercise_reveals_it(client, student, course):
    files = {"starter.py": "def double(numbers):\n    ...\n"}
    exercise = make_exercise(course, definition={"reveal": {"after": 2, "at_closing": False}}, files=files)
    first = failed_in_hidden_case(student, exercise)

    before = client.get(page_of(first)).content.decode()
    failed_in_hidden_case(student, exercise)
    after = client.get(page_of(first)).content.decode()

    assert "After 1 more submission the smallest hidden case that fails is shown here." in before
    assert "361.5" not in before
    assert "325.5" not in before
    assert "The smallest hidden case that fails: a batch" in after
    assert "One of &lt;b&gt; values is not." in after
    assert "numbers: float32 [2], from 361.5 to 362.5" in after
    assert "325.5" in after
    assert "more submission" not in after
    assert '<details class="fold" open>' in after


def test_staff_see_the_hidden_case_of_any_exercise(client, people, course):
    submission = failed_in_hidden_case(people["owner"], make_exercise(course))
    client.force_login(people["teacher"])

    text = client.get(page_of(submission)).content.decode()

    assert "The smallest hidden case that fails: a batch" in text


def test_where_no_hand_in_reveals_anything_nothing_is_promised(client, student, course):
    text = client.get(page_of(failed_in_hidden_case(student, make_exercise(course)))).content.decode()

    assert "hidden case that fails" not in text
