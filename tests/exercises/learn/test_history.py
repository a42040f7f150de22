"""The history of an exercise on its page, two submissions compared, and one put back."""

import pytest

from exercises.choices import Kind
from exercises.learn.differing import MOST_LINES, difference_of
from exercises.models import Draft
from exercises.services import RunFacts, save_draft, submit
from graders.outcomes import Verdict
from tests.exercises.learn.people import expecting
from tests.factories import make_exercise, make_graded, make_outcome, right_response

WRONG = make_outcome(verdict=Verdict.WRONG_ANSWER, score=1)
FACTS = RunFacts(cpu_seconds=0.25, peak_memory_bytes=48 * 1024 * 1024)


def page_of(exercise):
    return f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/"


def text_of(answer):
    return " ".join(answer.content.decode().split())


def test_each_line_has_verdict_time_memory_and_what_can_be_done(client, student, course):
    exercise = make_exercise(course)
    first = make_graded(student, exercise, outcome=WRONG, facts=FACTS, source="x = 1\n")
    second = make_graded(student, exercise, facts=FACTS, source="x = 2\n")

    text = text_of(client.get(page_of(exercise)))

    assert text.count("0.25 s · 48 MB") >= 2
    assert text.count("the best so far") == 1
    for submission in (first, second):
        assert submission.receipt in text
        assert f'action="/submissions/{submission.pk}/restore/"' in text
    assert f'href="/submissions/{second.pk}/compare/"' in text
    assert f'href="/submissions/{first.pk}/compare/"' not in text


def test_last_accepted_one_is_offered_where_it_is_not_the_newest(client, student, course):
    exercise = make_exercise(course)
    accepted = make_graded(student, exercise, source="x = 1\n")
    assert "last accepted" not in text_of(client.get(page_of(exercise)))

    make_graded(student, exercise, outcome=WRONG, source="x = 2\n")

    offered = f'action="/submissions/{accepted.pk}/restore/" data-restore'
    assert text_of(client.get(page_of(exercise))).count(offered) == 2


def test_one_is_put_back_and_the_draft_set_aside(client, student, course):
    exercise = make_exercise(course)
    submission = submit(student, exercise, source="x = 1\n")
    save_draft(student, exercise, source="x = 3\n", revision=0)

    answer = client.post(f"/submissions/{submission.pk}/restore/")

    assert (answer.status_code, answer["Location"]) == (302, page_of(exercise))
    draft = Draft.objects.get()
    assert (draft.source, draft.set_aside) == ("x = 1\n", "x = 3\n")


def test_answer_that_is_put_back_stands_in_the_form(client, student, course):
    exercise = make_exercise(course, kind=Kind.NUMERIC)
    first = submit(student, exercise, response="61.5")
    submit(student, exercise, response="62.5")
    assert 'value="62.5"' in text_of(client.get(page_of(exercise)))

    client.post(f"/submissions/{first.pk}/restore/")

    assert 'value="61.5"' in text_of(client.get(page_of(exercise)))


@expecting(owner=302, classmate=404, stranger=404, teacher=409)
def test_only_the_owner_puts_one_back(client, people, who, status):
    submission = submit(people["owner"], make_exercise(people["course"]), source="x = 1\n")
    client.force_login(people[who])

    assert client.post(f"/submissions/{submission.pk}/restore/").status_code == status
    assert Draft.objects.exists() is (status == 302)


def test_two_are_compared_with_sign_numbers_and_words(client, student, course):
    exercise = make_exercise(course)
    submit(student, exercise, source="def double(x):\n    return x\n")
    newer = submit(student, exercise, source="def double(x):\n    # <b>\n    return x + x\n")

    text = text_of(client.get(f"/submissions/{newer.pk}/compare/"))

    assert "2 lines added, 1 removed" in text
    assert '<td class="sign">−</td><td class="text"><code> return x</code>' in text
    assert '<td class="sign">+</td><td class="text"><code> # &lt;b&gt;</code>' in text


def test_any_earlier_or_later_one_may_be_chosen_and_the_older_comes_first(client, student, course):
    exercise = make_exercise(course)
    first, _second, third = (submit(student, exercise, source=f"x = {number}\n") for number in (11, 22, 33))

    text = text_of(client.get(f"/submissions/{first.pk}/compare/?with={third.pk}"))

    assert '<td class="sign">−</td><td class="text"><code>x = 11</code>' in text
    assert '<td class="sign">+</td><td class="text"><code>x = 33</code>' in text
    assert "x = 22" not in text


@pytest.mark.parametrize("named", ["another exercise", "a classmate's", "nothing", "0"])
def test_what_is_not_of_the_same_student_and_exercise_is_not_found(client, student, people, course, named):
    exercise = make_exercise(course)
    submission = submit(student, exercise, source="x = 1\n")
    others = {
        "another exercise": submit(student, make_exercise(course), source="x = 2\n").pk,
        "a classmate's": submit(people["classmate"], exercise, source="x = 3\n").pk,
    }

    assert client.get(f"/submissions/{submission.pk}/compare/?with={others.get(named, named)}").status_code == 404


@expecting(owner=200, classmate=404, stranger=404, teacher=200)
def test_who_sees_a_submission_may_compare_it(client, people, who, status):
    exercise = make_exercise(people["course"])
    submit(people["owner"], exercise, source="x = 1\n")
    submission = submit(people["owner"], exercise, source="x = 2\n")
    client.force_login(people[who])

    answer = client.get(f"/submissions/{submission.pk}/compare/")

    assert answer.status_code == status
    assert "/restore/" not in answer.content.decode() or who == "owner"


def test_single_one_has_nothing_to_compare_with(client, student, course):
    submission = submit(student, make_exercise(course), source="x = 1\n")

    assert "There is no other submission" in text_of(client.get(f"/submissions/{submission.pk}/compare/"))


def test_other_answers_stand_side_by_side(client, student, course):
    exercise = make_exercise(course, kind=Kind.MATCHING)
    right = right_response(student, exercise)
    submit(student, exercise, response=dict(zip(right, reversed(right.values()), strict=True)))
    newer = submit(student, exercise, response=right)

    text = text_of(client.get(f"/submissions/{newer.pk}/compare/"))

    assert text.count('<dl class="matched">') == 2
    assert "answers-beside" in text


def test_comparing_takes_as_many_queries_for_three(client, student, course, queries_of):
    exercise = make_exercise(course)
    submit(student, exercise, source="x = 0\n")
    newest = submit(student, exercise, source="x = 1\n")
    address = f"/submissions/{newest.pk}/compare/"
    queries_of(address)
    few = queries_of(address)
    for number in range(2, 4):
        submit(student, exercise, source=f"x = {number}\n")

    assert queries_of(address) == few


def test_equal_parts_far_from_a_change_are_skipped():
    common = [f"line {number}" for number in range(20)]

    found = difference_of("\n".join(["a", *common]), "\n".join(["b", *common]))

    assert [(line.look, line.text) for line in found.lines[:2]] == [("removed", "a"), ("added", "b")]
    assert [line.text for line in found.lines[2:5]] == ["line 0", "line 1", "line 2"]
    assert found.lines[5].look == "skipped"
    assert len(found.lines) == 6
    assert (found.lines[4].older, found.lines[4].newer) == (4, 4)


def test_equal_texts_differ_in_nothing():
    assert difference_of("a\nb", "a\nb").is_none


def test_of_very_long_texts_the_beginnings_are_compared():
    long = "\n".join(f"x{number}" for number in range(MOST_LINES + 5))

    found = difference_of(long, f"{long}\nmore")

    assert found.is_cut
    assert found.is_none
