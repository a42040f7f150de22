from decimal import Decimal

import pytest

from graders.judging import judge_submission, with_breaches
from graders.outcomes import Stage, Verdict
from graders.rules import Breach, breaches
from tests.graders.test_judging import VISIBLE, make_key, returned

FORBID = {"names": ["softmax"], "operators": ["aten::mm", "softmax"], "loops": True}
NAME = {"rule": "names", "name": "softmax", "line": 3}
LOOP = {"rule": "loops", "name": "while", "line": 5}


def test_findings_become_breaches_in_order():
    assert breaches(FORBID, [NAME, LOOP], []) == (
        Breach(rule="names", name="softmax", line=3),
        Breach(rule="loops", name="while", line=5),
    )


@pytest.mark.parametrize(
    "findings",
    [
        None,
        "softmax",
        {"rule": "names"},
        [None, 3, {}],
        [{**NAME, "name": "exp"}, {**NAME, "line": "3"}, {**LOOP, "name": "go"}, {**NAME, "rule": "operators"}],
    ],
)
def test_forged_findings_are_passed_over(findings):
    assert breaches(FORBID, findings, []) == ()


@pytest.mark.parametrize(
    ("operator", "rule"),
    [
        ("aten::mm", "aten::mm"),
        ("aten::softmax", "softmax"),
        ("aten::_softmax", "softmax"),
        ("own::softmax_", "softmax"),
        ("aten::bmm", None),
        ("own::mm", None),
        ("aten::log_softmax", None),
        ("not an operator", None),
    ],
)
def test_operators(operator, rule):
    expected = (Breach(rule="operators", name=rule),) if rule else ()

    assert breaches(FORBID, [], [operator, operator]) == expected
    assert breaches({}, [], [operator]) == ()


def test_operator_may_be_written_with_a_point():
    assert breaches({"operators": ["aten.mm"]}, None, ["aten::mm"]) == (Breach(rule="operators", name="aten.mm"),)
    assert breaches({"operators": ["no operator"]}, None, ["aten::mm"]) == ()


def test_submission_without_breaches_is_what_it_was():
    outcome = judge_submission(make_key(VISIBLE), [returned([1.0, 2.0])])

    assert with_breaches(outcome, ()) is outcome


@pytest.mark.parametrize(
    ("broken", "summary"),
    [
        ((Breach(rule="names", name="exp", line=2),), "solved without `exp`, which is used here (line 2)."),
        ((Breach(rule="loops", name="for", line=2),) * 2, "(`for`) (line 2). There is 1 further use."),
        ((Breach(rule="operators", name="mm"),) * 3, "which a call comes down to. There are 2 further uses."),
    ],
)
def test_broken_rules_leave_no_points(broken, summary):
    outcome = with_breaches(judge_submission(make_key(VISIBLE), [returned([1.0, 2.0])]), broken)

    assert (outcome.verdict, outcome.score, outcome.max_score) == (Verdict.WRONG_ANSWER, 0, Decimal(1))
    assert (outcome.feedback.stage, outcome.feedback.cause) == (Stage.RULES, "forbidden")
    assert summary in outcome.feedback.summary
    assert [case.points for case in outcome.cases] == [0]
