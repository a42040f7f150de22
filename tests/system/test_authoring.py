"""An exercise's whole life in a browser, on real parts: written, found weak, mended, published, solved, corrected,
regraded. The site lies behind a proxy, below a path of another's host. `SHOTS` names a folder to keep screenshots in.
"""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.visits import Visitor
from tests.furnished import copied
from tests.product import Product
from tests.proxy import PREFIX, Proxy

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.enable_socket,
    pytest.mark.timeout(300),
]

SOONER_OR_LATER = 60_000
FILES = {
    "exercise.yaml": """format: 1
kind: code
title: Areas of circles
prompt: |
  Write `circle_areas(radii)`, which gives the area of each circle. A negative radius counts as zero.

  - `radii`: `(n,)`, float
  - returns: `(n,)`
entry: circle_areas
compare: {rtol: 0.0001, atol: 0.00001}
explanation: The area is π times the square of the radius.
""",
    "starter": "def circle_areas(radii):\n    raise NotImplementedError\n",
    "reference": """import math

import torch


def circle_areas(radii):
    positive = radii.clamp(min=0)
    return math.pi * positive**2
""",
    # No radius is negative here: nothing sees whether negative ones count as zero.
    "cases": """import torch


def visible():
    return [{"name": "three circles", "args": [torch.tensor([1.0, 2.0, 5.0])]}]


def hidden(generator):
    return [{"name": "many circles", "args": [10 * torch.rand(6, generator=generator)]}]
""",
}
ROUGHLY = "def circle_areas(radii):\n    return 3.1415 * radii.clamp(min=0) ** 2\n"


@pytest.fixture(scope="module")
def product(tmp_path_factory, furnished):
    return Product(copied(furnished, tmp_path_factory.mktemp("product") / "data"))


@pytest.fixture(scope="module")
def proxy(product):
    with Proxy(product.port) as proxy, pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUIZSITE_SUB_PATH", PREFIX)
        patch.setenv("QUIZSITE_ORIGINS", proxy.origin)
        try:
            product.start()
            yield proxy
        finally:
            product.stop()


@pytest.fixture
def visit(browser, product, proxy):
    visitors = []

    def sign_in(username):
        # What is asked for elsewhere on the host is a complaint too.
        visitor = Visitor(browser, proxy.base)
        visitors.append(visitor)
        visitor.page.goto(product.sign_in_link(username))
        visitor.page.get_by_role("button", name="Sign in").click()
        shows(visitor.page.get_by_role("heading", level=1), "Hello")
        return visitor.page

    yield sign_in
    for visitor in visitors:
        assert visitor.complaints == []
        visitor.close()


def shows(locator, text):
    """Sooner or later: under load a page may take longer than Playwright's own patience."""
    expect(locator).to_contain_text(text, timeout=SOONER_OR_LATER)


def keep(page, name):
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def make_course(page):
    page.get_by_role("link", name="Author", exact=True).click()
    page.get_by_role("link", name="New course").click()
    page.get_by_label("Title").fill("Circles")
    page.get_by_label("Time zone").select_option("Europe/Berlin")
    page.get_by_role("button", name="Make the course").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Circles", timeout=SOONER_OR_LATER)


