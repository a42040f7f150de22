"""The forms of questions by keyboard alone, by pointer, and without the script."""

import re

import pytest
from playwright.sync_api import expect

from exercises.models import Draft, Submission
from exercises.queries import response_form
from exercises.services import save_draft
from tests.factories import right_response

pytestmark = [pytest.mark.browser, pytest.mark.slow]
EXERCISES = "/courses/attention/exercises/"


def question(demo, slug):
    return demo.course.exercises.get(slug=slug)


def texts_of(form):
    return {line["id"]: line["text"] for line in form["lines"]}


def press_until(page, key, locator):
    """Press a key until this has the focus: what a keyboard can reach."""
    for _ in range(80):
        if locator.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{locator} was not reached")


def open_form(visit, demo, slug, *, expected=None, **looks):
    visitor = visit(demo.student, **looks)
    if expected:
        visitor.expect_error(expected)
    visitor.page.goto(f"{EXERCISES}{slug}/")
    return visitor.page


def open_empty_form(visit, demo, slug, **looks):
    """The form with nothing in it: a page that was just left may have sent its draft after the demo was put back."""
    page = open_form(visit, demo, slug, **looks)
    Draft.objects.filter(student=demo.student).delete()
    page.reload()
    return page


def test_lines_are_put_in_order_by_keyboard(demo, visit):
    exercise = question(demo, "masked-attention-in-order")
    right = right_response(demo.student, exercise)
    texts = texts_of(response_form(demo.student, exercise))
    page = open_empty_form(visit, demo, exercise.slug)

    for number, (name, depth) in enumerate(right, start=1):
        press_until(page, "Tab", page.get_by_role("button", name=f"Use this line: {texts[name]}", exact=True))
        page.keyboard.press("Enter")
        line = page.locator(f'[data-line-id="{name}"]')
        for _ in range(8):
            at = int(line.locator("[data-indent]").input_value())
            if at == depth:
                break
            word = "Indent" if at < depth else "Indent less"
            press_until(page, "Tab", line.get_by_role("button", name=f"{word}: {texts[name]}", exact=True))
            page.keyboard.press("Enter")
        assert line.locator("[data-place]").input_value() == str(number)
        page.evaluate("document.activeElement.blur()")
    page.get_by_role("button", name="Submit").press("Enter")

    expect(page.locator(".outcome")).to_contain_text("Accepted")
    assert Submission.objects.filter(exercise=exercise).get().response == right


def test_lines_move_up_down_and_out_again(demo, visit):
    exercise = question(demo, "masked-attention-in-order")
    page = open_empty_form(visit, demo, exercise.slug)
    pool, used = page.locator("[data-pool] .line"), page.locator("[data-used] .line")
    first, second = (pool.nth(number).get_attribute("data-line-id") for number in (0, 1))
    for name in (first, second):
        page.locator(f'[data-line-id="{name}"] [data-move=take]').click()

    page.locator(f'[data-line-id="{second}"] [data-move=up]').click()
    assert [line.get_attribute("data-line-id") for line in used.all()] == [second, first]
    page.locator(f'[data-line-id="{second}"] [data-move=down]').click()
    assert [line.get_attribute("data-line-id") for line in used.all()] == [first, second]
    page.locator(f'[data-line-id="{first}"] [data-move=leave]').click()

    assert used.count() == 1
    assert page.locator(f'[data-line-id="{first}"] [data-place]').input_value() == ""
    assert page.locator(f'[data-line-id="{second}"] [data-place]').input_value() == "1"


def test_line_is_dragged_into_the_order(demo, visit):
    exercise = question(demo, "masked-attention-in-order")
    page = open_empty_form(visit, demo, exercise.slug)
    line = page.locator("[data-pool] .line").first
    name = line.get_attribute("data-line-id")

    line.drag_to(page.locator("[data-empty]"))

    expect(page.locator(f'[data-used] [data-line-id="{name}"]')).to_be_visible()
    assert page.locator(f'[data-line-id="{name}"] [data-place]').input_value() == "1"


