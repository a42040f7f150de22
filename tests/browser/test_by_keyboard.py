"""From the sign-in to an outcome by keyboard alone, and what the accessibility tree says on the way."""

import pytest
from playwright.sync_api import expect

from exercises.services import claim_next, record_outcome
from graders.outcomes import Feedback, Verdict
from tests.browser.demo import FACTS
from tests.factories import make_case, make_outcome

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOST_TABS = 60
SIGN_IN = """
- heading "Sign in" [level=1]
- textbox "Username"
- textbox "Password"
- button "Sign in"
"""
HOME = """
- main:
  - heading /Hello, Ada/ [level=1]
  - region "Scaled dot-product attention":
    - paragraph: You were writing this
    - heading "Scaled dot-product attention" [level=2]
    - paragraph:
      - link "Go on"
  - region "Your courses":
    - list:
      - listitem:
        - link "Attention in PyTorch"
        - progressbar "Solved in Attention in PyTorch"
"""
EXERCISE = """
- main:
  - region "The exercise":
    - heading "Scaled dot-product attention" [level=1]
    - tablist "Parts of the exercise":
      - tab "Description" [selected]
      - tab "Hints"
      - tab /Submissions/
      - tab "Solution"
    - tabpanel "Description"
  - separator "Width of the text"
  - region "Your work":
    - button /Run/
    - button /Submit/
"""
OUTCOME = """
- region "Outcome":
  - text: Not yet right 3 / 6 over all cases 0.012 s · 41 MB
  - link /[0-9A-Z]{4}-[0-9A-Z]{4}/
  - paragraph: Off by one.
  - list "Cases":
    - listitem: Accepted two tokens 3 / 3
    - listitem: Not yet right three tokens 0 / 3
"""


def tab_to(page, locator):
    """Press Tab until this has the focus."""
    for _ in range(MOST_TABS):
        if locator.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{locator} is not reached by {MOST_TABS} times Tab")


def test_path_from_sign_in_to_outcome_by_keyboard_alone(demo, visit):
    demo.waiting.grading.delete()
    visitor = visit()
    visitor.expect_error("404")  # the streams of events are another process's
    page = visitor.page
    page.goto("/account/login/")
    expect(page.get_by_role("main")).to_match_aria_snapshot(SIGN_IN)
    tab_to(page, page.get_by_label("Username"))
    page.keyboard.type("ada")
    page.keyboard.press("Tab")
    tab_to(page, page.get_by_label("Password"))
    page.keyboard.type("demo")
    page.keyboard.press("Enter")

    expect(page.locator("body")).to_match_aria_snapshot(HOME)
    tab_to(page, page.get_by_role("link", name="Go on"))
    page.keyboard.press("Enter")

    expect(page.locator("body")).to_match_aria_snapshot(EXERCISE)
    editor = page.locator(".cm-content")
    expect(editor).to_be_visible()
    tab_to(page, editor)
    page.keyboard.press("Control+a")
    page.keyboard.type("weights = 1")
    page.keyboard.press("Control+Shift+Enter")
    panel = page.locator("#outcome .submission-panel")
    expect(panel).to_be_focused()
    cases = (
        make_case(points=3, max_points=3),
        make_case(name="three tokens", verdict=Verdict.WRONG_ANSWER, points=0, max_points=3),
    )
    wrong = {"verdict": Verdict.WRONG_ANSWER, "score": 3, "max_score": 6, "feedback": Feedback(summary="Off by one.")}
    record_outcome(claim_next("test"), make_outcome(cases=cases, **wrong), facts=FACTS)

    expect(page.locator("#outcome")).to_match_aria_snapshot(OUTCOME)
    expect(panel).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="Not yet right")).to_have_text(
        "Not yet right. 3 of 6 points. Off by one."
    )
