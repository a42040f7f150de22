"""A course in the making: exercises that are sound, unsound, ahead of what students see, and in conflict."""

from dataclasses import dataclass

from django.utils import timezone

from exercises.choices import Kind, Role
from exercises.errors import StaleRevisionError
from exercises.models import Course, Exercise, User
from exercises.queries import head_of
from exercises.services import (
    create_course,
    create_exercise,
    create_lesson,
    enrol,
    preview_regrade,
    publish,
    save_revision,
    start_check,
    store_certificate,
    submit,
)
from exercises.teach.authoring.beginnings import beginning
from exercises.teach.authoring.views.lessons import BEGINNING
from tests.factories import make_check, make_mutant, make_mutation, make_user

SURVIVOR = make_mutant()
UNSEEN = make_mutant(operator="dim changed", line=2, offer=None)
KILLED = make_mutant(operator="step left out", line=1, fate="killed", by="two rows", offer=None)
REPORT = {
    "sound": False,
    "checks": ["schema", "texts", "cases", "reference", "noise", "straw men", "mistakes", "mutants"],
    "facts": {"reference": "20 draws, 0.011 s at most", "noise": "4000 times below the tolerance"},
    "findings": [
        {
            "check": "straw men",
            "message": "an answer is accepted that is `x` as it came",
            "file": "cases.py",
            "line": 6,
            "level": "problem",
        },
        {
            "check": "texts",
            "message": "expected an `explanation`",
            "file": "exercise.yaml",
            "line": 1,
            "level": "remark",
        },
    ],
    "mutation": make_mutation(SURVIVOR, UNSEEN, *[KILLED] * 9),
    "seconds": 8.3,
}


@dataclass(frozen=True, kw_only=True)
class AuthoringDemo:
    course: Course
    author: User
    other: User
    unsound: Exercise
    checking: Exercise
    published: Exercise
    broken: Exercise
    question: Exercise
    conflict: str


def make_authoring_demo():
    author = make_user(username="ines", first_name="Ines", last_name="Roth", is_staff=True)
    other = make_user(username="otto", first_name="Otto", last_name="Weiß")
    course = create_course(
        author,
        slug="vectors",
        title="Vectors and their friends",
        summary="From one number to many, in eight short lessons.",
        time_zone="Europe/Berlin",
    )
    enrol(other, course, role=Role.INSTRUCTOR)
    create_lesson(course, "first-steps", source=BEGINNING.format(matter="title: First steps\n"), author=author)
    exercises = {
        slug: create_exercise(course, slug, files=beginning(kind, title), author=author)
        for slug, kind, title in (
            ("centred-rows", Kind.CODE, "Centred rows"),
            ("row-sums", Kind.CODE, "Sums of rows"),
            ("how-many", Kind.NUMERIC, "How many numbers?"),
            ("which-axis", Kind.CHOICE, "Which axis?"),
            ("half-done", Kind.CODE, "Half done"),
        )
    }
    make_check(head_of(exercises["centred-rows"]), report=REPORT)
    start_check(exercises["row-sums"], author=author)
    _publish_and_go_on(exercises["how-many"], author)
    broken = exercises["half-done"]
    files = {path: text for path, text in head_of(broken).files.items() if path != "reference.py"}
    yaml = files["exercise.yaml"].replace("entry: centred", "entry: centred\nlimit: 4")
    save_revision(broken, files={**files, "exercise.yaml": yaml}, based_on=1, author=author)
    return AuthoringDemo(
        course=course,
        author=author,
        other=other,
        unsound=exercises["centred-rows"],
        checking=exercises["row-sums"],
        published=exercises["how-many"],
        question=exercises["which-axis"],
        broken=broken,
        conflict=_conflict(exercises["which-axis"], author, other),
    )


def _publish_and_go_on(exercise, author):
    """Published, answered by two, corrected and published again; the working copy is ahead of it."""
    students = [make_user(username=name.lower(), first_name=name) for name in ("Ada", "Bo")]
    _publish_head(exercise, author)
    for student, response in zip(students, ("12", "13"), strict=True):
        enrol(student, exercise.course)
        submit(student, exercise, response=response)
    head = head_of(exercise)
    answer = next(line for line in head.files["exercise.yaml"].splitlines() if line.startswith("answer:"))
    corrected = {"exercise.yaml": head.files["exercise.yaml"].replace(answer, "answer: 13")}
    save_revision(exercise, files=corrected, based_on=head.number, author=author)
    _publish_head(exercise, author)
    exercise.refresh_from_db()
    preview_regrade(exercise, author=author)
    wordier = {"exercise.yaml": corrected["exercise.yaml"].replace("prompt: |\n", "prompt: |\n  Count them.\n\n")}
    save_revision(exercise, files=wordier, based_on=head.number + 1, author=author)


def _publish_head(exercise, author):
    head = head_of(exercise)
    store_certificate(exercise, head.grading_hash, checked_at=timezone.now())
    publish(exercise, author=author)
    exercise.refresh_from_db()


def _conflict(exercise, author, other):
    """The names of two revisions that two people saved upon the same one."""
    files = head_of(exercise).files
    theirs = {"exercise.yaml": files["exercise.yaml"].replace("title: ", "title: On ")}
    mine = {**files, "exercise.yaml": files["exercise.yaml"] + "points: 2\n"}
    save_revision(exercise, files=theirs, based_on=1, author=other)
    try:
        save_revision(exercise, files=mine, based_on=1, author=author)
    except StaleRevisionError as error:
        return f"?older=r{error.head.number}&newer=r{error.set_aside.number}"
    raise AssertionError("the second save was taken")
