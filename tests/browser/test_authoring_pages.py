"""Every page of authors, wide, on a phone and in the dark: as in test_pages."""

import pytest

from tests.browser.authoring_demo import make_authoring_demo
from tests.browser.looks import LOOKED_AT, faults_of
from tests.browser.snapshots import made_once

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COURSE = "/author/courses/vectors/"
EXERCISES = f"{COURSE}exercises/"
PAGES = {
    "author-home": "/author/",
    "author-new-course": "/author/new-course/",
    "author-course": COURSE,
    "author-settings": f"{COURSE}settings/",
    "author-record": f"{COURSE}record/",
    "author-files": f"{COURSE}files/",
    "author-new-lesson": f"{COURSE}new-lesson/",
    "author-lesson": f"{COURSE}lessons/first-steps/",
    "author-new-exercise": f"{COURSE}new-exercise/",
    "author-exercise": f"{EXERCISES}centred-rows/",
    "author-exercise-broken": f"{EXERCISES}half-done/",
    "author-question": f"{EXERCISES}which-axis/",
    "author-try": f"{EXERCISES}centred-rows/try/",
    "author-try-broken": f"{EXERCISES}half-done/try/",
    "author-report": f"{EXERCISES}centred-rows/check/",
    "author-checking": f"{EXERCISES}row-sums/check/",
    "author-publish-closed": f"{EXERCISES}centred-rows/publish/",
    "author-publish-open": f"{EXERCISES}how-many/publish/",
    "author-regrade": f"{EXERCISES}how-many/regrade/",
    "author-history": f"{EXERCISES}which-axis/history/",
    "author-conflict": f"{EXERCISES}which-axis/history/",
}


@pytest.fixture
def demo(transactional_db):
    return made_once(make_authoring_demo)


@pytest.mark.parametrize("name", PAGES)
def test_page_of_authors_has_no_fault_in_any_look(demo, visit, name):
    address = PAGES[name] + (demo.conflict if name == "author-conflict" else "")

    faults = faults_of(visit(demo.author), address, name)

    assert faults == {look: [] for look in LOOKED_AT}
