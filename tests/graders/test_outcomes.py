import json
from decimal import Decimal

from graders.outcomes import CaseOutcome, Feedback, Outcome, Stage, Verdict


def test_outcome_as_json_is_plain():
    found = Feedback(stage=Stage.VALUES, summary="…", details={"index": (1, 2)})
    case = CaseOutcome(
        name="a",
        visible=True,
        verdict=Verdict.WRONG_ANSWER,
        points=Decimal(0),
        max_points=Decimal("1.50"),
        feedback=found,
    )
    outcome = Outcome(
        verdict=Verdict.WRONG_ANSWER, score=Decimal(0), max_score=Decimal("1.50"), feedback=found, cases=(case,)
    )

    plain = outcome.to_json()

    assert plain["verdict"] == "wrong_answer"
    assert type(plain["verdict"]) is str
    assert plain["cases"][0]["max_points"] == 1.5
    assert plain["cases"][0]["feedback"]["details"] == {"index": [1, 2]}
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
