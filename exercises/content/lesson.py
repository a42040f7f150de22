"""One lesson file."""

from __future__ import annotations

from collections.abc import Collection

from exercises.content.fields import Fields, Title, validate
from exercises.content.files import FileTree
from exercises.content.markdown import Rendered, render_lesson, split_front_matter
from exercises.content.problems import ContentError, Problem
from exercises.content.values import LessonFolder
from exercises.content.yamltext import read_yaml


class FrontMatter(Fields):
    title: Title
    summary: str = ""


def read_lesson(file: str, tree: FileTree, *, exercises: Collection[str], assets: Collection[str]) -> LessonFolder:
    """The lesson in `file` of `lessons/`; `exercises` and `assets` are those that it may name.

    Raises: ContentError with every problem, the file named by its name alone.
    """
    text, problems = tree.text(file)
    if text is None:
        raise ContentError(problems)
    front, body, lines_before = split_front_matter(text)
    matter = None
    if front is None:
        message = "expected front matter: `title: …` and `summary: …` between two lines `---`, found none"
        problems.append(Problem(file=file, line=1, message=message))
    else:
        matter, found = validate(FrontMatter, read_yaml(front, file, lines_before=1), file)
        problems += found
    rendered = render_lesson(body)
    for line, message in [*rendered.findings, *_missing(rendered, exercises, assets)]:
        problems.append(Problem(file=file, line=line + lines_before, message=message))
    if not body.strip():
        problems.append(Problem(file=file, line=lines_before + 1, message="expected a text, found none"))
    if problems or matter is None:
        raise ContentError(problems)
    return LessonFolder(
        slug=file.removesuffix(".md"),
        title=matter.title,
        summary=matter.summary,
        source=tree.files[file].decode(),
        html=rendered.html,
        snippets=_shifted(rendered.snippets, lines_before),
        checks=_shifted(rendered.checks, lines_before),
        contents=rendered.contents,
        search_text=rendered.search_text,
        exercises=tuple(slug for slug, _ in rendered.embedded),
    )


def _missing(rendered: Rendered, exercises: Collection[str], assets: Collection[str]) -> list[tuple[int, str]]:
    absent = [
        (line, f"expected the exercise exercises/{slug}/, found none")
        for slug, line in rendered.embedded
        if slug not in exercises
    ]
    absent += [
        (line, f"expected the picture assets/{asset}, found none")
        for asset, line in rendered.assets
        if asset not in assets
    ]
    return absent


def _shifted(parts: tuple[dict[str, object], ...], lines: int) -> tuple[dict[str, object], ...]:
    """The parts with their lines counted from the top of the file."""
    return tuple({**part, "line": int(str(part["line"])) + lines} for part in parts)
