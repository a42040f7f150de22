import os

import pytest
from allauth.account.internal.flows.login import record_authentication
from django.conf import settings
from django.http import HttpRequest

from tests.browser.demo import make_demo
from tests.browser.snapshots import made_once
from tests.browser.visits import Visitor

# Playwright keeps an event loop in this thread; the database is used from it between its calls, never within one.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.fixture
def demo(transactional_db):
    return made_once(make_demo)


@pytest.fixture
def visit(browser, live_server, client):
    """Opens a browser for a person: `visit(demo.student, width=360, dark=True)`. Fails on what no page may do."""
    visitors = []

    def open_for(user=None, **looks):
        visitor = Visitor(browser, live_server.url, cookie=_cookie(client, user), **looks)
        visitors.append(visitor)
        return visitor

    yield open_for
    for visitor in visitors:
        visitor.close()
        assert visitor.complaints == []


def _cookie(client, user):
    if user is None:
        return None
    client.force_login(user)
    request = HttpRequest()
    request.session = client.session
    # Some pages are open only to whoever has just said who they are.
    record_authentication(request, user, method="password", reauthenticated=True)
    request.session.save()
    return {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies[settings.SESSION_COOKIE_NAME].value}
