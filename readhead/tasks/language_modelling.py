"""Language modelling: which word comes next.

Loss: -log p(w_{t+1} | w_1 … w_t), the end of the text counted as a word. Perplexity: exp(NLL / T), with T the words
and ends of the whole split (Cheng et al. 2016, 5.1). Answer: how surprising each word is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, ClassVar, Literal

import numpy as np
import torch
from jaxtyping import Float, Float64, Int, Int64
from torch import Tensor

from readhead.data.batch import Batch
from readhead.data.encoded import EncodedSplit
from readhead.data.vocabulary import Vocabulary
from readhead.models.output import Output
from readhead.tasks.figure import Figure, ratio, share
from readhead.tasks.task import Metrics, Score, Verdict


class LanguageModelScore:
    """The negative log-likelihood of a split, in nats, and over how many tokens; of each token in float32."""

    def __init__(self) -> None:
        self._nats, self._tokens = 0.0, 0
        self._batches: list[tuple[Tensor, list[int], list[tuple[int, int]]]] = []

    def add(self, output: Output, batch: Batch, indices: Sequence[int]) -> None:
        """Takes one batch in."""
        nats = _nats(output)
        self._nats += nats.double().sum().item()
        self._tokens += len(nats)
        counts = _foretold(batch)
        # A running text is read as streams side by side, one segment of each at a time.
        first = indices[0]
        places = [(i, 0) for i in indices] if batch.state is None else [(s, first) for s in range(len(counts))]
        self._batches.append((nats.detach().float().cpu(), counts, places))

    def collected(self) -> Float64[np.ndarray, " T"]:
        """The nats of every token that was foretold, in the order of the texts."""
        rows: dict[tuple[int, int], Tensor] = {}
        for nats, counts, places in self._batches:
            rows.update(zip(places, torch.split(nats, counts), strict=True))
        return torch.cat([nats for _, nats in sorted(rows.items(), key=itemgetter(0))]).double().numpy()

    def metrics(self) -> Metrics:
        """`perplexity`, and `loss` in nats a token."""
        loss = self._nats / self._tokens
        return {"perplexity": math.exp(loss) if loss < 700 else math.inf, "loss": loss}


@dataclass(frozen=True, slots=True)
class LanguageModelReport:
    """Figures of one split, as `Report` tells them: nothing here is right or wrong.

    nats: [N], of each text the nats of its tokens but the first, which is given.
    """

    metrics: Metrics
    nats: list[Float64[np.ndarray, " T"]]
    shares: frozenset[str] = frozenset()
    counts: Mapping[str, int] = field(default_factory=dict)
    correct: list[bool] | None = None
    mistakes: list[Verdict] = field(default_factory=list)
    confusion: list[list[int]] | None = None
    units_right: None = None

    @property
    def figures(self) -> dict[str, Figure]:
        """The metrics, whose units are texts, since the words of one hang together."""
        loss = share(np.array([nats.sum() for nats in self.nats]), np.array([len(nats) for nats in self.nats]))
        return {"perplexity": Figure(loss.terms, _perplexity), "loss": loss}

    @property
    def units(self) -> Int64[np.ndarray, " N"]:
        """Each text's place."""
        return np.arange(len(self.nats))

    def verdict(self, unit: int) -> Verdict:
        """None of a foretold text."""
        raise NotImplementedError("a text that is foretold is neither right nor wrong")


class LanguageModelling:
    """One text, every next word of it.

    labels: none; a text is its own answer.
    per: what the training loss is a mean over. `token`: nats a token. `sentence`: nats a text, which makes steps as
        many times longer as texts have tokens, and is what learning rates of about 1 with plain SGD are meant for.
    """

    fields: ClassVar[tuple[str, ...]] = ("text",)
    reads: ClassVar[tuple[str, ...]] = fields
    several: ClassVar[str | None] = None
    watched: ClassVar[str] = "perplexity"
    higher_is_better: ClassVar[bool] = False
    unit: ClassVar[str] = "texts"
    foretells: ClassVar[bool] = True

    def __init__(self, *, labels: Sequence[str], per: Literal["token", "sentence"] = "token") -> None:
        self.labels = tuple(labels)
        self.per = per

    def num_classes(self, vocabulary: Vocabulary) -> int:
        """A logit for each word that can follow."""
        return vocabulary.can_follow

    def loss(self, output: Output, batch: Batch) -> Float[Tensor, ""]:
        """Cross-entropy in nats, a token's or a sentence's mean."""
        nats = _nats(output)
        return nats.mean() if self.per == "token" else nats.sum() / len(batch)

    def total(self, loss: float, batch: Batch) -> float:
        """Its tokens' losses together."""
        return loss * (self.weight(batch) if self.per == "token" else len(batch))

    def weight(self, batch: Batch) -> int:
        """The batch's tokens that follow another."""
        return int(batch.texts["text"].mask[:, 1:].sum())

    def unscorable(self, split: EncodedSplit) -> str | None:
        """Every text has an end to foretell."""
        return None

    def new_score(self) -> LanguageModelScore:
        """An empty score."""
        return LanguageModelScore()

    def calibrate(self, score: Score) -> None:
        """A language model is trained to be calibrated, and has no temperature."""
        return

    def report(self, score: Score, *, temperature: float, lengths: Int[np.ndarray, "N K"]) -> LanguageModelReport:
        """Perplexity and loss, and what each token cost."""
        assert isinstance(score, LanguageModelScore)
        ends = np.cumsum(lengths[:, 0] - 1)
        return LanguageModelReport(score.metrics(), np.split(score.collected(), ends[:-1]))

    def answers(self, output: Output, batch: Batch, *, temperature: float) -> list[Mapping[str, Any]]:
        """`perplexity` of each text, and the `surprisal` of each token that follows another, in bits."""
        return [_surprise(of_text) for of_text in torch.split(_nats(output), _foretold(batch))]

    def answered(self, answer: Mapping[str, Any]) -> str:
        """The text itself."""
        return "the text"

    def bits(self, output: Output, batch: Batch, *, of: str, temperature: float) -> Float[Tensor, " B"]:
        """log2 p of each text, but for its first token, which is given."""
        texts = torch.split(_nats(output).double(), _foretold(batch))
        return -torch.stack([nats.sum() for nats in texts]) / math.log(2)


def _foretold(batch: Batch) -> list[int]:
    """Of each text, how many tokens follow another."""
    counts: list[int] = batch.texts["text"].mask[:, 1:].sum(dim=1).tolist()  # [B]
    return counts


def _perplexity(sums: Float64[np.ndarray, "... two"]) -> Float64[np.ndarray, ...]:
    with np.errstate(over="ignore"):
        perplexity: Float64[np.ndarray, ...] = np.exp(ratio(sums))
    return perplexity


def _nats(output: Output) -> Float[Tensor, " N"]:
    assert output.nats is not None, "language modelling needs a model that foretells the next word"
    return output.nats


def _surprise(nats: Float[Tensor, " T"]) -> dict[str, Any]:
    nats = nats.double()
    return {"perplexity": nats.mean().exp().item(), "surprisal": (nats / math.log(2)).tolist()}
