"""Answers that say nearly the same, so that they are read together."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

LONGEST: Final = 500
"""Of each answer so many characters are compared: what is said first tells enough, and a thousand take a second."""
N_GRAMS: Final = (3, 4)
FEATURES: Final = 20_000
APART: Final = 0.6
"""Answers are alike up to this cosine distance, on average. Of answers in a sentence or two, found by looking."""


@lru_cache(maxsize=4)
def likeness_groups(texts: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """Places of texts that are alike, group by group: the largest first, within each in order.

    Character n-grams weighted by TF-IDF, clustered by average cosine distance; no model, and nothing is learnt.
    """
    if len(texts) < 2:
        return tuple((place,) for place in range(len(texts)))
    labels = _labels([" ".join(text.split())[:LONGEST] for text in texts])
    groups: dict[int, list[int]] = {}
    for place, label in enumerate(labels):
        groups.setdefault(label, []).append(place)
    return tuple(map(tuple, sorted(groups.values(), key=_size_then_place)))


def _labels(texts: list[str]) -> list[int]:
    # Together they take 1.7 s and 100 MB to load, which only who reads answers needs.
    from sklearn.cluster import AgglomerativeClustering  # noqa: PLC0415  (see above)
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415  (see above)

    weigher = TfidfVectorizer(analyzer="char_wb", ngram_range=N_GRAMS, max_features=FEATURES, sublinear_tf=True)
    vectors = weigher.fit_transform(texts)
    distances = (1.0 - (vectors @ vectors.T).toarray()).clip(0.0, 2.0)
    clusters = AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="average", distance_threshold=APART
    )
    return [int(label) for label in clusters.fit_predict(distances)]


def _size_then_place(group: list[int]) -> tuple[int, int]:
    return -len(group), group[0]
