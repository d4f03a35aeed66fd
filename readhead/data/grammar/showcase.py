"""Pairs to show: written by hand in the corpus's vocabulary, and labelled by hand.

The last three share a hypothesis, and their premises are made of the same words: a reader that sees no word
order must give all three the same label, and two of them wrong.
"""

from __future__ import annotations

from readhead.data.example import Example

_PAIRS = (
    ("hypernyms", "entailment", "Anna is scrubbing a pear in the kitchen.", "Anna is scrubbing a fruit."),
    (
        "hypernyms", "contradiction",
        "The thing in the basket is a red apple.", "The thing in the basket is a carrot.",
    ),
    ("negation", "entailment", "At noon, the beagle is not running.", "The beagle is not sprinting."),
    ("quantifiers", "contradiction", "Every musician is dancing outdoors.", "No violinist is dancing."),
    ("numbers", "neutral", "At least three dogs are sleeping.", "Exactly four dogs are sleeping."),
    ("modifiers", "neutral", "The nurse is singing quietly.", "The tall nurse is singing quietly."),
    ("conjunction", "entailment", "Neither Max nor Ida is crying.", "Ida is not crying."),
    (
        "word order", "entailment",
        "The nurse, but not the pilot, is chasing the burglar.", "The nurse is chasing the burglar.",
    ),
    (
        "word order", "contradiction",
        "The pilot, but not the nurse, is chasing the burglar.", "The nurse is chasing the burglar.",
    ),
    (
        "word order", "neutral",
        "The burglar, but not the pilot, is chasing the nurse.", "The nurse is chasing the burglar.",
    ),
)  # fmt: skip

SHOWCASE: tuple[Example, ...] = tuple(
    Example(
        {"premise": premise, "hypothesis": hypothesis},
        label,
        f"showcase:{number}",
        {"phenomenon": phenomenon},
    )
    for number, (phenomenon, label, premise, hypothesis) in enumerate(_PAIRS, start=1)
)
