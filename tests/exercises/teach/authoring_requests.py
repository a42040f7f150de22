"""What the pages of authors are asked, in one word each."""

from django.urls import reverse

from exercises.queries import head_of
from exercises.teach.authoring.sources import FIELD

HTMX = {"HX-Request": "true"}


def address(route, exercise):
    return reverse(f"authoring:{route}", args=(exercise.course.slug, exercise.slug))


def course_address(route, course):
    return reverse(f"authoring:{route}", args=(course.slug,))


def form_of(exercise, **texts):
    """The form of the editor as a browser sends it: texts by their paths, in the head's place where given."""
    head = head_of(exercise)
    files = {path: text for path, text in head.files.items() if isinstance(text, str)}
    changed = {
        path.replace("__", "/").replace("_yaml", ".yaml").replace("_py", ".py"): text for path, text in texts.items()
    }
    sent = {FIELD + path: text.replace("\n", "\r\n") for path, text in {**files, **changed}.items()}
    return {**sent, "based_on": head.number, "action": "save"}


def said(response):
    """The notices of the page that an answer leads to."""
    return [str(message) for message in response.context["messages"]]
