"""The ten habits that instructors bring from other places that teach, a test each, on the whole product.

Similarity of submissions and the exchange with a learning platform are not among them yet.
"""

import csv
import os
import re
import subprocess
import sys
import zipfile

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.visits import pages_of, session_of
from tests.product import ATTENTION as ATTENTION_API
from tests.product import PASSWORD, RIGHT, ROOT

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.browser, pytest.mark.enable_socket]

SOONER_OR_LATER = 30_000
USUAL = 5_000
TEACH = "/teach/attention/"
AUTHOR = "/author/courses/attention/"
ATTENTION = "scaled-dot-product-attention"
NOT_SCALED = RIGHT.replace(" / math.sqrt(query.shape[-1])", "")
YAML = 'textarea[name="file:exercise.yaml"]'
NUMBER = """format: 1
kind: numeric
title: {title}
prompt: |
  How many are left of ten if half of them go?
answer: {answer}
explanation: |
  Half of ten.
"""


@pytest.fixture(scope="module", autouse=True)
def patience():
    """Pages answer after work of the whole product: what is expected of them may come late on a busy machine."""
    expect.set_options(timeout=SOONER_OR_LATER)
    yield
    expect.set_options(timeout=USUAL)


@pytest.fixture(scope="module")
def cookie(browser, product):
    return session_of(browser, product, "instructor")


@pytest.fixture(scope="module")
def ada(product):
    """A student beside the demo's own: the headers that her requests carry."""
    command = [sys.executable, ROOT / "manage.py", "create_account", "ada", "--course", "attention"]
    environment = {**os.environ, "DATA": str(product.data), "PORT": str(product.port)}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    subprocess.run(
        [*command, "--password-from-input"],
        cwd=ROOT,
        env=environment,
        input=f"{PASSWORD}\n",
        text=True,
        check=True,
        capture_output=True,
    )
    status, body = product.call("POST", "/api/v1/token/", {"username": "ada", "password": PASSWORD}, token=False)
    assert status == 200, body
    return {"Authorization": f"Token {body['token']}"}


@pytest.fixture(scope="module")
def handed_in(product, ada):
    """Both students forgot to scale; the demo's own then got it right. The first of the three, as the API tells it."""
    first = product.graded(product.submit(NOT_SCALED))
    product.graded(product.submit(RIGHT))
    _as(product, ada, "POST", f"{ATTENTION_API}submissions/", {"source": NOT_SCALED + "\n"})
    return first


@pytest.fixture
def visit(browser, product, cookie):
    """Opens a page as the instructor: `visit("/teach/attention/")`."""
    with pages_of(browser, product, cookie) as open_page:
        yield open_page


def _as(product, headers, method, path, body):
    """A request as somebody else, and its submission once it is graded."""
    status, sent = product.call(method, path, body, token=False, headers=headers)
    assert status in (201, 202), (status, sent)
    while sent["state"] != "graded":
        sent = product.call("GET", f"/api/v1/submissions/{sent['id']}/", token=False, headers=headers)[1]
    return sent


def begin_exercise(page, title, kind):
    """A new exercise with its small sound beginning, open to be written; what follows in its addresses."""
    page.goto(f"{AUTHOR}new-exercise/")
    page.get_by_label("Title").fill(title)
    page.get_by_label("Kind").select_option(kind)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    return page.url.split("/exercises/")[1].rstrip("/")


def check(page, slug):
    """Has what is saved checked, and waits for the report."""
    page.goto(f"{AUTHOR}exercises/{slug}/publish/")
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_role("link", name="To publishing")).to_be_visible(timeout=2 * SOONER_OR_LATER)


def publish(page, slug):
    check(page, slug)
    page.get_by_role("link", name="To publishing").click()
    page.get_by_role("button", name="Publish now").click()
    expect(page.get_by_role("heading", name="Students meet what stands here")).to_be_visible()


def save_yaml(page, slug, text):
    """Puts this text in place of exercise.yaml, without the script."""
    page.goto(f"{AUTHOR}exercises/{slug}/")
    page.locator(YAML).fill(text)
    page.get_by_role("button", name=re.compile("^Save Ctrl")).click()


def make_assignment(page, title, **fields):
    """An assignment of one exercise that a lesson shows, with 10 points."""
    page.goto(f"{TEACH}new-assignment/")
    page.get_by_label("Title").fill(title)
    for name, value in fields.items():
        page.locator(f"select[name={name}]").select_option(value)
    page.get_by_label("Who does what").fill("10")
    page.locator("form.author-form button.primary").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def set_by_hand(page, points, reason):
    """A score by hand for the demo's student, from the matrix on."""
    page.goto(f"{TEACH}matrix/")
    page.locator("table.matrix tbody th a", has_text="student").click()
    page.get_by_role("link", name="Set a score by hand").click()
    page.get_by_label("Points").fill(points)
    page.get_by_label("Reason").fill(reason)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Scores set by hand")).to_be_visible()


def violations(page):
    """What axe finds on a page that only a form leads to."""
    return [item["id"] for item in Axe().run(page).response["violations"]]


