"""`python -m tests.chaos.site COMMAND`: what a test does and reads within a site, in a process with its settings."""

from decimal import Decimal

from tests.product import answer

ASSIGNMENT = "chaos"


def roster(students, submissions):
    """Students enrolled, each with a token, and an assignment that counts just as many attempts as each hands in."""
    from knox.models import get_token_model  # noqa: PLC0415  (models are there once the site is set up)

    from exercises.models import Course, User  # noqa: PLC0415
    from exercises.services import create_assignment, enrol  # noqa: PLC0415

    course = Course.objects.get(slug="attention")
    exercise = course.exercises.get(slug="scaled-dot-product-attention")
    create_assignment(
        course,
        author=User.objects.get(username="instructor"),
        slug=ASSIGNMENT,
        title="Chaos",
        points={exercise.pk: Decimal(1)},
        max_attempts=submissions,
    )
    tokens = []
    for number in range(students):
        user = User.objects.create(username=f"student-{number}")
        enrol(user, course)
        tokens.append(get_token_model().objects.create(user)[1])
    return tokens


def given_up():
    """Put back into the queue what was given up after three faults, as staff do; how many they were."""
    from exercises.models import Grading, User  # noqa: PLC0415
    from exercises.services import requeue  # noqa: PLC0415

    ids = Grading.objects.filter(verdict="internal_error").values_list("pk", flat=True)
    actor = User.objects.filter(username="instructor").first()
    User.objects.filter(pk=actor.pk).update(is_staff=True)
    actor.refresh_from_db()
    return requeue(list(ids), actor=actor)


def facts():
    """What the database says of each hand-in: its source, its gradings, and whether its attempt counts."""
    from exercises.models import Submission  # noqa: PLC0415

    found = Submission.objects.filter(student__username__startswith="student-").prefetch_related("gradings")
    return [
        {
            "student": submission.student_id,
            "source": submission.source,
            "verdicts": [[grading.state, grading.verdict] for grading in submission.gradings.all()],
            "in_force": sum(grading.in_force for grading in submission.gradings.all()),
            "counts": hasattr(submission, "attempt") and submission.attempt.given_back_at is None,
        }
        for submission in found.select_related("attempt")
    ]


COMMANDS = {"roster": roster, "given_up": given_up, "facts": facts}


if __name__ == "__main__":
    answer(COMMANDS)
