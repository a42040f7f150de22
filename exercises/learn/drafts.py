"""What a student has written and not handed in, as the forms of questions and the editor open with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from exercises.learn.questions import Option, QuestionForm
from exercises.models import Draft, Submission
from exercises.responses import GAP, INDENT, PAIR, PLACE, WHOLE, Fields


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftState:
    """`revision` is what the page has seen of the draft, 0 for none; `has_aside`: something else is set aside."""

    revision: int = 0
    saved_at: datetime | None = None
    has_aside: bool = False


NO_DRAFT = DraftState()


def draft_state(draft: Draft | None, *, is_code: bool) -> DraftState:
    """How the draft stands."""
    if draft is None:
        return NO_DRAFT
    aside = draft.set_aside if is_code else draft.set_aside_response
    return DraftState(revision=draft.revision, saved_at=draft.saved_at, has_aside=bool(aside))


def fields_to_open_with(draft: Draft | None, latest: Submission | None) -> Fields | None:
    """The fields of the draft, unless something was handed in after it was saved."""
    if draft is None or draft.response is None or (latest is not None and latest.created_at > draft.saved_at):
        return None
    fields: Fields = draft.response
    return fields


def filled_in(form: QuestionForm, fields: Fields) -> QuestionForm:
    """The form with these fields in it, in whatever state they are. Names that it does not have are left out."""
    return replace(
        form,
        value=_first(fields, WHOLE),
        options=_chosen(form.options, fields.get(WHOLE, [])),
        pieces=[replace(piece, value=_first(fields, f"{GAP}{piece.gap}")) for piece in form.pieces],
        lines=[
            replace(
                line,
                places=_chosen(line.places, fields.get(f"{PLACE}{line.id}", [])),
                indents=_chosen(line.indents, fields.get(f"{INDENT}{line.id}", [])),
            )
            for line in form.lines
        ],
        left=[replace(item, options=_chosen(item.options, fields.get(f"{PAIR}{item.id}", []))) for item in form.left],
    )


def _first(fields: Fields, name: str) -> str:
    return next(iter(fields.get(name, [])), "")


def _chosen(options: Sequence[Option], chosen: Sequence[str]) -> list[Option]:
    return [replace(option, is_chosen=option.id in chosen) for option in options]
