"""A folder in which `manage.py grade` judges a submission again, as it was judged here."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from exercises.choices import Kind
from exercises.content.writing import exercise_files
from exercises.content.zips import write_zip
from exercises.draws import seeds_of
from exercises.models import Submission
from exercises.queries import version_files
from graders.questions.kinds import form_of
from graders.questions.parameters import filled

INDENT: Final = "    "


def reproduction_of(submission: Submission) -> bytes:
    """A zip: the exercise in the version that judged, what was handed in, and a README with the command.

    A question has the numbers that its student was given. What was handed in to an exercise that a person judges lies
    there to be read.
    """
    version = submission.grading.version
    exercise = f"exercise/{version.exercise.slug}"
    if version.is_code:
        files = version_files(version)
        name, text = "submission.py", submission.source
    else:
        asked = filled(version.definition["exercise"], submission.seed)
        files = exercise_files({**version.definition, "exercise": dict(asked)})
        name, text = "response.txt", response_text(asked, submission)
    inside = {f"{exercise}/{path}": content for path, content in files.items()}
    inside[name] = text.encode()
    inside["README.md"] = _readme(submission, exercise, name).encode()
    return write_zip(inside, folder=f"submission-{submission.receipt}")


def response_text(asked: Mapping[str, Any], submission: Submission) -> str:
    """A response as the `grade` command reads it from a file: with words in place of ids, which are the student's."""
    if submission.response is None:
        return ""
    say = _SAYERS.get(Kind(submission.version.kind))
    if say is None:
        response = submission.response
        return response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)
    return say(form_of(asked, submission.seed), submission.response)


def _readme(submission: Submission, exercise: str, name: str) -> str:
    grading = submission.grading
    version = grading.version
    draws = f" --draws {' '.join(map(str, seeds_of(version)))}" if version.kind == Kind.CODE else ""
    facts = {
        "Exercise": f"{version.exercise.course.slug}/{version.exercise.slug}, version {version.number}",
        "Content hash": version.content_hash,
        "Grading hash": version.grading_hash,
        "Handed in": f"{submission.created_at:%Y-%m-%d %H:%M:%S} UTC",
        "Verdict": grading.verdict or grading.state,
        "Score": "" if grading.score is None else f"{grading.score} of {grading.max_score}",
        "torch": grading.torch_version,
        "Runner": grading.runner_version,
        "CPU capability": grading.cpu_capability,
    }
    lines = [f"- {label}: {value}" for label, value in facts.items() if value]
    command = f"python manage.py grade {exercise} {name}{draws} --json"
    how = f"Judge it again with these files:\n\n```\n{command}\n```\n"
    if draws:
        how += "\nThe numbers are the seeds of the hidden cases as this site draws them. They are for staff alone.\n"
    if version.is_reviewed:
        how = "A person judges this exercise: what was handed in is there to be read.\n"
    return f"# Submission {submission.receipt}\n\n{chr(10).join(lines)}\n\n{how}"


def _choice(form: Mapping[str, Any], response: Any) -> str:
    texts = {option["id"]: option["text"] for option in form["options"]}
    return "\n".join(texts[name] for name in (response if isinstance(response, list) else [response]))


def _ordering(form: Mapping[str, Any], response: Any) -> str:
    texts = {line["id"]: line["text"] for line in form["lines"]}
    entries = [(item, 0) if isinstance(item, str) else (item[0], item[1]) for item in response]
    return "\n".join(INDENT * depth + texts[name] for name, depth in entries)


def _matching(form: Mapping[str, Any], response: Any) -> str:
    left, right = ({item["id"]: item["text"] for item in form[side]} for side in ("left", "right"))
    return "\n".join(f"{left[one]} => {right[other]}" for one, other in response.items())


_SAYERS: Final[Mapping[Kind, Callable[[Mapping[str, Any], Any], str]]] = {
    Kind.CHOICE: _choice,
    Kind.ORDERING: _ordering,
    Kind.MATCHING: _matching,
}
