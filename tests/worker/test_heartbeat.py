import time

import pytest
from django.utils import timezone

from exercises import services
from tests import factories
from worker import heartbeat


@pytest.mark.django_db(transaction=True)
def test_lease_is_renewed_while_work_goes_on(monkeypatch):
    monkeypatch.setattr(heartbeat, "BEAT_SECONDS", 0.01)
    grading = factories.make_submission().gradings.get()
    claim = services.claim_next("test")
    row = type(grading).objects.filter(pk=grading.pk)
    row.update(lease_until=timezone.now())

    with heartbeat.renewing(claim):
        end = time.monotonic() + 5
        while row.filter(lease_until__lte=timezone.now()).exists() and time.monotonic() < end:
            time.sleep(0.01)

    assert row.filter(lease_until__gt=timezone.now()).exists()
