"""The ten habits that students bring from other places to practise, a test each, on the whole product."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.visits import pages_of, session_of
from tests.product import RIGHT

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.browser, pytest.mark.enable_socket]

SOONER_OR_LATER = 30_000
ATTENTION = "scaled-dot-product-attention"
NOT_SCALED = RIGHT.replace(" / math.sqrt(query.shape[-1])", "")
COURSE = Path(__file__).parents[2] / "exercises" / "courses" / "attention"
PHONE = {"width": 360, "height": 740, "phone": True}


@pytest.fixture(scope="module")
def cookie(browser, product):
    return session_of(browser, product, "student")


@pytest.fixture
def visit(browser, product, cookie):
    """Opens a page as the student: `visit("/progress/", **PHONE)`."""
    with pages_of(browser, product, cookie) as open_page:
        yield open_page


@pytest.fixture
def bench(visit):
    """Opens an exercise of code with its editor."""

    def open_exercise(slug, **looks):
        page = visit(address(slug), **looks)
        expect(page.locator(".cm-content")).to_be_visible()
        return page

    return open_exercise


def address(slug):
    return f"/courses/attention/exercises/{slug}/"


def reference(slug):
    return (COURSE / "exercises" / slug / "reference.py").read_text()


def write(page, text):
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def submit(page, text):
    """Hand in by key, and wait for the outcome."""
    before = page.locator(".submission-panel .receipt").all_inner_texts()
    write(page, text)
    page.keyboard.press("Control+Shift+Enter")
    receipt = page.locator(".submission-panel .receipt")
    if before:
        expect(receipt).not_to_have_text(before[0])
    expect(page.locator(".submission-panel:not([data-live])")).to_be_visible(timeout=SOONER_OR_LATER)
    return receipt.inner_text()


def saved(page):
    expect(page.locator("#saved")).to_have_text(re.compile(r"^saved \d"), timeout=SOONER_OR_LATER)


def test_1_chords_run_and_submit_from_inside_the_editor(bench):
    page = bench("rms-norm")
    write(page, reference("rms-norm"))
    for chord in ("Control+Enter", "Control+'"):
        page.keyboard.press(chord)
        run = page.locator("#outcome .run-panel:not([data-live])")
        expect(run.locator(".case").first).to_be_visible(timeout=SOONER_OR_LATER)
        expect(page.locator(".cm-content")).to_be_focused()
        page.evaluate("document.querySelector('#outcome').replaceChildren()")
    expect(page.locator("#history-count")).to_have_text("0")

    page.keyboard.press("Control+Shift+Enter")

    expect(page.locator(".submission-panel .panel-head")).to_contain_text("Accepted", timeout=SOONER_OR_LATER)


def test_2_saving_by_key_never_submits(bench):
    page = bench("layer-norm")
    write(page, "# only saved\n")

    page.keyboard.press("Control+s")

    saved(page)
    expect(page.locator("#history-count")).to_have_text("0")
    expect(page.locator(".submission-panel")).to_have_count(0)


def test_3_drafts_save_themselves_and_follow_to_another_device(bench):
    laptop = bench("causal-attention")
    write(laptop, "# begun on the laptop\n")
    saved(laptop)
    laptop.get_by_role("link", name="Attention in PyTorch").click()
    laptop.go_back()
    expect(laptop.locator(".cm-content")).to_contain_text("# begun on the laptop")
    laptop.reload()
    expect(laptop.locator(".cm-content")).to_contain_text("# begun on the laptop")

    phone = bench("causal-attention", **PHONE)

    expect(phone.locator(".cm-content")).to_contain_text("# begun on the laptop")
    expect(phone.locator("#saved")).to_have_text(re.compile(r"^saved \d"))


def test_4_text_stands_beside_the_work_and_above_it_on_a_phone(bench):
    page = bench("pre-norm-residual")
    splitter = page.get_by_role("separator")
    before, box = int(splitter.get_attribute("aria-valuenow")), splitter.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] - 150, box["y"] + 200, steps=4)
    page.mouse.up()
    after = int(splitter.get_attribute("aria-valuenow"))
    assert after < before
    page.reload()
    expect(page.get_by_role("separator")).to_have_attribute("aria-valuenow", str(after))
    assert [tab.inner_text().split()[0] for tab in page.get_by_role("tab").all()] == [
        "Description",
        "Hints",
        "Submissions",
        "Solution",
    ]

    phone = bench("pre-norm-residual", **PHONE)

    text, work = (phone.locator(part).bounding_box() for part in (".side-text", ".side-work"))
    assert text["y"] + text["height"] <= work["y"] + 1
    expect(phone.get_by_role("separator")).to_be_hidden()


def test_5_run_tries_what_is_visible_and_submit_is_counted(bench):
    page = bench("split-heads")
    write(page, reference("split-heads"))
    page.keyboard.press("Control+Enter")
    run = page.locator("#outcome .run-panel:not([data-live])")
    expect(run.locator(".case").first).to_be_visible(timeout=SOONER_OR_LATER)
    tried = run.locator(".case").count()
    expect(page.locator("#history-count")).to_have_text("0")

    submit(page, reference("split-heads"))

    assert page.locator(".submission-panel .case").count() > tried
    expect(page.locator("#history-count")).to_have_text("1")


def test_6_panel_shows_what_differs_where_and_why(bench):
    page = bench(ATTENTION)
    submit(page, NOT_SCALED.replace("    scores", "    print('scores')\n    scores", 1))

    panel = page.locator(".submission-panel")
    expect(panel).to_contain_text("√d")
    case = panel.locator(".case").first
    case.locator("summary").first.click()
    expect(case).to_contain_text("Expected")
    expect(case).to_contain_text("Got")
    expect(case.locator("svg").first).to_be_visible()
    expect(panel).to_contain_text("float32")
    panel.get_by_text("Printed").first.click()
    expect(panel).to_contain_text("scores")

    submit(page, RIGHT.replace("key.transpose(-2, -1)", "key.transposed()"))
    panel.get_by_role("link", name=re.compile("line 6")).first.click()
    expect(page.locator(".cm-activeLine")).to_contain_text("key.transposed()")


def test_7_submissions_are_kept_compared_and_put_back(bench):
    page = bench("sinusoidal-positions")
    submit(page, "# the first\n")
    first = submit(page, "# the first\n# and more\n")

    page.get_by_role("tab", name=re.compile("^Submissions")).click()
    history = page.locator("#history .list > li")
    expect(history).to_have_count(2)
    expect(history.first).to_contain_text(first)
    history.last.get_by_role("button", name=re.compile("Put into the editor")).click()
    expect(page.locator(".cm-content")).to_have_text("# the first")
    page.get_by_role("tab", name=re.compile("^Submissions")).click()
    history.first.get_by_role("link", name=re.compile("^Compare")).click()

    expect(page.get_by_role("main")).to_contain_text("1 line added, 0 removed")


def test_8_starting_code_and_the_last_accepted_come_back(bench):
    page = bench("multi-head-attention")
    submit(page, reference("multi-head-attention"))
    expect(page.locator(".submission-panel .panel-head")).to_contain_text("Accepted")
    submit(page, "# spoiled\n")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".cm-content")).to_have_text("# spoiled")

    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Reset").click()

    expect(page.locator(".cm-content")).to_contain_text("raise NotImplementedError")
    page.get_by_role("tab", name=re.compile("^Submissions")).click()
    page.get_by_role("button", name="Put the last accepted one back").click()
    expect(page.locator(".cm-content")).to_contain_text(reference("multi-head-attention").split("\n")[0])


def test_9_hints_come_one_by_one_and_the_solution_on_ones_word(bench):
    page = bench("rotary-positions")
    page.get_by_role("tab", name="Hints").click()
    page.get_by_role("button", name="Open hint 1").click()
    expect(page.locator("#hint-list .prose")).to_have_count(1)

    page.get_by_role("tab", name="Solution").click()
    expect(page.get_by_role("tabpanel", name="Solution")).not_to_contain_text("def rotary")
    page.get_by_role("checkbox", name=re.compile("^I give up")).check()
    page.get_by_role("button", name="Give up and show the solution").click()

    expect(page.get_by_role("tabpanel", name="Solution")).to_contain_text("def rotary")
    expect(page.get_by_role("link", name=re.compile("^Next exercise"))).to_be_visible()


def test_10_progress_shows_everywhere_and_keys_by_name(visit):
    page = visit(address("one-score"))
    page.get_by_label("Your number").fill("5")
    page.get_by_role("button", name=re.compile("^Submit")).click()
    expect(page.locator(".submission-panel")).to_contain_text("Accepted")

    page.goto("/courses/attention/?topic=dot+product")
    [row] = page.locator("main .list > li").all()
    expect(row).to_contain_text("One score")
    expect(row).to_contain_text("Accepted")
    page.goto("/progress/")
    expect(page.get_by_role("row", name=re.compile("^One score"))).to_contain_text("1 / 1")
    expect(page.get_by_role("main")).to_contain_text("Here on 1 of the last 28 days.")

    page.goto(address("train-a-pointer"))
    expect(page.locator(".cm-content")).to_be_visible()
    page.locator("main").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("never submits")
    page.keyboard.press("Escape")
    page.locator("details.account summary").click()
    for _ in range(2):
        page.get_by_role("button", name=re.compile("^Theme")).click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