TOUCH = """(handle, y) => {
  const box = handle.getBoundingClientRect();
  const finger = { pointerId: 7, pointerType: "touch", bubbles: true, clientX: box.x };
  const at = (type, clientY) => handle.dispatchEvent(new PointerEvent(type, { ...finger, clientY }));
  at("pointerdown", box.y);
  at("pointermove", y);
  at("pointerup", y);
}"""


def test_line_is_dragged_by_finger(demo, visit):
    exercise = question(demo, "masked-attention-in-order")
    page = open_empty_form(visit, demo, exercise.slug, width=360, height=740, phone=True)
    pool, used = page.locator("[data-pool] .line"), page.locator("[data-used] .line")
    names = [pool.nth(number).get_attribute("data-line-id") for number in (0, 1)]
    for name in names:
        top = page.locator("[data-answer]").bounding_box()["y"]
        page.locator(f'[data-line-id="{name}"] .drag-handle').evaluate(TOUCH, top + 4)

    # Each was dropped at the top.
    assert [line.get_attribute("data-line-id") for line in used.all()] == names[::-1]
    assert page.locator(f'[data-line-id="{names[1]}"] [data-place]').input_value() == "1"


def test_order_is_given_by_selects_without_the_script(demo, visit):
    exercise = question(demo, "masked-attention-in-order")
    right = right_response(demo.student, exercise)
    page = open_form(visit, demo, exercise.slug, javascript=False)
    for place, (name, depth) in enumerate(right, start=1):
        page.locator(f"[name=place-{name}]").select_option(str(place))
        page.locator(f"[name=indent-{name}]").select_option(str(depth))

    page.get_by_role("button", name="Submit").click()

    expect(page.locator(".submission-panel")).to_contain_text("Accepted")


@pytest.mark.parametrize("javascript", [True, False])
def test_pairs_are_chosen(demo, visit, javascript):
    exercise = question(demo, "who-does-what")
    right = right_response(demo.student, exercise)
    page = open_form(visit, demo, exercise.slug, javascript=javascript)
    for left, name in right.items():
        page.locator(f"[name=pair-{left}]").select_option(name)

    page.get_by_role("button", name="Submit").click()

    expect(page.locator(".submission-panel")).to_contain_text("Accepted")


@pytest.mark.parametrize("javascript", [True, False])
def test_gaps_are_filled(demo, visit, javascript):
    page = open_form(visit, demo, "attention-in-gaps", javascript=javascript)
    for name, entry in {"turned": "mT", "root": "d ** 0.5", "axis": "-1", "divisor": "64"}.items():
        page.get_by_label(name, exact=True).fill(entry)

    page.get_by_role("button", name="Submit").click()

    expect(page.locator(".submission-panel")).to_contain_text("3 of 4 gaps are right. Look again at divisor.")


@pytest.mark.parametrize("javascript", [True, False])
def test_tensor_is_typed(demo, visit, javascript):
    page = open_form(visit, demo, "equal-scores", javascript=javascript)
    page.get_by_label("Your tensor").fill("1 0 0\n1/2 1/2 0\n1/3 1/3 1/3")

    page.get_by_role("button", name="Submit").click()

    expect(page.locator(".submission-panel")).to_contain_text("Accepted")


def test_tensor_is_filled_into_a_grid(demo, visit):
    page = open_form(visit, demo, "equal-scores")
    page.get_by_role("button", name="As a grid").click()
    page.get_by_label("Rows").fill("3")
    page.get_by_label("Columns").fill("3")
    rows = [["1", "0", "0"], ["1/2", "1/2", "0"], ["1/3", "1/3", "1/3"]]
    for row, entries in enumerate(rows, start=1):
        for column, entry in enumerate(entries, start=1):
            page.get_by_label(f"row {row}, column {column}").fill(entry)

    page.get_by_role("button", name="As text").click()
    assert page.get_by_label("Your tensor").input_value() == "[[1, 0, 0],\n [1/2, 1/2, 0],\n [1/3, 1/3, 1/3]]"
    page.get_by_role("button", name="As a grid").click()
    assert page.get_by_label("row 3, column 2").input_value() == "1/3"
    page.get_by_role("button", name="Submit").click()

    expect(page.locator(".submission-panel")).to_contain_text("Accepted")


