"""The first part of `readhead demo`: what the shipped models make of a few texts of our own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from readhead import shipped
from readhead.cli.table import console

if TYPE_CHECKING:
    from readhead.prediction.predictor import Predictor

OPINIONS = (
    ("A warm, funny film with a lovely cast.", "positive"),
    ("Two hours of my life that I want back.", "negative"),
    ("It has its moments, but the end drags on.", "negative"),
    ("I feared the worst, and it was a delight.", "positive"),
    ("The plot is thin, the dialogue dull. Avoid it.", "negative"),
)
PAIRS = (
    ("A woman in a red coat is feeding ducks in the park.", "A woman is feeding animals.", "entailment"),
    ("A woman in a red coat is feeding ducks in the park.", "The woman is waiting for her sister.", "neutral"),
    ("A woman in a red coat is feeding ducks in the park.", "Nobody is feeding the ducks.", "contradiction"),
    ("Two boys are playing football in the rain.", "The children are asleep in bed.", "contradiction"),
    ("The dog is chasing the cat.", "The cat is chasing the dog.", "neutral"),
)
SENTENCE = "The worst thing about this film is the parrot."
LOOKED = 2
"""Which of the opinions is shown with the words that it rests on."""


def show_shipped() -> int:
    """Reads with each shipped model. Returns how many parts were shown."""
    parts = {"sentiment": _sentiment, "nli": _pairs, "lm": _surprises}
    there = [name for name in parts if name in shipped.shipped()]
    for number, name in enumerate(there, start=1):
        print(f"{number}. {name}, {shipped.weights_size(name) / 1e6:.1f} MB, {_MAKES[name]}\n", flush=True)
        parts[name](_opened(name))
        print()
    if missing := ", ".join(name for name in parts if name not in there):
        print(f"Not shipped with this readhead: {missing}.\n")
    return len(there)


_MAKES = {
    "sentiment": "tells how many stars a film gets.",
    "nli": "tells whether a sentence follows from another; 2 in 3 are right.",
    "lm": "tells how surprising each word is, in bits.",
}


def _opened(name: str) -> Predictor:
    from readhead.prediction.predictor import Predictor
    from readhead.run import Run

    return Predictor(run=Run.open(shipped.SHIPPED / name))


def _sentiment(predictor: Predictor) -> None:
    texts = [{"text": opinion} for opinion, _ in OPINIONS]
    labels = predictor.run.record.labels
    for (opinion, right), answer in zip(OPINIONS, predictor.answers(texts), strict=True):
        stars = 1 + labels.index(answer["label"])
        scores = answer.get("groups", answer["scores"])
        side = max(scores, key=lambda name: scores[name])
        print(f"  {'★' * stars}{'☆' * (len(labels) - stars)}  {side} {scores[side]:.2f}  {opinion}")
        if side != right:
            print(f"         WRONG, it is {right}")
    print("\n  The words that one of these answers rests on:\n")
    _show(predictor, texts[LOOKED], attribution=True)


def _pairs(predictor: Predictor) -> None:
    texts = [{"premise": premise, "hypothesis": hypothesis} for premise, hypothesis, _ in PAIRS]
    for text, answer, (_, _, label) in zip(texts, predictor.answers(texts), PAIRS, strict=True):
        tell_pair(text, answer, label)
    print("  Where it looked, for the first of them.\n")
    _show(predictor, texts[0])


def tell_pair(texts: Mapping[str, Any], answer: Mapping[str, Any], label: str | None, note: str = "") -> None:
    """Prints a pair, the answer to it, and whether that is right. note: stands behind the right label, if it is not."""
    right = answer["label"] == label
    verdict = "right" if right else f"WRONG, it is {label}{note}"
    print(f"  {texts['premise']}\n  {texts['hypothesis']}")
    print(f"      {answer['label']} ({answer['scores'][answer['label']]:.2f}): {verdict}\n")


def _surprises(predictor: Predictor) -> None:
    _show(predictor, {"text": SENTENCE})


def _show(predictor: Predictor, texts: Mapping[str, str], *, attribution: bool = False) -> None:
    from readhead.explain.terminal import show

    explanation = predictor.explain(texts, attribution=attribution)
    if len(texts) == 1:  # of one text, what each word does is told by other numbers than its attention
        explanation = replace(explanation, attention={}, memory={})
    show(explanation, console())
