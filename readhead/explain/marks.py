"""Signs that stand among a text's words and in no text: what they mean, for whoever sees one for the first time."""

from __future__ import annotations

from readhead.explain.record import Explanation

MEANINGS = {"∅": "no word: what matches nothing can look there", "⊢": "where a text begins", "⊣": "where it ends"}


def legend(explanation: Explanation) -> str:
    """`∅ = no word: ...`, of the signs in these texts; empty where there is none."""
    seen = {
        token
        for read in explanation.texts.values()
        for token, offset in zip(read.tokens, read.offsets, strict=True)
        if offset is None
    }
    return "; ".join(f"{sign} = {meaning}" for sign, meaning in MEANINGS.items() if sign in seen)
