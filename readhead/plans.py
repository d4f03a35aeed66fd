"""The plain numbers of a recipe: how its text is cut, where its vectors come from, how long it trains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True, slots=True)
class TextPlan:
    """[text]: from characters to rows of the vocabulary.

    lowercase: whether words are lower-cased first.
    max_tokens: words of a text that are read; the rest is cut, counted and reported.
    first, last: the marker put in front of and behind each text.
    min_count: occurrences that a training word needs for a row of its own.
    """

    lowercase: bool = True
    max_tokens: int = 400
    first: Literal["null", "start"] | None = None
    last: Literal["end"] | None = None
    min_count: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorPlan:
    """[vectors]: where word rows start.

    file: a file of vectors, or the name of one below the corpora's `vectors/`; None = random rows.
    dim: features of a row.
    most_frequent: of the file's words that the corpus lacks, how many get a row too, so that new text can be read.
    oov: what a word without a vector gets: `hashed` = one of 100 rows drawn from N(0, 1) (Parikh et al. 2016),
        `zero` = the zero row (Munkhdalai & Yu 2017), `normal` = a row of its own from N(0, 1) (Cheng et al. 2016).
    normalise: whether rows are scaled to length 1 (Parikh et al. 2016).
    """

    file: str | None = None
    dim: int = 300
    most_frequent: int = 50_000
    oov: Literal["hashed", "zero", "normal"] = "hashed"
    normalise: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingPlan:
    """[training]: one loop's numbers.

    epochs: passes over the training split, at most.
    batch_size: examples a step.
    gradient_norm: the gradient's 2-norm is cut to this; None = never.
    patience: epochs without a better dev score before training stops; None = never.
    decay: the learning rate is multiplied by this after an epoch whose dev score did not improve.
    decay_threshold: the relative gain below which a dev score has not improved, for `decay` alone.
    pretrained_gradient: factor on the gradient of rows that came from a vectors file, in the first
        `pretrained_gradient_epochs` epochs (Cheng et al. 2016: 0.35 on SST, 0 on SNLI).
    checkpoint_seconds: seconds between checkpoints within an epoch.
    """

    epochs: int = 10
    batch_size: int = 32
    gradient_norm: float | None = None
    patience: int | None = None
    decay: float = 1.0
    decay_threshold: float = 0.0
    pretrained_gradient: float = 1.0
    pretrained_gradient_epochs: float = 1.0
    checkpoint_seconds: float = 60.0
