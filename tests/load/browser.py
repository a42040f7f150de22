"""What a student's browser asks of the site, without drawing it: pages, a form, a stream of events, a panel anew."""

import html
import re
import time
import uuid
from urllib.parse import urlencode

from urllib3 import HTTPConnectionPool, Timeout
from urllib3.exceptions import HTTPError, ReadTimeoutError

from tests.load.site import COURSE, EXERCISE, LESSON

LESSON_PAGE = f"/courses/{COURSE}/lessons/{LESSON}/"
EXERCISE_PAGE = f"/courses/{COURSE}/exercises/{EXERCISE}/"
CSRF = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
VERSION = re.compile(r'name="version" value="(\d+)"')
FORM = re.compile(r'<form id="work"[^>]* action="([^"]+)"')
LIVE = re.compile(r'data-live hx-get="([^"]+)"')
EVENTS = re.compile(r'data-events="([^"]+)"')
NO_REPLY = (502, 503, 504)
# As the script of the site does: a panel is fetched anew that often where no event comes, and a hand-in without a
# reply is sent again, with its key, after these.
POLL_SECONDS = 5.0
AGAIN_SECONDS = (2.0, 4.0, 8.0, 16.0)
ANSWER_SECONDS = 60.0


class NoAnswerError(Exception):
    """The site refused or did not answer."""


class Browser:
    """One signed-in student at work. `took` has the seconds of each request by what was asked, `faults` what failed."""

    def __init__(self, port, cookie):
        self._pool = HTTPConnectionPool("127.0.0.1", port, maxsize=2, retries=False, timeout=ANSWER_SECONDS)
        self._cookies = dict([cookie])
        self.took, self.faults = [], []

    def work(self, source):
        """Read the lesson, open the exercise, hand in, and follow it; seconds from handing in to the outcome."""
        self._get("lesson", LESSON_PAGE)
        page = self._get("exercise", EXERCISE_PAGE)
        started = time.monotonic()
        panel = self._hand_in(page, source)
        self._follow(panel)
        seconds = time.monotonic() - started
        # The lists around the outcome fetch themselves anew.
        self._get("lists", EXERCISE_PAGE, headers={"HX-Request": "true"})
        self._pool.close()
        return seconds

    def _hand_in(self, page, source):
        fields = {"source": source, "version": VERSION.search(page)[1], "csrfmiddlewaretoken": CSRF.search(page)[1]}
        headers, address = {"HX-Request": "true", "Idempotency-Key": uuid.uuid4().hex}, FORM.search(page)[1]
        for pause in (*AGAIN_SECONDS, None):
            try:
                return self._ask("hand in", "POST", address, fields=fields, headers=headers)
            except NoAnswerError:
                if pause is None:
                    raise
                time.sleep(pause)

    def _follow(self, panel):
        """Fetch the panel whenever something changed, until it waits for nothing more."""
        while live := LIVE.search(panel):
            address = html.unescape(live[1])
            for _ in self._changes(EVENTS.search(panel)):
                panel = self._get("outcome", address, headers={"HX-Request": "true"})
                if not LIVE.search(panel):
                    return

    def _changes(self, events):
        """Yields when the stream opens, for each event, and when none came for a while."""
        if events is None:
            time.sleep(POLL_SECONDS)
            yield
            return
        address, timeout = html.unescape(events[1]), Timeout(connect=ANSWER_SECONDS, read=POLL_SECONDS)
        try:
            stream = self._pool.request("GET", address, preload_content=False, timeout=timeout)
            try:
                yield
                for piece in stream.stream(1024):
                    if b"changed" in piece:
                        yield
            finally:
                stream.close()
        except ReadTimeoutError:
            yield
        except HTTPError as error:
            self.faults.append(f"events: {type(error).__name__}")
            time.sleep(POLL_SECONDS)
            yield

    def _get(self, name, address, headers=None):
        return self._ask(name, "GET", address, headers=headers)

    def _ask(self, name, method, address, *, fields=None, headers=None):
        cookies = "; ".join(f"{key}={value}" for key, value in self._cookies.items())
        sent = {"Cookie": cookies, "Accept-Encoding": "gzip", **(headers or {})}
        if fields:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        started = time.monotonic()
        try:
            answer = self._pool.request(method, address, body=fields and urlencode(fields), headers=sent)
        except HTTPError as error:
            self.faults.append(f"{name}: {type(error).__name__}")
            raise NoAnswerError(name) from error
        self.took.append((name, time.monotonic() - started))
        for line in answer.headers.getlist("Set-Cookie"):
            key, _, value = line.partition(";")[0].partition("=")
            self._cookies[key] = value
        if answer.status != 200:
            self.faults.append(f"{name}: {answer.status}")
            raise NoAnswerError(f"{name}: {answer.status} {answer.data[:200]!r}")
        return answer.data.decode()
