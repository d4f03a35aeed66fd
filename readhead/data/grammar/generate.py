"""The stream of pairs: hypothesis by hypothesis, each with one premise for every label.

A hypothesis goes into the corpus with all three labels or not at all, so that it tells nothing of the
label. Its text alone decides which split it may go to: no hypothesis of one split, and so no pair, occurs
in another.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from readhead.data.grammar.draw import Draw
from readhead.data.grammar.drawing import some_scene
from readhead.data.grammar.english import as_sentence
from readhead.data.grammar.inference import LABELS, Hypothesis
from readhead.data.grammar.meaning import Counted, Formula, Meaning
from readhead.data.grammar.phenomena import PHENOMENA
from readhead.data.grammar.phenomena.puzzle import Puzzle
from readhead.data.grammar.phrases import Clause
from readhead.data.grammar.style import LONG, USUAL

LONGEST = 21  # words of a premise: at most these in train, dev and test, more in long
_PATIENCE = 30  # premises that are tried for one hypothesis
_SHARES = {"dev": range(0, 8), "test": range(8, 16), "train": range(16, 100), "long": range(100)}  # of 100
SPLITS = ("train", "dev", "test", "long")


class Pair(NamedTuple):
    """A premise, a hypothesis, the label that follows from their meanings, and what the pair asks for."""

    premise: str
    hypothesis: str
    label: str
    phenomenon: str
    meanings: tuple[Meaning, Meaning]


def pairs(split: str, *, seed: int, size: int) -> Iterator[Pair]:
    """The first `size` pairs of a split.

    split: one of `SPLITS`.
    seed: of the draws. The same seed gives the same pairs, and a smaller size the beginning of a larger
        one's.
    size: pairs. The three of a hypothesis stand together, and the phenomena take turns.

    In all splits but train each hypothesis occurs with three premises once; in train it may come again.
    """
    return itertools.islice(_stream(split, seed), size)


def _stream(split: str, seed: int) -> Iterator[Pair]:
    draw = Draw(f"{seed}/{split}")
    seen: set[str] = set()
    for phenomenon in itertools.cycle(PHENOMENA):
        three = None
        while three is None:
            three = _three(draw, split, phenomenon, seen)
        if split != "train":
            seen.add(three[0].hypothesis)
        yield from three


def _three(draw: Draw, split: str, phenomenon: str, seen: set[str]) -> list[Pair] | None:
    """A pair of each label for one hypothesis.

    None if it belongs to another split, came before, has no premise of some label, or one of another length.
    """
    styles = LONG if split == "long" else USUAL
    puzzle = PHENOMENA[phenomenon](draw, styles)
    hypothesis = as_sentence(puzzle.hypothesis.words())
    if zlib.crc32(hypothesis.encode()) % 100 not in _SHARES[split] or hypothesis in seen:
        return None
    meaning = Meaning(puzzle.hypothesis.says())
    found = _premises(puzzle, meaning)
    if found is None:
        return None
    scene = some_scene(draw, styles.premise)
    three = []
    for label, (clause, main) in found.items():
        premise = as_sentence(f"{scene.before}{clause.words()}{scene.behind}")
        if (premise.count(" ") >= LONGEST) is not (split == "long"):
            return None
        three.append(Pair(premise, hypothesis, label, phenomenon, (Meaning(main, scene.facts), meaning)))
    draw.shuffle(three)
    return three


def _premises(puzzle: Puzzle, meaning: Meaning) -> dict[str, tuple[Clause, Formula | Counted]] | None:
    """By label, the first premise that has it, and what it says; the hypothesis itself is none."""
    hypothesis = Hypothesis(meaning.main)
    found: dict[str, tuple[Clause, Formula | Counted]] = {}
    for clause in itertools.islice(puzzle.premises, _PATIENCE):
        main = clause.says()
        label = hypothesis.judge(main)
        if label not in found and main != meaning.main:
            found[label] = clause, main
        if len(found) == len(LABELS):
            return found
    return None
