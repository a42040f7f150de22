from decimal import Decimal

import pytest

from exercises import live
from graders.outcomes import CaseOutcome, Feedback, Verdict
from tests import factories
from worker.partial import PartialVerdicts

OUTCOME = CaseOutcome(
    name="one",
    visible=True,
    verdict=Verdict.ACCEPTED,
    points=Decimal(1),
    max_points=Decimal(1),
    feedback=Feedback(summary="secret until the end"),
)


@pytest.fixture
def told(monkeypatch):
    told = []
    monkeypatch.setattr(live, "store_partial", lambda grading_id, cases: told.append(cases))
    monkeypatch.setattr(live, "publish_changed", told.append)
    return told


@pytest.mark.django_db
def test_cases_are_told_after_a_pause(told):
    grading = factories.make_submission().gradings.get()

    PartialVerdicts(grading=grading, told_at=0.0).tell([OUTCOME])

    assert told == [
        [{"name": "one", "visible": True, "verdict": "accepted", "points": 1.0, "max_points": 1.0}],
        grading.topic,
    ]


@pytest.mark.django_db
def test_quick_grading_tells_nothing(told):
    grading = factories.make_submission().gradings.get()

    PartialVerdicts(grading=grading).tell([OUTCOME])

    assert told == []
