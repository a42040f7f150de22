"""Writing in a browser: what one types is shown, marked, saved and never lost; by key alone, and without the script."""

import re

import pytest
from playwright.sync_api import expect

from exercises.queries import head_of
from exercises.services import save_revision
from tests.browser.authoring_demo import make_authoring_demo
from tests.browser.snapshots import made_once

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SOONER_OR_LATER = 30_000
CODE = "/author/courses/vectors/exercises/centred-rows/"
QUESTION = "/author/courses/vectors/exercises/which-axis/"
YAML = 'textarea[name="file:exercise.yaml"]'


@pytest.fixture
def demo(transactional_db):
    return made_once(make_authoring_demo)


@pytest.fixture
def write(demo, visit):
    """Opens a page of an author: `write(CODE, javascript=False)`."""

    def open_page(address, user=None, **looks):
        visitor = visit(user or demo.author, **looks)
        visitor.expect_error("404")  # streams of events, which another process serves
        visitor.page.goto(address)
        return visitor

    return open_page


def editor(page):
    return page.locator(".file-body:visible .cm-content")


def replace_in_yaml(page, before, after):
    text = page.locator(YAML).input_value()
    assert before in text
    editor(page).click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text.replace(before, after))


def shows(locator, text):
    expect(locator).to_contain_text(text, timeout=SOONER_OR_LATER)


def saved(page):
    shows(page.locator("#saved"), re.compile("^saved"))


def test_what_one_types_is_shown_as_to_a_student(write):
    page = write(CODE).page

    replace_in_yaml(page, "title: Centred rows", "title: Rows in the middle")

    shows(page.locator("#preview h3"), "Rows in the middle")
    shows(page.locator("#saved"), "not saved yet")


def test_problem_is_marked_at_its_line_and_led_to(write):
    page = write(CODE).page

    replace_in_yaml(page, "entry: centred", "entry: centred\nlimit: 4")

    link = page.locator("#problems").get_by_role("link", name=re.compile("line 11"))
    shows(link, "did you mean `limits`")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
    shows(page.locator("#preview-state"), "Shown as before")
    page.get_by_role("tab", name="reference").click()
    link.click()
    expect(page.locator(".file-body:visible .cm-activeLine")).to_have_text("limit: 4")
    expect(page.get_by_role("tab", name=re.compile("^exercise.yaml"))).to_have_attribute("aria-selected", "true")


def test_save_by_key_stays_on_the_page(write, demo):
    page = write(CODE).page
    replace_in_yaml(page, "title: Centred rows", "title: Rows in the middle")

    page.keyboard.press("Control+s")

    saved(page)
    shows(page.locator("#head-number"), "revision 2")
    assert "Rows in the middle" in head_of(demo.unsound).files["exercise.yaml"]
    page.keyboard.press("Control+s")
    saved(page)
    assert head_of(demo.unsound).number == 2


def test_second_author_sees_both_texts_and_goes_on_with_one(write, demo):
    visitor = write(CODE)
    visitor.expect_error("409")
    page = visitor.page
    replace_in_yaml(page, "title: Centred rows", "title: Mine")
    files = head_of(demo.unsound).files
    theirs = {**files, "exercise.yaml": files["exercise.yaml"].replace("title: Centred rows", "title: Theirs")}
    save_revision(demo.unsound, files=theirs, based_on=1, author=demo.other)

    page.keyboard.press("Control+s")

    notice = page.locator("#stale")
    shows(notice, "saved this exercise meanwhile")
    notice.get_by_role("link", name="Look at both").click()
    shows(page.locator(".diff"), "title: Theirs")
    shows(page.locator(".diff"), "title: Mine")
    page.get_by_role("button", name="Put revision 3 in its place").click()
    shows(page.get_by_role("heading", level=1), "Mine")
    assert "title: Mine" in head_of(demo.unsound).files["exercise.yaml"]


def test_response_is_tried_on_what_is_not_saved(write, demo):
    page = write(QUESTION).page
    replace_in_yaml(page, "both, one after the other", "neither of them")
    shows(page.locator("#preview"), "neither of them")

    page.locator("#preview").get_by_label("neither of them").check()
    page.locator("#preview").get_by_role("button", name="Submit").click()

    shows(page.locator("#preview .panel-head"), "Not yet right")
    assert "neither" not in head_of(demo.question).files["exercise.yaml"]


def test_everything_by_key(write, demo):
    page = write(CODE).page
    page.get_by_role("tab", name=re.compile("^exercise.yaml")).focus()

    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="starter")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(editor(page)).to_be_focused()
    page.keyboard.press("Control+End")
    page.keyboard.type("# written by key")
    page.keyboard.press("Control+s")

    saved(page)
    assert head_of(demo.unsound).files["starter.py"].endswith("# written by key")


def test_plain_text_is_a_choice_that_stays(write):
    page = write(CODE).page
    page.get_by_role("button", name="Plain text").click()
    expect(page.locator(YAML)).to_be_visible()

    page.reload()

    expect(page.locator(YAML)).to_be_visible()
    expect(page.locator(".cm-editor")).to_have_count(0)


def test_page_works_without_the_script(write, demo):
    page = write(CODE, javascript=False).page
    text = page.locator(YAML).input_value()
    expect(page.locator('textarea[name="file:cases.py"]')).to_be_visible()

    page.locator(YAML).fill(text.replace("title: Centred rows", "title: Plainly"))
    page.get_by_role("button", name=re.compile("^Save Ctrl")).click()

    shows(page.get_by_role("heading", level=1), "Plainly")
    shows(page.locator("#preview h3"), "Plainly")
    head = head_of(demo.unsound)
    assert (head.number, head.files["cases.py"]) == (2, demo.unsound.revisions.get(number=1).files["cases.py"])


def test_lesson_is_written_beside_what_students_read(write, demo):
    page = write("/author/courses/vectors/lessons/first-steps/").page
    editor(page).click()
    page.keyboard.press("Control+End")

    page.keyboard.insert_text("\nAnd $x^2$.\n\n::: note\nA remark.\n:::\n")

    shows(page.locator("#preview aside"), "A remark.")
    page.keyboard.press("Control+s")
    saved(page)
    assert "A remark." in demo.course.lessons.get().html


def test_assistant_reads_and_cannot_change(write, demo):
    demo.course.memberships.filter(user=demo.other).update(role="assistant")

    page = write(CODE, demo.other).page

    expect(page.locator(YAML)).to_have_attribute("readonly", "")
    expect(page.get_by_role("button", name=re.compile("Save|Publish|Check"))).to_have_count(0)
