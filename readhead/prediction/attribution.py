"""Integrated gradients (Sundararajan, Taly and Yan 2017, arXiv:1703.01365): what each token adds to an answer's score.

With e the embedded tokens of all texts, s(e) the score of the answer that was given, and vectors of zeros as baseline:

    a_t = Σ_d e_td ∫₀¹ ∂s(αe) / ∂e_td dα            Σ_t a_t = s(e) - s(0)

The score is log2 of the answer's probability, so that a share of +1 stands for one doubling of it. The baseline is what
a reader makes of texts as long as these whose words it does not see; a row for unknown words or for padding would be a
word of its own, and in another run another one. The integral is a sum over Gauss-Legendre nodes, as many as it takes
until both sides agree.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from readhead.data.batch import Batch, Text
from readhead.errors import InputError
from readhead.models.output import Output

NODES = (16, 32, 64, 128, 256)
"""Of the integral: as many as it takes to come within the tolerance, at most the last."""
TOLERANCE = 0.01  # bits, and as a share of what is explained, that may stay unexplained
TOKENS = 4096  # that are read at once, at most, with all that is kept of them for the way back

Score = Callable[[Output, Batch], Float[Tensor, " B"]]
"""What is explained: a number for each of B readings."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """What the tokens of one reading add to a score.

    score, baseline: with the tokens' vectors, and with zeros in their place.
    shares: by field name, [T].
    """

    score: float
    baseline: float
    shares: Mapping[str, Float[np.ndarray, " T"]]

    @property
    def gap(self) -> float:
        """What is left of score - baseline when all tokens have their share."""
        return self.score - self.baseline - sum(float(shares.sum()) for shares in self.shares.values())

    @property
    def complete(self) -> bool:
        """Whether the gap is within the tolerance."""
        return abs(self.gap) <= TOLERANCE * max(1.0, abs(self.score - self.baseline))


def attributable(model: nn.Module) -> bool:
    """Whether there are word vectors to follow gradients back to: counts have none."""
    return isinstance(getattr(model, "embedding", None), nn.Module)


def integrated_gradients(model: nn.Module, batch: Batch, score: Score) -> Attribution:
    """The attribution of one reading; that with the most nodes if none is complete.

    model: in eval mode. What its answer takes from token ids directly, such as counts of shared words, is the same at
        the baseline, and no token's share.
    batch: of one example.
    score: of a batch's outputs.

    Raises: InputError if the model embeds no words.
    """
    if not attributable(model):
        raise InputError("an attribution follows gradients back to word vectors, and this run's model has none")
    with torch.no_grad():
        baseline, whole = _ScaledCopies(model, batch, torch.tensor([0.0, 1.0])).scores(score).tolist()
    for nodes in NODES:
        attribution = Attribution(whole, baseline, _shares(model, batch, score, nodes))
        if attribution.complete:
            break
    return attribution


def _shares(model: nn.Module, batch: Batch, score: Score, nodes: int) -> dict[str, Float[np.ndarray, " T"]]:
    """The integral, from so many nodes."""
    lengths = {name: int(text.mask.sum()) for name, text in batch.texts.items()}
    shares = {name: np.zeros(length) for name, length in lengths.items()}
    at_once = max(1, TOKENS // max(1, sum(lengths.values())))
    places, weights = np.polynomial.legendre.leggauss(nodes)  # on [-1, 1]
    for start in range(0, nodes, at_once):
        part = slice(start, start + at_once)
        copies = _ScaledCopies(model, batch, torch.from_numpy((places[part] + 1) / 2).float())
        for name, products in copies.products(score).items():
            integral = weights[part] / 2 @ products
            shares[name][: len(integral)] += integral[: lengths[name]]
    return shares


class _ScaledCopies:
    """K copies of one example, all vectors of each multiplied by a number of its own.

    model: its layers are shared; only their embedding is another.
    alphas: [K], the numbers.
    """

    def __init__(self, model: nn.Module, batch: Batch, alphas: Float[Tensor, " K"]) -> None:
        self.batch = Batch({name: _repeated(text, len(alphas)) for name, text in batch.texts.items()})
        self.device = next(iter(batch.texts.values())).mask.device
        self.embedding = _ScaledEmbedding(model.embedding, alphas.to(self.device))  # type: ignore[arg-type]
        self.model = copy.copy(model)
        # A module's copy has the very same table of parts as the module; with one of its own it can have another part.
        self.model._modules = {**model._modules, "embedding": self.embedding}

    def scores(self, score: Score) -> Float[Tensor, " K"]:
        """Of each copy."""
        return score(self.model(self.batch), self.batch)

    def products(self, score: Score) -> dict[str, Float[np.ndarray, "K T"]]:
        """By field name, of each token of each copy, the gradient of its copy's score times its own unscaled vector.

        Of a text that is not read to its end, as far as it is read.
        """
        # cuDNN has no way back through a recurrent network that is not in training.
        on_gpu = self.device.type == "cuda"
        with torch.enable_grad(), torch.backends.cudnn.flags(enabled=False) if on_gpu else nullcontext():
            total = self.scores(score).sum()
        looked_up = [self.embedding.looked_up[text.token_ids.data_ptr()] for text in self.batch.texts.values()]
        gradients = torch.autograd.grad(total, [scaled for _, scaled in looked_up], materialize_grads=True)
        return {
            name: (gradient * vectors).sum(dim=2).double().cpu().numpy()
            for name, gradient, (vectors, _) in zip(self.batch.texts, gradients, looked_up, strict=True)
        }


class _ScaledEmbedding(nn.Module):
    """In an embedding's place: the same vectors, multiplied by a number for each text of the batch.

    looked_up: the vectors [K, T, E] as they were and as they were handed out, by where in the machine's memory the
        token ids begin: so a text is known again, of which a model reads all tokens or all but the last ones.
    """

    def __init__(self, embedding: nn.Module, alphas: Float[Tensor, " K"]) -> None:
        super().__init__()
        self.embedding, self.alphas = embedding, alphas
        self.looked_up: dict[int, tuple[Tensor, Tensor]] = {}

    def forward(self, token_ids: Int[Tensor, "K T"], mask: Bool[Tensor, "K T"]) -> Float[Tensor, "K T E"]:
        """As of an embedding."""
        with torch.no_grad():
            vectors = self.embedding(token_ids, mask)
            scaled: Tensor = vectors * self.alphas.view(-1, 1, 1)
        scaled.requires_grad_(torch.is_grad_enabled())
        self.looked_up[token_ids.data_ptr()] = (vectors, scaled)
        return scaled


def _repeated(text: Text, count: int) -> Text:
    return Text(text.token_ids.repeat(count, 1), text.mask.repeat(count, 1))