def test_empty_cell_of_a_grid_is_named(demo, visit):
    visitor = visit(demo.student)
    visitor.expect_error("400")
    page = visitor.page
    page.goto(f"{EXERCISES}equal-scores/")
    page.get_by_role("button", name="As a grid").click()
    page.get_by_label("row 1, column 1").fill("1")

    page.get_by_role("button", name="Submit").click()

    expect(page.locator(".outcome")).to_contain_text("expected a number, found “?”")


def test_explanation_is_previewed_handed_in_and_assessed(demo, visit):
    page = open_form(visit, demo, "why-several-heads")
    page.get_by_label("Your explanation").fill("One head has one `softmax`.\n\nSo it mixes.")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".preview")).to_contain_text("So it mixes.")
    assert page.locator(".preview code").inner_text() == "softmax"

    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".outcome")).to_contain_text("One way to say it")
    for name, points in {
        "One softmax, one blend": "1",
        "Weights of their own": "0.5",
        "About the same cost": "0",
    }.items():
        page.get_by_label(name).fill(points)
    page.get_by_role("button", name="Save my points").click()

    expect(page.locator(".outcome .panel-head")).to_contain_text("1.5 / 3")
    expect(page.locator(".outcome")).to_contain_text("Assessed by its author.")


def test_explanation_that_was_not_handed_in_is_still_there(demo, visit):
    page = open_form(visit, demo, "why-several-heads")
    page.get_by_label("Your explanation").fill("Half a thought")

    page.reload()

    assert page.get_by_label("Your explanation").input_value() == "Half a thought"
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".outcome")).to_contain_text("One way to say it")
    expect(page.locator(".draft-state")).to_contain_text("saved")
    page.wait_for_function("() => Object.keys(localStorage).every(key => !key.startsWith('answer:'))")


def test_order_that_was_begun_is_there_on_another_device(demo, visit):
    page = open_form(visit, demo, "masked-attention-in-order")
    page.get_by_role("button", name="Use this line").first.click()
    words = page.locator("[data-used] .line").get_attribute("data-words")
    expect(page.locator(".draft-state")).to_have_text(re.compile(r"^saved \d"))

    other = open_form(visit, demo, "masked-attention-in-order")

    expect(other.locator("[data-used] .line")).to_have_count(1)
    assert other.locator("[data-used] .line").get_attribute("data-words") == words


def test_stale_answer_overwrites_nothing_and_both_are_kept(demo, visit):
    exercise = demo.course.exercises.get(slug="why-several-heads")
    page = open_form(visit, demo, "why-several-heads", expected="409")
    save_draft(demo.student, exercise, fields={"response": ["from the phone"]}, revision=0)
    page.get_by_label("Your explanation").fill("from the laptop")
    expect(page.locator(".stale")).to_be_visible()

    page.get_by_role("button", name="Keep mine").click()

    expect(page.locator(".draft-state")).to_have_text(re.compile(r"^saved \d"))
    page.reload()
    assert page.get_by_label("Your explanation").input_value() == "from the laptop"
    page.get_by_role("button", name="Exchange it for this").click()
    assert page.get_by_label("Your explanation").input_value() == "from the phone"


def test_explanation_without_the_script(demo, visit):
    page = open_form(visit, demo, "why-several-heads", javascript=False)
    page.get_by_label("Your explanation").fill("One head has one `softmax`.")
    page.get_by_role("button", name="Preview").click()
    assert page.get_by_label("Your explanation").input_value() == "One head has one `softmax`."

    page.get_by_role("button", name="Submit").click()
    for name in ("One softmax, one blend", "Weights of their own", "About the same cost"):
        page.get_by_label(name).fill("1")
    page.get_by_role("button", name="Save my points").click()

    expect(page.locator(".submission-panel .panel-head")).to_contain_text("3 / 3")
