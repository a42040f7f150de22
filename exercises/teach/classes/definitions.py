"""What the figures of a class mean, in words. docs/statistics.md has the same words."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    term: str | Promise
    meaning: str | Promise


COUNTED = Definition(
    term=_("What is counted"),
    meaning=_(
        "Hand-ins of students of this course that count, each with the grading in force. Practice, previews, "
        "staff, and what we failed to judge are left out. A new grading hash begins new statistics; a regrade "
        "that was applied moves hand-ins to the version that judges them now."
    ),
)
FACILITY = Definition(
    term=_("Facility"),
    meaning=_("The mean of the best shares of the points, over all students who tried. 100 % is easy, 0 % is hard."),
)
DISCRIMINATION = Definition(
    term=_("Discrimination"),
    meaning=_(
        "The point-biserial correlation between solving this exercise and the rest score, which is the student's "
        "points in all other exercises of the course. Above 0.3 it separates well; near 0 it measures something "
        "else, or nothing; below 0 look for a mistake in the exercise. "
        "With fewer than 20 students it may be chance."
    ),
)
ATTEMPTS = Definition(
    term=_("Attempts to solve"),
    meaning=_("The median, over students who solved it, of how many hand-ins it took up to the first accepted one."),
)
TIME = Definition(
    term=_("Time to solve"),
    meaning=_(
        "The median, over students who solved it, of the time from their first run of its cases, or first "
        "hand-in, to the first accepted hand-in. Breaks are in it."
    ),
)
HAND_INS = Definition(
    term=_("Hand-ins"),
    meaning=_("The median, over students who tried, of how many hand-ins of theirs were judged, whatever the version."),
)
DISTRIBUTION = Definition(
    term=_("Score distribution"),
    meaning=_("How many students have their best share of the points in each tenth; full points stand alone."),
)
CASES = Definition(
    term=_("Failures case by case"),
    meaning=_("In what part of the judged hand-ins a case was not accepted, and for how many students ever."),
)
MISCONCEPTIONS = Definition(
    term=_("Misconceptions"),
    meaning=_(
        "The causes that were found, listed mistakes and diagnoses alike, by the number of students who had them "
        "in any case of any hand-in. A student counts once for a cause. In questions the wrong answers are "
        "counted likewise."
    ),
)
VERSIONS = Definition(
    term=_("Pass rate over versions"),
    meaning=_(
        "Of the students whose hand-ins a version judges, how many it accepted. Versions that judge alike are one."
    ),
)
AT_RISK = (
    Definition(
        term=_("Silent"),
        meaning=_(
            "Nothing handed in for seven days, while at least a quarter of the class handed in something. Who "
            "joined less than seven days ago is not silent."
        ),
    ),
    Definition(
        term=_("Missed"),
        meaning=_("An assignment came due for this student, after they joined, and nothing of theirs counts in it."),
    ),
    Definition(
        term=_("Stuck"),
        meaning=_(
            "Three or more hand-ins to an exercise were judged and none was accepted, at three exercises or more."
        ),
    ),
)
HARDEST = Definition(
    term=_("Hardest now"),
    meaning=_(
        "Exercises to which somebody handed in during the last seven days and that at least five students tried, "
        "by facility: the mean of the best shares of the points."
    ),
)
OF_EXERCISES = (
    COUNTED,
    FACILITY,
    DISCRIMINATION,
    ATTEMPTS,
    TIME,
    DISTRIBUTION,
    CASES,
    MISCONCEPTIONS,
    VERSIONS,
)
