"""Seeds of the hidden cases' draws: secret, and the same wherever the site draws them."""

from __future__ import annotations

import hashlib
import hmac

from django.conf import settings

from exercises.models import ExerciseVersion


def draw_seeds(secret: str, exercise: str, grading_hash: str, draws: int) -> tuple[int, ...]:
    """Seeds of the draws, 63 bits each: an HMAC of the secret with exercise, grading hash and number of the draw."""
    return tuple(_seed(secret, f"draw {exercise} {grading_hash} {number}") for number in range(draws))


def seeds_of(version: ExerciseVersion) -> tuple[int, ...]:
    """The seeds that this site draws the hidden cases of a version from; for staff and workers alone."""
    name = f"{version.exercise.course.slug}/{version.exercise.slug}"
    draws = version.definition["exercise"].get("draws", 1)
    return draw_seeds(settings.SECRET_KEY, name, version.grading_hash, draws)


def _seed(secret: str, message: str) -> int:
    return int.from_bytes(hmac.digest(secret.encode(), message.encode(), hashlib.sha256)[:8], "big") >> 1