def test_1_a_course_is_seen_as_students_see_it_and_an_exercise_is_proven_first(visit):
    page = visit("/courses/attention/")
    page.get_by_role("button", name="View as a student").click()
    banner = page.get_by_label("Viewing as a student")
    expect(banner).to_contain_text("as a student.")
    expect(page.get_by_role("link", name="Write")).to_have_count(0)
    page.goto(f"/courses/attention/exercises/{ATTENTION}/")
    expect(page.locator(".account summary")).to_contain_text("Preview student")
    banner.get_by_role("button", name="Back to your own view").click()
    expect(page.get_by_role("link", name="Write")).to_be_visible()

    slug = begin_exercise(page, "Rows around zero", "code")
    check(page, slug)

    report = page.get_by_label("Report of the check")
    expect(report).to_contain_text("Mutation score")
    expect(report.locator(".checks")).to_contain_text(re.compile("reference", re.IGNORECASE))
    expect(report.locator(".checks")).to_contain_text(re.compile("mistake", re.IGNORECASE))


def test_2_a_lesson_is_written_with_a_preview_and_kept_as_files(visit, tmp_path):
    page = visit("/author/new-course/")
    page.get_by_label("Title").fill("In a folder")
    page.locator("form.author-form button.primary").click()
    course = "/author/courses/in-a-folder/"
    page.goto(f"{course}new-lesson/")
    page.get_by_label("Title").fill("Kept as files")
    page.get_by_role("button", name="Begin").click()
    page.locator(".file-body:visible .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\n::: note\nSeen at once.\n:::\n")
    expect(page.locator("#preview aside")).to_contain_text("Seen at once.")
    page.keyboard.press("Control+s")
    expect(page.locator("#saved")).to_have_text(re.compile("^saved"))

    page.goto(course)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as zip").click()
    path = tmp_path / "in-a-folder.zip"
    download.value.save_as(path)
    assert b"Seen at once." in zipfile.ZipFile(path).read("in-a-folder/lessons/kept-as-files.md")
    page.get_by_label("Zip of the course folder").set_input_files(path)
    page.get_by_role("button", name="Upload").click()

    row = page.locator("tr", has_text="lessons/kept-as-files.md")
    expect(row).to_contain_text("unchanged")


def test_3_hidden_cases_points_tolerances_seeds_and_limits_are_plain_fields(visit):
    page = visit(f"{AUTHOR}new-exercise/", javascript=False)
    slug = begin_exercise(page, "Plain fields", "code")
    text = page.locator(YAML).input_value()
    fields = "draws: 5\ncompare: {rtol: 1e-3, atol: 1e-5}\nlimits: {cpu_seconds: 2, memory_mb: 256}\n"
    cases = page.locator('textarea[name="file:cases.py"]')
    cases.fill(cases.input_value().replace('"name": "wide rows",', '"name": "wide rows", "points": 2,'))

    page.locator(YAML).fill(text.replace("hints:\n", f"{fields}hints:\n"))
    page.get_by_role("button", name=re.compile("^Save Ctrl")).click()

    expect(page.locator(YAML)).to_have_value(re.compile("cpu_seconds: 2"))
    expect(page.locator("#problems")).not_to_contain_text("line")
    save_yaml(page, slug, text.replace("hints:\n", "limits: {cpu_seconds: quick}\nhints:\n"))
    expect(page.locator("#problems")).to_contain_text("cpu_seconds")


def test_4_one_glance_tells_what_is_open_visible_and_released(visit, handed_in):
    page = visit(f"{TEACH}new-assignment/")
    make_assignment(page, "Glance", outcomes_shown="released")

    page.goto(TEACH)

    line = page.locator("tr", has_text="Glance")
    expect(line).to_contain_text("visible")
    expect(line).to_contain_text("Open")
    expect(line).to_contain_text(re.compile("release", re.IGNORECASE))
    expect(page.get_by_text("At work, last 15 min")).to_be_visible()


def test_5_a_corrected_exercise_is_regraded_after_a_look_at_before_and_after(visit, product):
    page = visit(f"{AUTHOR}new-exercise/", javascript=False)
    slug = begin_exercise(page, "Half of ten", "numeric")
    save_yaml(page, slug, NUMBER.format(title="Half of ten", answer=6))
    publish(page, slug)
    status, submission = product.call("POST", f"/api/v1/exercises/attention/{slug}/submissions/", {"response": "5"})
    assert (status, submission["verdict"]) == (201, "wrong_answer")

    save_yaml(page, slug, NUMBER.format(title="Half of ten", answer=5))
    publish(page, slug)
    page.goto(f"{AUTHOR}exercises/{slug}/regrade/")
    page.get_by_role("button", name="Preview the regrade").click()

    row = page.get_by_role("group", name="What changes").locator("tbody tr")
    expect(row).to_have_count(1)
    assert [cell.strip() for cell in row.locator(".figure").all_inner_texts()][:2] == ["0 / 1", "1 / 1"]
    unchanged = product.call("GET", f"/api/v1/submissions/{submission['id']}/")[1]
    assert unchanged["verdict"] == "wrong_answer"
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("button", name="Apply")).to_have_count(0)
    assert product.call("GET", f"/api/v1/submissions/{submission['id']}/")[1]["verdict"] == "accepted"


