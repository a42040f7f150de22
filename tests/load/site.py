"""`python -m tests.load.site COMMAND`: what the load needs done and told within a site."""

from tests.product import answer

COURSE, EXERCISE, LESSON = "attention", "scaled-dot-product-attention", "scaled-dot-product-attention"

PAGES_OF_SQLITE = "page_count * page_size FROM pragma_page_count(), pragma_page_size()"


def sign_in(students):
    """Students of the course, each signed in; the name and value of each one's cookie."""
    from django.conf import settings  # noqa: PLC0415  (settings and models are there once the site is set up)
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: PLC0415
    from django.contrib.sessions.backends.db import SessionStore  # noqa: PLC0415

    from exercises.models import Course, User  # noqa: PLC0415
    from exercises.services import enrol  # noqa: PLC0415

    course, cookies = Course.objects.get(slug=COURSE), []
    for number in range(students):
        user = User.objects.create(username=f"student-{number}")
        enrol(user, course)
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        cookies.append([settings.SESSION_COOKIE_NAME, session.session_key])
    return cookies


def verdicts():
    """Of each hand-in: its source, and the verdict of each of its gradings."""
    from exercises.models import Submission  # noqa: PLC0415

    found = Submission.objects.filter(student__username__startswith="student-").prefetch_related("gradings")
    return [[submission.source, [each.verdict for each in submission.gradings.all()]] for submission in found]


def stored_bytes():
    """How large the database is."""
    from django.db import connection  # noqa: PLC0415  (settings are there once the site is set up)

    size = "pg_database_size(current_database())" if connection.vendor == "postgresql" else PAGES_OF_SQLITE
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {size}")
        return cursor.fetchone()[0]


COMMANDS = {"sign_in": sign_in, "verdicts": verdicts, "stored_bytes": stored_bytes}


if __name__ == "__main__":
    answer(COMMANDS)
