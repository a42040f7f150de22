"""Tensors as pictures: seen, spoken, stepped through, copied; no fault in any look."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.gallery import make_gallery
from tests.browser.looks import LOOKED_AT, faults_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# All cases, and of the first ones what is folded in them: tables of 32 × 32 numbers say nothing new.
OPEN = """() => {
  for (const [number, body] of document.querySelectorAll(".case > details").entries()) {
    body.open = true;
    for (const fold of number < 3 ? body.querySelectorAll("details") : []) fold.open = true;
  }
}"""


@pytest.fixture
def gallery(demo):
    return make_gallery(demo.student, demo.course)


def test_pictures_have_no_fault(demo, visit, gallery):
    visitor = visit(demo.student)
    visitor.page.add_init_script(f"addEventListener('DOMContentLoaded', {OPEN})")

    found = faults_of(visitor, f"/submissions/{gallery.pk}/", "pictures")

    assert found == {look: [] for look in LOOKED_AT}


def case_of(page, submission, name):
    """The case, unfolded."""
    page.goto(f"/submissions/{submission.pk}/")
    case = page.locator(".case").filter(has=page.locator(".name", has_text=re.compile(f"^{name}$")))
    if case.locator("> details[open]").count() == 0:
        case.locator("> details > summary").click()
    return case


def shown_slices(case):
    return case.locator(".outputs .plane:visible").evaluate_all("planes => planes.map((plane) => plane.dataset.key)")


def test_sliders_move_all_that_stands_side_by_side_and_start_at_the_worst(demo, visit, gallery):
    page = visit(demo.student).page
    case = case_of(page, gallery, "batch and heads")
    assert shown_slices(case) == ["1,2"] * 3

    case.get_by_role("slider", name="axis 1").first.focus()
    page.keyboard.press("ArrowLeft")

    assert shown_slices(case) == ["1,1"] * 3
    expect(case.locator(".outputs output").nth(1)).to_have_text("1")
    expect(case.locator(".outputs").get_by_role("slider")).to_have_count(2)


def test_first_slices_and_the_worst_stand_below_each_other_without_script(demo, visit, gallery):
    page = visit(demo.student, javascript=False).page
    case = case_of(page, gallery, "batch and heads")

    assert shown_slices(case) == ["0,0", "0,1", "0,2", "1,2"] * 3
    expect(case.locator(".outputs .more-slices").first).to_have_text("and 2 more slices")
    expect(case.get_by_role("slider")).to_have_count(0)


def test_value_under_the_pointer_is_read_out(demo, visit, gallery):
    page = visit(demo.student).page
    case = case_of(page, gallery, "32 by 32")
    drawing = case.locator(".outputs svg.drawing").first
    left, top = (float(drawing.get_attribute(f"data-{side}")) for side in ("left", "top"))

    drawing.hover(position={"x": left + 10 * 3 + 5, "y": top + 10 * 7 + 5})

    row = case.locator(".numbers tbody tr").nth(7)
    value = row.locator("td").nth(3).text_content()
    expect(case.locator(".outputs .readout").first).to_have_text(re.compile(rf"^\[7, 3\]\s+{re.escape(value)}$"))


def test_screen_reader_hears_the_sentence_and_reads_the_numbers(demo, visit, gallery):
    page = visit(demo.student).page
    case = case_of(page, gallery, "one row differs")

    picture = case.get_by_role("img", name=re.compile("^The shape is right; the values are not"))
    expect(picture).to_have_accessible_name(re.compile(r"Picture of got minus expected, from −1\.25 to 1\.25\.$"))
    case.get_by_text("Numbers as tables").click()
    table = case.get_by_role("table", name="Got − expected")
    expect(table.get_by_role("rowheader", name="2")).to_be_visible()
    expect(table.get_by_role("cell", name="-1.25")).to_be_visible()
