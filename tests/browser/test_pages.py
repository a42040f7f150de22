"""Every page, wide, on a phone and in the dark: nothing for axe to find, no error, no outside request.

With SCREENSHOTS=folder the pictures are kept.
"""

import pytest
from django.utils import timezone

from exercises.choices import ActivityKind, Role
from exercises.models import Activity, ReviewCard
from exercises.services import ask, create_join_link, create_sign_in_link, give_up, reply, tell
from exercises.services.spaced_reviews import plan_review
from tests.browser.assignments import (
    assignment_edit_page,
    assignment_page,
    assignments_of_instructor_page,
    course_with_assignments,
    exercise_of_quiz_page,
    home_with_assignments,
    quiz_page,
)
from tests.browser.looks import LOOKED_AT, faults_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EXERCISES = "/courses/attention/exercises/"


def inbox_of(demo):
    tell(
        demo.student.pk,
        "“One score” was corrected, and what you handed in was judged again.",
        url=f"{EXERCISES}one-score/",
    )
    tell(demo.student.pk, "Your question was closed.")
    return "/inbox/"


def reviews_of(demo):
    """One review that is due, and one that comes later."""
    due, later = (demo.course.exercises.get(slug=slug) for slug in ("one-score", "scaled-dot-product-attention"))
    for exercise in (due, later):
        plan_review(demo.student, exercise)
        Activity.objects.create(student=demo.student, exercise=exercise, kind=ActivityKind.GAVE_UP)
    ReviewCard.objects.filter(exercise=due).update(due_at=timezone.now())
    return "/reviews/"


def question_of(demo):
    asked = ask(demo.student, demo.mistaken, kind="question", text="Where does `8` come from?\n\n```\nd = 64\n```\n")
    reply(asked, author=demo.instructor, text="From the width of the keys. Look between the product and the softmax.")
    ask(demo.student, demo.course.lessons.first(), kind="report", text="The second picture has no axes.")
    return asked


def solution_of(demo):
    give_up(demo.student, demo.mistaken.exercise)
    return f"{EXERCISES}scaled-dot-product-attention/#solution"


PAGES = {
    "sign-in": (None, lambda demo: "/account/login/"),
    "sign-up": (None, lambda demo: "/account/signup/"),
    "sign-in-link": (None, lambda demo: f"/sign-in/{create_sign_in_link(demo.student)}/"),
    "sign-out": ("student", lambda demo: "/account/logout/"),
    "password": ("student", lambda demo: "/account/password/change/"),
    "join": ("student", lambda demo: f"/join/{create_join_link(demo.course, Role.STUDENT, created_by=None)}/"),
    "home": ("student", lambda demo: "/"),
    "home-instructor": ("instructor", lambda demo: "/"),
    "course": ("student", lambda demo: "/courses/attention/"),
    "course-instructor": ("instructor", lambda demo: "/courses/attention/"),
    "lesson": ("student", lambda demo: "/courses/attention/lessons/scaled-dot-product-attention/"),
    "exercise-code": ("student", lambda demo: f"{EXERCISES}scaled-dot-product-attention/"),
    "exercise-script": ("student", lambda demo: f"{EXERCISES}four-tokens/"),
    "exercise-choice": ("student", lambda demo: f"{EXERCISES}why-divide-by-sqrt-d/"),
    "exercise-number": ("student", lambda demo: f"{EXERCISES}one-score/"),
    "submission-mistake": ("student", lambda demo: f"/submissions/{demo.mistaken.pk}/"),
    "submission-hidden-case": ("instructor", lambda demo: f"/submissions/{demo.mistaken.pk}/"),
    "submission-error": ("student", lambda demo: f"/submissions/{demo.raised.pk}/"),
    "submission-accepted": ("instructor", lambda demo: f"/submissions/{demo.accepted.pk}/"),
    "submission-waiting": ("instructor", lambda demo: f"/submissions/{demo.waiting.pk}/"),
    "submissions-compared": ("student", lambda demo: f"/submissions/{demo.mistaken.pk}/compare/"),
    "lesson-print": ("student", lambda demo: "/courses/attention/lessons/scaled-dot-product-attention/print/"),
    "exercise-solution": ("student", solution_of),
    "run": ("student", lambda demo: f"/runs/{demo.run.pk}/"),
    "playground": ("student", lambda demo: "/playground/"),
    "progress": ("student", lambda demo: reviews_of(demo) and "/progress/"),
    "progress-filtered": ("student", lambda demo: "/progress/?topic=softmax&state=left"),
    "history": ("student", lambda demo: "/history/"),
    "history-empty": ("instructor", lambda demo: "/history/"),
    "reviews": ("student", reviews_of),
    "reviews-none": ("instructor", lambda demo: "/reviews/"),
    "review-code": ("student", lambda demo: reviews_of(demo) and f"{EXERCISES}scaled-dot-product-attention/review/"),
    "review-question": ("student", lambda demo: reviews_of(demo) and f"{EXERCISES}one-score/review/"),
    "inbox": ("student", inbox_of),
    "inbox-empty": ("instructor", lambda demo: "/inbox/"),
    "question": ("student", lambda demo: f"/questions/{question_of(demo).pk}/"),
    "question-staff": ("instructor", lambda demo: f"/questions/{question_of(demo).pk}/"),
    "questions": ("student", lambda demo: question_of(demo) and "/questions/"),
    "questions-none": ("student", lambda demo: "/questions/"),
    "questions-course": ("instructor", lambda demo: question_of(demo) and "/teach/attention/questions/?show=all"),
    "questions-course-none": ("instructor", lambda demo: "/teach/attention/questions/"),
    "own-data": ("student", lambda demo: "/your-data/"),
    "search": ("student", lambda demo: "/search/?q=softmax"),
    "search-nothing": ("student", lambda demo: "/search/?q=zebra"),
    "class": ("instructor", lambda demo: "/teach/attention/"),
    "class-matrix": ("instructor", lambda demo: "/teach/attention/matrix/"),
    "class-attempts": (
        "instructor",
        lambda demo: f"/teach/attention/students/{demo.student.pk}/exercises/scaled-dot-product-attention/",
    ),
    "class-exercises": ("instructor", lambda demo: "/teach/attention/analysis/"),
    "class-exercise": ("instructor", lambda demo: "/teach/attention/analysis/scaled-dot-product-attention/"),
    "class-student": ("instructor", lambda demo: f"/teach/attention/students/{demo.student.pk}/"),
    "assignment": ("student", assignment_page),
    "quiz": ("student", lambda demo: quiz_page(demo, is_started=False)),
    "quiz-running": ("student", lambda demo: quiz_page(demo, is_started=True)),
    "exercise-of-quiz": ("student", exercise_of_quiz_page),
    "course-assignments": ("student", course_with_assignments),
    "home-assignments": ("student", home_with_assignments),
    "assignments-instructor": ("instructor", assignments_of_instructor_page),
    "assignment-edit": ("instructor", assignment_edit_page),
    "assignment-new": ("instructor", lambda demo: "/teach/attention/new-assignment/"),
    "not-found": ("student", lambda demo: "/courses/nothing/"),
}


@pytest.mark.parametrize("name", PAGES)
def test_page_has_no_fault_in_any_look(demo, visit, name):
    who, address_of = PAGES[name]
    user, address = getattr(demo, who) if who else None, address_of(demo)

    faults = faults_of(visit(user), address, name)

    assert faults == {look: [] for look in LOOKED_AT}
