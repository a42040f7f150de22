"""Hidden cases for staff: each draw with what was put in, expected and, as far as it is known, got."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from exercises.learn.feedback import HiddenCase, hidden_case_view
from exercises.learn.shown import Labels
from graders.outcomes import Verdict

INPUTS = ("args", "kwargs", "init", "state")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """The draws of hidden cases by index of the case."""

    labels: Labels
    by_index: Mapping[int, Sequence[Mapping[str, Any]]]

    def views(self, index: int, *, is_open: bool) -> list[HiddenCase]:
        """Those of one case; the first that is not right is unfolded, if the case `is_open`."""
        draws = self.by_index.get(index, ())
        wrong = next((number for number, draw in enumerate(draws) if draw.get("verdict") not in RIGHT), 0)
        return [self._view(draw, is_open=is_open and number == wrong) for number, draw in enumerate(draws)]

    def _view(self, draw: Mapping[str, Any], *, is_open: bool) -> HiddenCase:
        feedback = draw.get("feedback") or {}
        name = _("Draw %(number)d") % {"number": draw["draw"] + 1}
        if "args" not in draw:
            summary = feedback.get("summary") or _("Too large to be shown here.")
            return hidden_case_view(
                {"name": name, "args": [], "kwargs": {}, "feedback": {"summary": summary}},
                labels=Labels(axes=self.labels.axes),
                is_open=is_open,
            )
        return hidden_case_view({**draw, "name": name, "feedback": feedback}, labels=self.labels, is_open=is_open)


RIGHT = (None, Verdict.ACCEPTED)


def draws_of(known: Iterable[Mapping[str, Any]]) -> dict[int, list[Mapping[str, Any]]]:
    """The draws by the index of their case."""
    by_index: dict[int, list[Mapping[str, Any]]] = {}
    for draw in known:
        by_index.setdefault(draw["index"], []).append(draw)
    return by_index


def with_kept(draws: list[dict[str, Any]], kept: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The draws, of which the one that was kept with the outcome knows what was got and said."""
    if not kept:
        return draws
    told = {name: kept[name] for name in ("actual", "feedback") if name in kept}
    return [{**draw, **told, "verdict": Verdict.WRONG_ANSWER} if _is_same(draw, kept) else draw for draw in draws]


def _is_same(draw: Mapping[str, Any], kept: Mapping[str, Any]) -> bool:
    return "args" in draw and all(draw.get(name) == kept.get(name) for name in ("name", *INPUTS))
