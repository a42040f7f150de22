"""One browser, two people after each other: nothing that one typed is shown to the other, or saved as theirs."""

import pytest
from playwright.sync_api import expect

from exercises.models import Draft

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCRIPT = "/courses/attention/exercises/four-tokens/"
QUESTION = "/courses/attention/exercises/why-several-heads/"
PLAYGROUND = "/playground/"
SECRET = "weights = 'typed by Ada'"
KEPT = "() => Object.entries(localStorage).filter(([key]) => /^(draft|answer):/.test(key)).join()"


def write(page, text):
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def sign_in(page, user):
    page.goto("/account/login/")
    page.get_by_label("Username").fill(user.username)
    page.get_by_label("Password").fill("demo")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Hello")


def sign_out(page):
    page.locator("details.account summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def open_work(visitor, path):
    visitor.page.goto(path)
    expect(visitor.page.locator(".cm-content")).to_be_visible()


def wait_until_nothing_is_kept(page):
    """The heading of a page stands before its scripts have run."""
    page.wait_for_function(f"() => ({KEPT})() === ''")


def test_what_one_person_typed_is_saved_at_signing_out_and_gone_from_the_browser(demo, visit):
    visitor = visit(demo.student)
    visitor.expect_error("404")  # the streams of events are another process's
    page = visitor.page
    open_work(visitor, PLAYGROUND)
    write(page, SECRET)
    open_work(visitor, SCRIPT)
    write(page, SECRET)
    assert page.evaluate(KEPT).count("Ada") == 2

    sign_out(page)

    wait_until_nothing_is_kept(page)
    assert Draft.objects.get(student=demo.student, exercise__slug="four-tokens").source == SECRET


def test_what_cannot_be_saved_stays_in_the_browser_until_one_is_signed_out(demo, visit):
    visitor = visit(demo.student)
    for words in ("404", "503"):
        visitor.expect_error(words)
    page = visitor.page
    page.goto(QUESTION)
    # The site is at a loss: it saves nothing, and does not sign out either.
    page.route("**/draft/", lambda route: route.fulfill(status=503))
    page.route("**/logout/", lambda route: route.fulfill(status=204))
    page.get_by_label("Your explanation").fill(SECRET)
    page.locator("details.account summary").click()

    with page.expect_response("**/logout/"):
        page.get_by_role("button", name="Sign out").click()

    assert "Ada" in page.evaluate(KEPT)


def test_next_person_finds_nothing_and_the_page_of_the_former_saves_nothing_as_theirs(demo, visit):
    visitor, other = visit(demo.student), demo.waiting.student
    for words in ("404", "403"):
        visitor.expect_error(words)
    page, context = visitor.page, visitor.page.context
    for path in (PLAYGROUND, SCRIPT):
        open_work(visitor, path)
        write(page, SECRET)
    # As where a session ran out, or was ended on another device: nobody pressed the button here.
    context.clear_cookies()
    visitor.page = context.new_page()
    sign_in(visitor.page, other)

    wait_until_nothing_is_kept(visitor.page)
    for path in (PLAYGROUND, SCRIPT):
        open_work(visitor, path)
        expect(visitor.page.locator(".cm-content")).not_to_contain_text("Ada")
    page.bring_to_front()
    with page.expect_response(lambda reply: "draft" in reply.url) as refused:
        page.keyboard.press("Control+s")

    assert refused.value.status == 403
    assert not Draft.objects.filter(student=other, exercise__slug="four-tokens").exists()


def test_staff_find_what_they_typed_after_seeing_the_course_as_a_student(demo, visit):
    visitor = visit(demo.instructor)
    page = visitor.page
    open_work(visitor, PLAYGROUND)
    write(page, SECRET)

    page.goto("/courses/attention/")
    page.get_by_role("button", name="View as a student").click()
    open_work(visitor, PLAYGROUND)
    expect(page.locator(".cm-content")).not_to_contain_text("Ada")
    page.get_by_role("button", name="Back to your own view").click()
    open_work(visitor, PLAYGROUND)

    expect(page.locator(".cm-content")).to_contain_text("Ada")
