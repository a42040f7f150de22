import pytest

from exercises.choices import AuditAction, Kind, Role
from exercises.models import Course, JoinLink
from exercises.services import create_exercise
from tests.exercises.authoring import UNREADABLE_FILES, certify, make_author, make_working_copy
from tests.exercises.teach.authoring_requests import address, course_address, said
from tests.factories import make_check, make_course, make_exercise, make_lesson, make_member, make_user

pytestmark = pytest.mark.django_db
FIELDS = {"title": "Vectors", "time_zone": "Europe/Berlin", "required_score": "0.8", "summary": "Many numbers."}


@pytest.fixture
def course():
    return make_course(title="Vectors")


@pytest.fixture
def author(course, client):
    author = make_author(course)
    client.force_login(author)
    return author


def test_administrator_makes_a_course_and_is_its_instructor(client):
    maker = make_user(is_staff=True)
    client.force_login(maker)

    response = client.post("/author/new-course/", FIELDS)

    made = Course.objects.get()
    assert response.headers["Location"] == course_address("course", made)
    assert (made.slug, made.title, made.time_zone, made.required_score) == ("vectors", "Vectors", "Europe/Berlin", 0.8)
    assert made.memberships.get().role == Role.INSTRUCTOR


def test_student_makes_no_course(client, course):
    client.force_login(make_member(course))

    assert client.post("/author/new-course/", FIELDS).status_code == 403
    assert Course.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [("slug", "Not a slug"), ("time_zone", "Europe/Nowhere"), ("required_score", "1.5"), ("title", "")],
)
def test_field_that_is_wrong_is_named_beside_it(client, author, field, value):
    response = client.post("/author/new-course/", {**FIELDS, "title": "New", field: value})

    assert response.status_code == 400
    assert list(response.context["form"].errors) == [field]
    assert Course.objects.count() == 1


def test_slug_that_is_taken_is_refused(client, author, course):
    response = client.post("/author/new-course/", {**FIELDS, "slug": course.slug})

    assert response.status_code == 400
    assert "already" in response.context["form"].errors["slug"][0]


def test_settings_are_changed_and_put_on_record(client, author, course):
    client.post(course_address("settings", course), {**FIELDS, "keeps_better_score": "on"})

    course.refresh_from_db()
    assert (course.keeps_better_score, course.required_score) == (True, 0.8)
    entry = course.audit_entries.get()
    assert (entry.action, entry.actor) == (AuditAction.COURSE_CHANGED, author)
    assert "keeps better score: False → True" in client.get(course_address("record", course)).content.decode()


def test_course_page_says_how_far_each_exercise_is(client, author, course):
    make_working_copy(course, slug="unchecked")
    make_working_copy(course, slug="broken", files=UNREADABLE_FILES)
    certify(make_working_copy(course, slug="sound"))
    certify(make_working_copy(course, slug="weak"), mutation_score=0.5)
    refused = make_working_copy(course, slug="refused")
    finding = {"check": "key", "message": "no", "file": "", "line": None, "level": "problem"}
    make_check(refused.revisions.get(), report={"sound": False, "findings": [finding]})
    make_exercise(course, slug="published")

    rows = client.get(course_address("course", course)).context["rows"]

    assert {row.slug: row.soundness.word for row in rows} == {
        "unchecked": "Unchecked",
        "broken": "Not readable yet",
        "sound": "Sound",
        "weak": "Mutation score 0.50 of 0.9",
        "refused": "Not sound: 1 problem",
        "published": "Unchecked",
    }
    assert {row.slug: row.publication.word for row in rows}["published"] == "Version 1 is published"
    assert {row.slug: row.publication.word for row in rows}["sound"] == "Not published"


def test_course_page_asks_as_much_for_three_exercises_as_for_one(author, course, queries_of):
    counts = []
    for number in range(3):
        exercise = make_working_copy(course, slug=f"e-{number}")
        certify(exercise)
        make_check(exercise.revisions.get())
        make_lesson(course)
        counts.append(queries_of(course_address("course", course)))

    assert counts[0] == counts[2]


@pytest.mark.parametrize(("to", "order"), [("before", ["b", "a", "c"]), ("behind", ["a", "c", "b"])])
def test_exercise_changes_places(client, author, course, to, order):
    exercises = {slug: make_working_copy(course, slug=slug) for slug in "abc"}

    client.post(address("move-exercise", exercises["b"]), {"to": to})

    assert [exercise.slug for exercise in course.exercises.all()] == order


