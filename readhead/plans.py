"""The plain numbers of a recipe: how its text is cut, where its vectors come from, how long it trains."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from readhead.errors import InputError


def at_least(section: str, least: float, **given: float | None) -> None:
    """Raises: InputError for a number of a section that is smaller than `least`, or not finite. None is let pass."""
    for key, value in given.items():
        if value is not None and not (value >= least and math.isfinite(value)):
            raise InputError(f"[{section}] {key} = {value}: expected at least {least}")


def above(section: str, limit: float, **given: float | None) -> None:
    """Raises: InputError for a number of a section that is not greater than `limit`, or not finite. None passes."""
    for key, value in given.items():
        if value is not None and not (value > limit and math.isfinite(value)):
            raise InputError(f"[{section}] {key} = {value}: expected more than {limit}")


def at_most(section: str, greatest: float, **given: float | None) -> None:
    """Raises: InputError for a number of a section that is greater than `greatest`. None is let pass."""
    for key, value in given.items():
        if value is not None and not value <= greatest:
            raise InputError(f"[{section}] {key} = {value}: expected at most {greatest}")


def below(section: str, limit: float, **given: float) -> None:
    """Raises: InputError for a number of a section that is not smaller than `limit`."""
    for key, value in given.items():
        if not value < limit:
            raise InputError(f"[{section}] {key} = {value}: expected less than {limit}")


@dataclass(frozen=True, kw_only=True, slots=True)
class TextPlan:
    """[text]: from characters to rows of the vocabulary.

    lowercase: whether words are lower-cased first.
    max_tokens: words of a text that are read; the rest is cut, counted and reported.
    first, last: the marker put in front of and behind each text; an `end` in front is that of the text before, in
        running text.
    min_count: occurrences that a training word needs for a row of its own.
    """

    lowercase: bool = True
    max_tokens: int = 400
    first: Literal["null", "start", "end"] | None = None
    last: Literal["end"] | None = None
    min_count: int = 1

    def __post_init__(self) -> None:
        at_least("text", 1, max_tokens=self.max_tokens, min_count=self.min_count)


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorPlan:
    """[vectors]: where word rows start.

    file: a file of vectors, or the name of one below the corpora's `vectors/`; None = random rows.
    dim: features of a row; None = as the file has them, or 100 without one.
    most_frequent: of the file's words that the corpus lacks, how many get a row too, so that new text can be read.
    oov: what a word without a vector gets: `hashed` = one of 100 rows drawn from N(0, 1) (Parikh et al. 2016),
        `zero` = the zero row (Munkhdalai & Yu 2017), `normal` = a row of its own from N(0, 1) (Cheng et al. 2016).
    normalise: whether rows are scaled to length 1 (Parikh et al. 2016).
    length: of the rows that are drawn, about, where `normalise` does not set it; short ones say little until training
        has made them longer. None = 1 where no file is given, else √`dim`, as N(0, 1) has it.
    """

    file: str | None = None
    dim: int | None = None
    most_frequent: int = 50_000
    oov: Literal["hashed", "zero", "normal"] = "hashed"
    normalise: bool = False
    length: float | None = None

    def __post_init__(self) -> None:
        at_least("vectors", 1, dim=self.dim)
        at_least("vectors", 0, most_frequent=self.most_frequent)
        above("vectors", 0, length=self.length)


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingPlan:
    """[training]: one loop's numbers.

    epochs: passes over the training split, at most.
    batch_size: examples a step.
    gradient_norm: the gradient's 2-norm is cut to this; None = never.
    patience: epochs without a better dev score before training stops; None = never.
    decay: the learning rate is multiplied by this after an epoch whose dev score did not improve.
    decay_threshold: the relative gain below which a dev score has not improved, for `decay` alone.
    schedule: `linear` = the learning rate falls evenly to 0, step by step, over all `epochs`; `constant` = only
        `decay` changes it.
    pretrained_gradient: factor on the gradient of rows that came from a vectors file, in the first
        `pretrained_gradient_epochs` epochs (Cheng et al. 2016: 0.35 on SST, 0 on SNLI).
    choose_by: which figure on dev picks the best weights, and ends training by `patience`: the task's own `score`, or
        the `loss`, which is steadier where dev is small.
    average: of a running mean of the weights, how much stays at each step; this mean is then what is scored and kept
        (Polyak & Juditsky 1992). 0 = the weights as they are.
    segment: tokens a step foretells of each of `batch_size` streams that the texts of a language model are joined to;
        the state is carried from step to step. None = each text stands alone.
    checkpoint_seconds: seconds between checkpoints within an epoch.
    """

    epochs: int = 10
    batch_size: int = 32
    gradient_norm: float | None = None
    patience: int | None = None
    decay: float = 1.0
    decay_threshold: float = 0.0
    schedule: Literal["constant", "linear"] = "constant"
    pretrained_gradient: float = 1.0
    pretrained_gradient_epochs: float = 1.0
    choose_by: Literal["score", "loss"] = "score"
    average: float = 0.0
    segment: int | None = None
    checkpoint_seconds: float = 60.0

    def __post_init__(self) -> None:
        at_least("training", 1, epochs=self.epochs, batch_size=self.batch_size, patience=self.patience)
        at_least("training", 1, segment=self.segment)
        above("training", 0, gradient_norm=self.gradient_norm, decay=self.decay)
        at_most("training", 1, decay=self.decay)
        at_least("training", 0, decay_threshold=self.decay_threshold, checkpoint_seconds=self.checkpoint_seconds)
        at_least("training", 0, pretrained_gradient=self.pretrained_gradient, average=self.average)
        below("training", 1, average=self.average)
        if self.schedule == "linear" and self.decay != 1:
            raise InputError(f'[training] decay = {self.decay} beside schedule = "linear": expected one of the two')
        at_least("training", 0, pretrained_gradient_epochs=self.pretrained_gradient_epochs)
