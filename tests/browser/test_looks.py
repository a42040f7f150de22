"""The looker itself: it finds what is wrong in one look alone, and nothing is left of one visit at the next."""

import pytest

from tests.browser.looks import LOOKED_AT, faults_of
from tests.browser.visits import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Sheets made by a script are outside of the content policy.
PLANTED = """addEventListener("DOMContentLoaded", () => {
  const button = document.createElement("button");
  button.className = "planted";
  document.querySelector("main").append(button);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    .planted { display: none; }
    @media (max-width: 400px) { .planted { display: block; width: 500px; } }
    @media (prefers-color-scheme: dark) { h1 { color: #222; } }
    @media (prefers-reduced-motion: no-preference) { h1 { color: #fff; } }
  `);
  document.adoptedStyleSheets.push(sheet);
});"""
STORE = "() => { localStorage.a = 'of one'; sessionStorage.a = 'of one'; document.cookie = 'a=of one'; }"
STORED = "() => [localStorage.a, sessionStorage.a, document.cookie].filter((kept) => kept?.includes('of one')).length"


@pytest.mark.skipif(LOOKED_AT != ["wide", "phone-dark"], reason="there is no look but these two")
def test_faults_of_one_look_are_found_in_it(visit):
    visitor = visit()
    visitor.page.add_init_script(PLANTED)

    found = faults_of(visitor, "/account/login/", "planted")

    kinds = {look: [fault.split(":")[0] for fault in faults] for look, faults in found.items()}
    assert kinds == {"wide": [], "phone-dark": ["button-name", "color-contrast", "wider than the window"]}


def test_nothing_is_left_of_one_visit_at_the_next(browser, live_server):
    for _visit in range(2):
        visitor = Visitor(browser, live_server.url)
        visitor.page.goto("/account/login/")
        found = visitor.page.evaluate(STORED)
        visitor.page.evaluate(STORE)
        stored = visitor.page.evaluate(STORED)
        visitor.close()

        assert (found, stored) == (0, 3)
