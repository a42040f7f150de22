import pytest

from exercises.choices import State
from exercises.models import Check
from exercises.queries import head_of
from exercises.services import save_revision
from tests.exercises.authoring import CODE_FILES, make_author, make_working_copy
from tests.exercises.teach.authoring_requests import HTMX, address, said
from tests.factories import make_check, make_course, make_mutant, make_mutation

pytestmark = pytest.mark.django_db
SURVIVED, UNSEEN, KILLED = make_mutant(), make_mutant(offer=None), make_mutant(fate="killed", by="two rows", offer=None)
FINDING = {"check": "cases", "message": "`x` <b> differs", "file": "cases.py", "line": 2, "level": "problem"}


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def author(course, client):
    author = make_author(course)
    client.force_login(author)
    return author


@pytest.fixture
def exercise(course, author):
    return make_working_copy(course, files=CODE_FILES, author=author, slug="double")


def checked(exercise, *mutants, **report):
    return make_check(head_of(exercise), report={"sound": False, "mutation": make_mutation(*mutants), **report})


def test_check_is_started_and_followed(client, exercise):
    client.post(address("check", exercise))

    check = Check.objects.get()
    page = client.get(address("check", exercise)).content.decode()
    assert check.state == State.QUEUED
    assert "Waiting for a free place" in page
    assert f'data-live hx-get="{address("check-panel", exercise)}"' in page


def test_panel_shows_how_far_a_check_is(client, exercise):
    progress = {"doing": "mutants", "done": ["schema", "cases"], "findings": [FINDING], "tried": 3, "mutants": 11}
    make_check(head_of(exercise), state=State.RUNNING, report=None, progress=progress).refresh_from_db()
    Check.objects.update(report=None)

    response = client.get(address("check-panel", exercise), headers=HTMX)

    panel, page = response.context["panel"], response.content.decode()
    assert [(line.name, line.mark.word) for line in panel.lines] == [("Files and fields", "fine"), ("Cases", "problem")]
    assert "3 of 11 small changes tried" in page
    assert 'id="author-state" hx-swap-oob="true"' in page


def test_stopped_check_is_none_any_more(client, exercise):
    client.post(address("check", exercise))

    client.post(address("cancel-check", exercise))

    assert Check.objects.get().state == State.SUPERSEDED
    assert client.get(address("check", exercise)).context["panel"] is None


def test_finding_leads_to_its_line(client, exercise):
    checked(exercise, findings=[FINDING])

    page = client.get(address("check", exercise)).content.decode()

    assert f'href="{address("exercise", exercise)}?line=2#file-cases-py"' in page
    assert "<code>x</code> &lt;b&gt; differs" in page


def test_fault_of_ours_is_told_apart(client, exercise):
    make_check(head_of(exercise), state=State.FAILED, fault="the runner died")
    Check.objects.update(report=None)

    page = client.get(address("check", exercise)).content.decode()

    assert "it has nothing to do with the exercise" in page
    assert "the runner died" in page


def test_report_of_what_stood_before_says_so(client, exercise, author):
    checked(exercise, SURVIVED)
    save_revision(exercise, files={**CODE_FILES, "reference.py": "x = 1\n"}, based_on=1, author=author)

    page = client.get(address("check", exercise)).content.decode()

    assert "this report is of what stood before" in page
    assert "To publishing" not in page


@pytest.mark.parametrize("into", ["visible", "hidden"])
def test_offered_case_is_taken_as_a_new_revision(client, exercise, into):
    check = checked(exercise, KILLED, SURVIVED)

    response = client.post(address("take-case", exercise), {"check": check.pk, "mutant": 1, "into": into}, follow=True)

    head = head_of(exercise)
    assert head.number == 2
    assert "torch.tensor([[3.5]])" in head.files["cases.py"].partition(f"def {into}")[2]
    assert said(response) == [f"The case stands in cases.py now, in {into}(): revision 2."]
    (survivor,) = response.context["panel"].mutation.survivors
    assert survivor.is_taken
    assert "Take this case" not in response.content.decode()


@pytest.mark.parametrize(
    "sent",
    [{"mutant": 0}, {"mutant": 9}, {"mutant": "x"}, {"mutant": 1, "check": 0}, {}],
)
def test_case_that_is_not_offered_is_not_taken(client, exercise, sent):
    check = checked(exercise, UNSEEN, SURVIVED)

    response = client.post(address("take-case", exercise), {"check": check.pk, **sent}, follow=True)

    assert len(said(response)) == 1
    assert head_of(exercise).number == 1


def test_equivalent_is_said_in_the_file(client, exercise):
    check = checked(exercise, UNSEEN)

    client.post(address("mark-equivalent", exercise), {"check": check.pk, "mutant": 0, "reason": "Rows are alike."})

    written = head_of(exercise).files["exercise.yaml"]
    assert written.startswith(CODE_FILES["exercise.yaml"])
    assert "mutants:\n  equivalent:\n    - change: " in written
    assert written.endswith("reason: Rows are alike.\n")


def test_equivalent_needs_a_reason(client, exercise):
    check = checked(exercise, UNSEEN)

    response = client.post(
        address("mark-equivalent", exercise), {"check": check.pk, "mutant": 0, "reason": " "}, follow=True
    )

    assert said(response) == ["Say why nobody can see the change."]
    assert head_of(exercise).number == 1


def test_report_shows_every_fate(client, exercise):
    equivalent = make_mutant(fate="equivalent", reason="A square.", offer=None)
    checked(exercise, KILLED, SURVIVED, UNSEEN, equivalent, make_mutant(fate="broken", offer=None))

    mutation = client.get(address("check", exercise)).context["panel"].mutation

    assert (mutation.score, mutation.is_enough) == ("0.33", False)
    assert [bool(item.code) for item in mutation.survivors] == [True, False]
    assert [item.note for item in (*mutation.killed, *mutation.equivalent)] == ["refused by “two rows”", "A square."]
    assert len(mutation.broken) == 1
    assert [line.look for line in mutation.survivors[0].lines] == ["removed", "added"]