def test_first_exercise_stays_first(client, author, course):
    first, _ = (make_working_copy(course, slug=slug) for slug in "ab")

    client.post(address("move-exercise", first), {"to": "before"})

    assert [exercise.slug for exercise in course.exercises.all()] == ["a", "b"]


def test_exercise_is_put_away_and_brought_back(client, author, course):
    exercise = make_exercise(course)

    client.post(address("retire-exercise", exercise))

    exercise.refresh_from_db()
    assert (exercise.is_retired, exercise.published) == (True, None)
    assert [row.slug for row in client.get(course_address("course", course)).context["put_away"]] == [exercise.slug]

    client.post(address("retire-exercise", exercise))

    exercise.refresh_from_db()
    assert (exercise.is_retired, exercise.published) == (False, None)


def test_every_kind_begins_readable(client, author, course):
    for kind in Kind:
        client.post(course_address("new-exercise", course), {"title": f"My {kind}: it's", "kind": kind})

    heads = [exercise.revisions.get() for exercise in course.exercises.all()]
    assert [head.kind for head in heads] == list(Kind)
    assert heads[0].title == "My choice: it's"
    assert all(head.is_readable for head in heads)


def test_address_of_an_exercise_that_is_taken_is_refused(client, author, course):
    make_working_copy(course, slug="twice")

    response = client.post(course_address("new-exercise", course), {"title": "Twice", "kind": "choice"})

    assert response.status_code == 400
    assert "already" in response.context["form"].errors["slug"][0]


def test_copy_begins_with_the_same_files(client, author, course):
    exercise = make_working_copy(course)

    client.post(address("duplicate", exercise))

    copy = course.exercises.get(slug="how-much-copy-1")
    assert copy.revisions.get().files == exercise.revisions.get().files


def test_copies_have_addresses_of_their_own(client, author, course):
    exercise = make_working_copy(course)

    for _ in range(2):
        client.post(address("duplicate", exercise))

    assert set(course.exercises.values_list("slug", flat=True)) == {"how-much", "how-much-copy-1", "how-much-copy-2"}


def test_copy_with_a_taken_address_is_refused(client, author, course):
    exercise = make_working_copy(course)

    response = client.post(address("duplicate", exercise), {"slug": "how-much"}, follow=True)

    assert said(response) == ["The course has an exercise called how-much already."]
    assert course.exercises.count() == 1


@pytest.mark.parametrize("role", [Role.STUDENT, Role.ASSISTANT])
def test_join_link_is_shown_once_and_can_be_revoked(client, author, course, role):
    page = client.post(course_address("join-links", course), {"role": role})

    url = page.context["join_url"].removeprefix("http://testserver")
    link = JoinLink.objects.get()
    assert link.role == role
    assert url not in client.get(course_address("course", course)).content.decode()
    client.post(f"{course_address('join-links', course)}{link.pk}/revoke/")
    client.force_login(make_user())
    assert client.post(url).status_code == 404
    actions = list(course.audit_entries.values_list("action", flat=True))
    assert actions == [AuditAction.JOIN_LINK_REVOKED, AuditAction.JOIN_LINK_MADE]


def test_role_that_is_none_makes_no_link(client, author, course):
    assert client.post(course_address("join-links", course), {"role": "owner"}).status_code == 400
    assert not JoinLink.objects.exists()


def test_link_of_another_course_is_not_revoked(client, author, course):
    foreign = JoinLink.objects.create(course=make_course(), token_hash="x", expires_at="2100-01-01T00:00Z")

    response = client.post(f"{course_address('join-links', course)}{foreign.pk}/revoke/")

    foreign.refresh_from_db()
    assert (response.status_code, foreign.revoked_at) == (404, None)


def test_home_lists_what_one_teaches_alone(client, author, course):
    make_member(make_course(title="Learned"), username="x")
    other = make_course(title="Of others")
    make_author(other)

    courses = client.get("/author/").context["courses"]

    assert [item.title for item in courses] == ["Vectors"]


def test_assistant_sees_and_does_not_change(client, course):
    exercise = create_exercise(course, "one", files={"exercise.yaml": ""}, author=make_author(course))
    client.force_login(make_author(course, Role.ASSISTANT))

    assert client.get(address("exercise", exercise)).status_code == 200
    assert 'value="save"' not in client.get(address("exercise", exercise)).content.decode()
    assert client.post(address("retire-exercise", exercise)).status_code == 403
