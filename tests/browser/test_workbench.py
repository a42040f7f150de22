"""The student's habits at the editor, with a worker played by the test."""

import re

import pytest
from playwright.sync_api import expect

from exercises.blobs import pack
from exercises.choices import Kind, State
from exercises.models import Draft, Run, Submission
from exercises.services import claim_next, record_outcome, save_draft
from graders.outcomes import Feedback, Verdict
from tests.browser.demo import ATTENTION, FACTS, RIGHT, run_result
from tests.factories import make_case, make_outcome, publish_version

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BENCH = f"/courses/attention/exercises/{ATTENTION}/"
SCRIPT = "/courses/attention/exercises/four-tokens/"


@pytest.fixture
def student_at_bench(demo, visit):
    """At the page of an exercise that the student has not begun, with its editor open."""
    demo.waiting.grading.delete()
    visitor = visit(demo.student)
    visitor.expect_error("404")  # the streams of events are another process's
    visitor.page.goto(SCRIPT)
    expect(visitor.page.locator(".cm-content")).to_be_visible()
    return visitor


@pytest.fixture
def bench(student_at_bench):
    return student_at_bench.page


def write(page, text):
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def test_submit_by_key_shows_cases_and_outcome(bench):
    write(bench, "weights = 1")
    bench.keyboard.press("Control+Shift+Enter")
    expect(bench.locator(".submission-panel")).to_contain_text("Handed in")
    expect(bench.locator(".submission-panel")).to_be_focused()

    cases = (
        make_case(),
        make_case(name="second", verdict=Verdict.WRONG_ANSWER, points=0, feedback=Feedback(summary="Off.")),
    )
    outcome = make_outcome(verdict=Verdict.WRONG_ANSWER, cases=cases, feedback=Feedback(summary="Off by one."))
    record_outcome(claim_next("test"), outcome, facts=FACTS)

    panel = bench.locator(".submission-panel")
    expect(panel).to_contain_text("Off by one.")
    expect(panel.locator(".case")).to_have_count(2)
    expect(panel).to_be_focused()
    expect(bench.locator("#announcer")).to_have_text("Not yet right. 4 of 4 points. Off by one.")
    assert Submission.objects.latest("pk").source == "weights = 1"


def test_run_by_key_hands_nothing_in_and_keeps_the_place(bench):
    before = Submission.objects.count()
    write(bench, "weights = 2")
    bench.keyboard.press("Control+Enter")
    expect(bench.locator(".run-panel")).to_be_visible()

    assert Run.objects.latest("pk").source == "weights = 2"
    assert Submission.objects.count() == before
    expect(bench.locator(".cm-content")).to_be_focused()


def test_who_writes_on_at_a_corrected_version_goes_on_with_what_they_wrote(demo, bench):
    exercise = demo.course.exercises.get(slug="four-tokens")
    definition = {**exercise.published.definition["exercise"], "prompt": "Corrected."}
    publish_version(exercise, kind=Kind.SCRIPT, definition=definition)
    write(bench, "weights = 4")

    bench.get_by_role("link", name="Go on with the corrected one").click()

    expect(bench.locator("#description")).to_contain_text("Corrected.")
    expect(bench.locator(".cm-content")).to_have_text("weights = 4")
    bench.keyboard.press("Control+Shift+Enter")
    expect(bench.locator(".submission-panel")).to_contain_text("Handed in")
    assert Submission.objects.latest("pk").version == exercise.published


def test_save_by_key_saves_the_draft_and_never_submits(bench):
    before = Submission.objects.count()
    write(bench, "weights = 3")
    bench.keyboard.press("Control+s")
    expect(bench.locator("#saved")).to_have_text(re.compile(r"^saved \d"))

    assert Draft.objects.latest("pk").source == "weights = 3"
    assert Submission.objects.count() == before


def test_draft_saves_itself_and_survives_a_reload(bench):
    write(bench, "weights = 4")
    expect(bench.locator("#saved")).to_have_text(re.compile(r"^saved \d"))

    bench.reload()

    expect(bench.locator(".cm-content")).to_have_text("weights = 4")


def test_text_not_yet_saved_survives_a_reload(bench):
    bench.route("**/draft/", lambda route: route.abort())
    write(bench, "weights = 5")
    bench.unroute("**/draft/")

    bench.reload()

    expect(bench.locator(".cm-content")).to_have_text("weights = 5")


def test_stale_tab_asks_which_draft_to_keep(demo, student_at_bench, bench):
    student_at_bench.expect_error("409")
    exercise = demo.course.exercises.get(slug="four-tokens")
    save_draft(demo.student, exercise, source="from another device", revision=0)
    write(bench, "weights = 6")
    expect(bench.locator("#stale")).to_be_visible()
    assert Draft.objects.get(exercise=exercise).source == "from another device"

    bench.get_by_role("button", name="Keep mine").click()

    expect(bench.locator("#saved")).to_have_text(re.compile(r"^saved \d"))
    assert Draft.objects.get(exercise=exercise).source == "weights = 6"