def test_6_the_matrix_is_sorted_and_leads_to_the_attempts(visit, handed_in):
    page = visit(f"{TEACH}matrix/")
    page.get_by_role("columnheader", name="Points").get_by_role("link").click()
    expect(page.get_by_role("columnheader", name="Points")).to_have_attribute("aria-sort", re.compile("ending"))
    names = page.locator("table.matrix tbody th").all_inner_texts()
    assert {"student", "ada"} <= set(names)

    row = page.locator("table.matrix tbody tr", has=page.get_by_role("rowheader", name="student", exact=True))
    row.locator(f"a[href$='/exercises/{ATTENTION}/']").click()

    expect(page.locator("table.plain tbody tr")).to_have_count(2)
    expect(page.get_by_role("link", name=handed_in["receipt"])).to_be_visible()


def test_7_an_exercise_tells_its_pass_rate_attempts_and_misconceptions(visit, handed_in):
    page = visit(f"{TEACH}analysis/")
    page.get_by_role("link", name="Scaled dot-product attention").click()

    expect(page.locator(".lead")).to_have_text("1 of 2 students who tried it solved it; 3 hand-ins were judged.")
    for term in ("Facility", "Discrimination", re.compile("Hand-ins|Attempts")):
        expect(page.locator("dl.counts dt", has_text=term).first).to_be_visible()
    causes = page.locator("section", has=page.get_by_role("heading", name="Misconceptions, by students"))
    expect(causes).to_contain_text("Scores not scaled")
    causes.get_by_text("Samples: Scores not scaled").click()
    expect(causes.locator(".samples .receipt").first).to_be_visible()


def test_8_one_student_gets_time_attempts_and_a_score_by_hand_with_a_reason(visit, handed_in):
    page = visit(f"{TEACH}new-assignment/")
    make_assignment(page, "For one")
    page.goto(f"{TEACH}matrix/")
    page.locator("table.matrix tbody th a", has_text="student").click()
    page.get_by_role("link", name="Grant time or attempts").click()
    page.get_by_label("Assignment").select_option(label="For one")
    page.get_by_label("More attempts at each exercise").fill("2")
    page.get_by_label("Reason").first.fill("Ill this week")
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()
    expect(page.locator(".timeline")).to_contain_text("Ill this week")

    set_by_hand(page, "1", "Shown at the board")

    scores = page.locator("section", has=page.get_by_role("heading", name="Scores set by hand"))
    expect(scores).to_contain_text("Shown at the board")


def test_9_a_class_list_comes_in_by_csv_and_grades_go_out_as_they_stand(visit, tmp_path, handed_in):
    path = tmp_path / "class.csv"
    path.write_text(
        "Student ID;User name;Last name;First name;Section;Role\n"
        "0041;cleo;Amari;Cleo;Monday;\n0042;dag;Moen;Dag;Monday;assistant\n;two words;X;Y;;\n"
    )
    page = visit(f"{TEACH}roster/")
    page.get_by_label("Class list (CSV)").set_input_files(path)
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("region", name="Refused")).to_contain_text("Enter a valid username")
    assert violations(page) == []
    page.get_by_role("button", name="Do the rest, without the refused line").click()
    expect(page.locator(".slip")).to_have_count(2)
    assert violations(page) == []
    expect(page.locator(".slip-link").first).to_contain_text("/sign-in/")

    page.goto(f"{TEACH}roster/?section=Monday")
    expect(page.locator("tr", has_text="dag")).to_contain_text("Assistant")
    page.goto(f"{TEACH}gradebook/")
    shown = {
        row.locator("th").inner_text(): row.locator(".grade").inner_text().removesuffix(" %")
        for row in page.locator("table.ledger tbody tr").all()
    }
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV", exact=True).click()
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {row["username"]: f"{row['first_name']} {row['last_name']}".strip() or row["username"] for row in rows}
    assert {names[row["username"]]: row["percent"] for row in rows} == shown
    assert {row["username"]: row["external_id"] for row in rows}["cleo"] == "0041"


def test_10_changes_of_grades_are_on_record_code_is_commented_and_a_course_copied(visit, handed_in):
    page = visit(f"{TEACH}submissions/{handed_in['id']}/")
    page.get_by_label("Line, or empty for the whole").fill("6")
    page.get_by_label("Comment", exact=True).fill("What is the spread of these scores?")
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator(".remark")).to_contain_text("What is the spread of these scores?")
    set_by_hand(page, "0.5", "Agreed in the office hour")

    page.goto(f"{AUTHOR}record/")
    entry = page.locator("tr", has_text="Agreed in the office hour")
    expect(entry).to_contain_text("Score set by hand")
    expect(entry).to_contain_text("instructor")
    page.goto(AUTHOR)
    page.get_by_role("link", name="Copy", exact=True).click()
    page.get_by_label("Title of the copy").fill("Attention, next term")
    page.get_by_role("button", name="Copy", exact=True).click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Attention, next term")
    expect(page.get_by_role("link", name="Scaled dot-product attention").first).to_be_visible()