def replace_text(page, text):
    page.locator(".file-body:visible .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)


def write_file(page, name, text):
    page.get_by_role("tab", name=re.compile(f"^{re.escape(name)}")).click()
    replace_text(page, text)


def drop_mistakes(page):
    """Those of the exercise that one begins with."""
    for tab in page.get_by_role("tab", name=re.compile("^mistakes.")).all():
        tab.click()
        page.locator(".file-body:visible").get_by_role("checkbox").check()
    page.get_by_role("button", name=re.compile("^Save Ctrl")).click()
    expect(page.get_by_role("tab", name=re.compile("^mistakes."))).to_have_count(0, timeout=SOONER_OR_LATER)


def add_mistake(page):
    page.get_by_role("tab", name="Add").click()
    page.get_by_label("Name").fill("circumference")
    page.get_by_label("Title").fill("The way around")
    page.get_by_label("What was seen").fill("These are lengths. What grows with the square of the radius?")
    page.get_by_role("button", name="Add the mistake and save").click()
    page.get_by_role("tab", name=re.compile("^mistakes.circumference")).click()
    replace_text(page, FILES["reference"].replace("math.pi * positive**2", "2 * math.pi * positive"))


def write_exercise(page):
    page.get_by_role("link", name="New exercise").click()
    page.get_by_label("Title").fill("Areas of circles")
    page.get_by_label("Kind").select_option("code")
    page.get_by_role("button", name="Begin").click()
    for name, text in FILES.items():
        write_file(page, name, text)
    drop_mistakes(page)
    add_mistake(page)
    shows(page.locator("#preview"), "A negative radius counts as zero.")
    shows(page.locator("#problems"), "Every file reads well.")


def check(page, verdict):
    page.get_by_role("button", name=re.compile("Save and check|Check again")).click()
    shows(page.locator(".report .panel-head"), verdict)


def take_offered_case(page):
    survivor = page.locator(".survivor", has_text="clamp dropped")
    shows(survivor, "positive = radii.clamp(min=0)")
    keep(page, "author-survivor")
    survivor.get_by_role("button", name=re.compile("^Take this case")).click()
    shows(page.locator(".notices"), "The case stands in cases.py now")
    shows(survivor, "It stands in cases.py.")


def publish(page):
    page.get_by_role("link", name="To publishing").click()
    page.get_by_role("button", name="Publish now").click()
    shows(page.locator(".notices"), "is published")


def join_link(page):
    page.get_by_role("link", name="Circles").click()
    page.get_by_role("button", name="Make a join link").click()
    return page.locator("#join-url").input_value()


def solve(page, link):
    page.goto(link)
    page.get_by_role("button", name="Join").click()
    page.get_by_role("link", name="Areas of circles").click()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(ROUGHLY)
    page.keyboard.press("Control+Enter")
    shows(page.locator("#outcome"), "three circles")
    page.keyboard.press("Control+Shift+Enter")
    shows(page.locator("#outcome .panel-head"), "Accepted")


def correct_tolerance(page):
    page.get_by_role("link", name="Areas of circles").click()
    page.get_by_role("tab", name=re.compile("^exercise.yaml")).click()
    editor = page.locator(".file-body:visible .cm-content")
    yaml = page.locator('textarea[name="file:exercise.yaml"]').input_value()
    editor.click()
    replace_text(page, yaml.replace("rtol: 0.0001, atol: 0.00001", "rtol: 0.00001, atol: 0.000001"))


def regrade(page):
    page.get_by_role("link", name="Regrade", exact=True).click()
    page.get_by_role("button", name="Preview the regrade").click()
    panel = page.locator(".report")
    shows(panel, "1 of 1 submissions judged anew")
    row = panel.get_by_role("row", name=re.compile("^student"))
    # The case of the negative radius stays right.
    shows(row, "−0.67")
    shows(row, "Accepted → Not yet right")
    keep(page, "author-regrade")
    panel.get_by_role("button", name="Apply").click()
    shows(page.locator(".report .panel-head"), "In effect")


def test_exercise_is_written_proven_solved_and_regraded(visit, proxy):
    instructor, student = visit("instructor"), visit("student")

    make_course(instructor)
    write_exercise(instructor)
    check(instructor, "Not sound yet")
    take_offered_case(instructor)
    check(instructor, "Sound: it may be published")
    keep(instructor, "author-sound")
    publish(instructor)
    solve(student, join_link(instructor))

    correct_tolerance(instructor)
    check(instructor, "Sound: it may be published")
    publish(instructor)
    regrade(instructor)

    student.goto(f"{proxy.base}/courses/circles/")
    shows(student.locator("main"), "0 of 1 exercises solved")
    assert proxy.outside == []
    assert any(address.startswith(f"{PREFIX}/events/") for address in proxy.asked)
    assert {cookie["path"] for cookie in student.context.cookies()} == {PREFIX}