def test_reset_asks_and_puts_the_starting_code_back(bench):
    write(bench, "weights = 7")
    bench.on("dialog", lambda dialog: dialog.accept())

    bench.get_by_role("button", name="Reset").click()

    expect(bench.locator(".cm-content")).to_contain_text("import torch")


def test_tab_leaves_the_editor(bench):
    bench.locator(".cm-content").focus()

    bench.keyboard.press("Tab")

    expect(bench.get_by_role("button", name=re.compile("^Run"))).to_be_focused()


def test_plain_text_is_remembered_and_hands_in_as_well(bench):
    write(bench, "weights = 8")
    bench.get_by_role("button", name="Plain text").click()
    expect(bench.locator("textarea#source")).to_have_value("weights = 8")

    bench.reload()
    bench.locator("textarea#source").fill("weights = 9")
    bench.keyboard.press("Control+Shift+Enter")

    expect(bench.locator(".submission-panel")).to_be_visible()
    assert Submission.objects.latest("pk").source == "weights = 9"


def test_tabs_move_by_arrow(bench):
    bench.get_by_role("tab", name="Description").focus()

    bench.keyboard.press("ArrowRight")

    expect(bench.get_by_role("tab", name="Hints")).to_be_focused()
    expect(bench.get_by_role("tabpanel", name="Hints")).to_be_visible()
    expect(bench.get_by_role("tabpanel", name="Description")).to_be_hidden()


def test_hint_opens_in_its_place(bench):
    bench.get_by_role("tab", name="Hints").click()

    bench.get_by_role("button", name="Open hint 1").click()

    expect(bench.locator("#hint-list li").first.locator(".prose")).to_be_visible()
    expect(bench.get_by_role("button", name="Open hint 2")).to_be_visible()


def test_question_mark_shows_the_keys_outside_of_the_editor(bench):
    write(bench, "a")
    bench.keyboard.type("?")
    expect(bench.get_by_role("dialog")).to_be_hidden()

    bench.locator("main").focus()
    bench.keyboard.press("?")

    dialog = bench.get_by_role("dialog")
    expect(dialog).to_contain_text("save the draft; never submits")
    dialog.get_by_label("Keys that are pressed alone").uncheck()
    dialog.get_by_role("button", name="Close").click()

    bench.reload()
    bench.locator("main").focus()
    bench.keyboard.press("?")

    expect(dialog).to_be_hidden()


def test_width_of_the_text_is_remembered(bench):
    separator = bench.get_by_role("separator")
    separator.focus()
    for _ in range(3):
        bench.keyboard.press("ArrowRight")

    bench.reload()

    expect(bench.get_by_role("separator")).to_have_attribute("aria-valuenow", "46")


def test_line_of_an_error_leads_to_it(demo, visit):
    Submission.objects.filter(pk=demo.mistaken.pk).delete()
    Draft.objects.all().delete()
    visitor = visit(demo.student)
    visitor.page.goto(BENCH)
    expect(visitor.page.locator(".cm-content")).to_be_visible()

    visitor.page.get_by_role("link", name="Line 7").click()

    expect(visitor.page.locator(".cm-activeLine")).to_contain_text("key.transposed()")


def test_plain_text_lists_errors_that_lead_to_their_lines(demo, visit):
    Submission.objects.filter(pk=demo.mistaken.pk).delete()
    Draft.objects.all().delete()
    page = visit(demo.student).page
    page.goto(BENCH)
    errors = page.get_by_role("navigation", name="Errors")
    expect(page.locator(".cm-content")).to_be_visible()
    expect(errors).to_be_hidden()

    page.get_by_role("button", name="Plain text").click()
    errors.get_by_role("link", name="Line 7: AttributeError").click()

    field = page.locator("textarea#source")
    expect(field).to_be_focused()
    selected = field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert selected.strip().startswith("scores = query @ key.transposed()")


def test_phone_offers_signs_and_mends_those_that_only_look_like_them(demo, visit):
    demo.waiting.grading.delete()
    visitor = visit(demo.student, width=360, height=640, phone=True)
    visitor.expect_error("404")
    page = visitor.page
    page.goto(SCRIPT)
    field, signs = page.locator("textarea#source"), page.get_by_role("group", name="Signs for code")
    write(page, "x")
    for sign in ("=", "(", "[", "Tab"):
        signs.get_by_role("button", name=sign, exact=True).tap()
    expect(page.locator(".cm-content")).to_be_focused()
    assert field.input_value() == "x=([    ])"

    write(page, "print(“2 – 1”)\n# “left”\n")
    page.get_by_role("button", name="Mend them").tap()
    assert field.input_value() == 'print("2 - 1")\n# “left”\n'

    signs.get_by_role("button", name="Run").tap()
    expect(page.locator(".run-panel")).to_be_visible()
    assert Run.objects.latest("pk").source == 'print("2 - 1")\n# “left”\n'


