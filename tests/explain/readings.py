"""Readings of our own to explain: small, and hand-made."""

from __future__ import annotations

import numpy as np

from readhead.explain.record import Answer, Explanation, TextRead

SCORES = {"entailment": 0.75, "neutral": 0.2, "contradiction": 0.05}


def words(text: str) -> TextRead:
    """A text cut at its spaces."""
    tokens = tuple(text.split(" ")) if text else ()
    ends = np.cumsum([len(token) + 1 for token in tokens]) - 1
    return TextRead(
        text,
        tokens,
        tuple((int(end) - len(token), int(end)) for token, end in zip(tokens, ends, strict=True)),
    )


def marked(text: str) -> TextRead:
    """The same with the NULL marker in front."""
    read = words(text)
    return TextRead(text, ("∅", *read.tokens), (None, *read.offsets))


def soft(rows: TextRead, columns: TextRead) -> np.ndarray:
    """Weights that add up to 1 in each row, [T, S]."""
    weights = np.random.default_rng(0).exponential(size=(len(rows.tokens), len(columns.tokens))) + 1e-9
    normalised: np.ndarray = weights / weights.sum(axis=1, keepdims=True)
    return normalised


def pair(premise: TextRead, hypothesis: TextRead, *, truncated: tuple[str, ...] = ()) -> Explanation:
    """Attention in every direction between two texts."""
    texts = {"premise": premise, "hypothesis": hypothesis}
    names = ("premise->hypothesis", "hypothesis->premise", "premise->premise")
    attention = {name: soft(*(texts[side] for side in name.split("->"))) for name in names}
    return Explanation(texts, attention, Answer("entailment", SCORES), truncated)
