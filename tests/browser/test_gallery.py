"""Every page of the site is among those that the other tests here look at."""

from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.urls import resolve

from tests.access import table
from tests.browser.demo import make_demo
from tests.browser.test_authoring_pages import PAGES as AUTHORING_PAGES
from tests.browser.test_pages import PAGES
from tests.browser.test_teaching_pages import PAGES as TEACHING_PAGES

# What answers 200 to GET and is no page: fragments, which their pages hold; files; answers for machines.
NOT_PAGES = {
    "authoring:check-panel",
    "authoring:download",
    "authoring:regrade-panel",
    "course-schema",
    "exercise-schema",
    "healthz",
    "learn:asset",
    "learn:download-own-data",
    "learn:lesson-notebook",
    "learn:run-panel",
    "learn:submission-panel",
    "metrics",
    "readyz",
    "servez",
    "teach:class-panel",
    "teach:gradebook-csv",
    "teach:gradebook-xlsx",
    "teach:matrix-csv",
    "teach:roster-csv",
    "teach:submission-zip",
}


def pages_of_the_site():
    """The routes that show somebody something at GET, outside of the API."""
    found = set()
    for route, rows in table().items():
        answers = [codes for (method, _whose), codes in rows.items() if method == "GET"]
        if any(200 in codes for codes in answers) and not route.startswith("api:"):
            found.add(route)
    return found - NOT_PAGES


def address_undone(address_of, demo):
    """The address of a page; what had to be made for it is gone again."""
    with transaction.atomic():
        address = address_of(demo)
        transaction.set_rollback(True)
    return address


@pytest.mark.django_db
def test_each_page_is_looked_at():
    demo = make_demo()
    addresses = [address_undone(address_of, demo) for _who, address_of in [*PAGES.values(), *TEACHING_PAGES.values()]]

    shown = {resolve(urlsplit(address).path).view_name for address in [*addresses, *AUTHORING_PAGES.values()]}

    assert sorted(pages_of_the_site() - shown) == []


def test_what_is_no_page_is_a_route():
    assert NOT_PAGES - set(table()) <= {"metrics"}