def test_signed_out_student_is_told_in_place_and_keeps_the_text(student_at_bench, bench):
    student_at_bench.expect_error("401")
    write(bench, "weights = 10")
    expect(bench.locator("#saved")).to_have_text(re.compile(r"^saved \d"))
    bench.context.clear_cookies(name=re.compile("^sessionid"))

    bench.keyboard.press("Control+Shift+Enter")

    expect(bench.locator("#outcome")).to_contain_text("You are signed out.")
    expect(bench.locator(".cm-content")).to_have_text("weights = 10")


def test_who_signs_in_again_in_another_tab_goes_on_where_they_were(demo, student_at_bench, bench):
    student_at_bench.expect_error("401")
    demo.student.set_password("a long password of theirs")
    demo.student.save()
    write(bench, "weights = 11")
    bench.context.clear_cookies(name=re.compile("^sessionid"))
    bench.keyboard.press("Control+Shift+Enter")
    with bench.context.expect_page() as opened:
        bench.get_by_role("link", name="Sign in in another tab").click()
    opened.value.get_by_label("Username").fill(demo.student.username)
    opened.value.get_by_label("Password").fill("a long password of theirs")
    opened.value.get_by_role("button", name="Sign in").click()
    expect(opened.value.get_by_role("heading", level=1)).to_contain_text("Hello")
    opened.value.close()

    bench.get_by_role("button", name="Submit").click()

    expect(bench.locator("#outcome .submission-panel")).to_contain_text("Handed in")
    assert Submission.objects.get(exercise__slug="four-tokens").source == "weights = 11"


def test_lost_reply_is_asked_for_again_and_hands_in_once(student_at_bench, bench):
    for words in ("ERR_FAILED", "htmx:"):
        student_at_bench.expect_error(words)
    keys = []

    def lose_the_first(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) > 1:
            route.continue_()
            return
        route.fetch()
        route.abort()

    bench.route("**/submit/", lose_the_first)
    write(bench, "weights = 12")

    bench.keyboard.press("Control+Shift+Enter")

    expect(bench.locator("#outcome")).to_contain_text("It is sent again by itself, and counts once.")
    expect(bench.locator("#outcome .submission-panel")).to_be_visible(timeout=15_000)
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert Submission.objects.filter(exercise__slug="four-tokens").count() == 1


def test_lines_that_were_handed_in_stand_close_and_numbered(demo, visit):
    page = visit(demo.student).page
    page.goto(f"/submissions/{demo.mistaken.pk}/")

    lines = page.locator(".numbered span")
    tops = lines.evaluate_all("lines => lines.map((line) => line.getBoundingClientRect().top)")

    assert lines.count() > 4
    assert {round(below - above) for above, below in zip(tops, tops[1:], strict=False)} <= {21, 22, 23, 24}


def test_code_scrolled_sideways_does_not_show_under_its_numbers(bench):
    colour = bench.locator(".cm-gutters").evaluate("numbers => getComputedStyle(numbers).backgroundColor")

    assert colour not in {"transparent", "rgba(0, 0, 0, 0)"}


def test_theme_is_chosen_and_remembered(demo, visit):
    page = visit(demo.student).page
    page.goto("/")
    page.locator("details.account summary").click()
    for _ in range(2):
        page.get_by_role("button", name=re.compile("^Theme")).click()

    page.goto("/progress/")

    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(26, 24, 21)"


def test_run_of_cases_shows_them(demo, bench):
    write(bench, "weights = 12")
    bench.keyboard.press("Control+'")
    expect(bench.locator(".run-panel")).to_be_visible()
    case = make_outcome(cases=(make_case(name="weights"),)).to_json()["cases"]
    run = Run.objects.latest("pk")
    Run.objects.filter(pk=run.pk).update(
        state=State.GRADED, verdict="accepted", result=pack({**run_result(), "cases": case})
    )

    expect(bench.locator(".run-panel .case")).to_contain_text("weights")


def test_accepted_submission_says_so(bench):
    write(bench, RIGHT)
    bench.keyboard.press("Control+Shift+Enter")
    expect(bench.locator(".submission-panel")).to_be_visible()
    record_outcome(claim_next("test"), make_outcome(cases=(make_case(),)), facts=FACTS)

    expect(bench.locator(".submission-panel .panel-head")).to_contain_text("Accepted")
    expect(bench.locator("[data-live]")).to_have_count(0)
    expect(bench.locator("#best")).to_have_text("Accepted")
    expect(bench.get_by_role("tab", name="Submissions 1")).to_be_visible()
