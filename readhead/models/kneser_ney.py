"""The n-gram language model with Kneser-Ney smoothing, as a model among the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from readhead.data.batch import Batch
from readhead.layers.next_words import SILENT, rows_of
from readhead.models.output import Output
from readhead.ngrams import NGramModel, check_options, estimate
from readhead.readers.causal import State


class KneserNey(nn.Module):
    """p(w | the n - 1 words before it), interpolated modified Kneser-Ney (Chen & Goodman 1998), unpruned.

    It has no weights to descend: `count` reads the training texts once. Its tables are buffers, so that they are kept
    and opened as every model's weights are.

    num_classes: C, rows of the vocabulary that can follow.
    order: n, words of the longest n-grams.
    fallback: the discounts of the counts 1, 2 and 3 where an order has too few n-grams to estimate its own, such as
        0.5, 1, 1.5; empty refuses such texts.

    Raises:
        InputError: the order is below 1, or there are other than three discounts, each above 0 and at most its count.
    """

    num_texts: ClassVar[int] = 1

    def __init__(self, *, num_classes: int, order: int = 5, fallback: tuple[float, ...] = ()) -> None:
        super().__init__()
        check_options(order, fallback or None)
        self.vocabulary_size = num_classes + len(SILENT)
        self.order, self.fallback = order, fallback
        self._model: NGramModel | None = None

    def count(self, ids: Int[np.ndarray, " T"], bounds: Int[np.ndarray, " bounds"]) -> None:
        """Estimates it from N texts. ids: [T], end to end; bounds: [N + 1]. Raises: InputError if they are too few."""
        model = estimate(
            ids,
            bounds,
            vocabulary_size=self.vocabulary_size,
            silent=SILENT,
            order=self.order,
            fallback=self.fallback or None,
        )
        for name, table in model.state().items():
            self.register_buffer(name, torch.from_numpy(table))
        self._model = model

    def make_room(self, shapes: Mapping[str, torch.Size]) -> None:
        """Buffers for tables of these shapes, whose numbers are put in next: how many there are, no recipe says."""
        for name, shape in shapes.items():
            kind = torch.int64 if name.startswith("keys") else torch.float32
            self.register_buffer(name, torch.zeros(shape, dtype=kind))
        self._model = None

    def forward(self, batch: Batch) -> Output:
        """batch: B examples with a field `text`. Returns -log p [N] of each token that follows another one."""
        text = batch.texts["text"]
        ids = text.token_ids[text.mask].cpu().numpy()
        bounds = np.concatenate([[0], text.mask.sum(dim=1).cumsum(dim=0).cpu().numpy()])
        nats = -torch.from_numpy(self.ngrams.log_probabilities(ids, bounds))  # [N]
        return Output(None, nats=nats.float().to(text.mask.device))

    def begin(self, batch_size: int) -> State:
        """No word yet. Returns `context`, [B, 0]."""
        return {"context": torch.zeros(batch_size, 0, dtype=torch.int64)}

    def next_words(self, token_ids: Int[Tensor, " B"], state: State) -> tuple[Float[Tensor, "B C"], State]:
        """Reads one more token of B texts. Returns log p [B, C] of what may follow, and the last n - 1 tokens."""
        context = torch.cat([state["context"], token_ids[:, None].cpu()], dim=1)[:, -max(1, self.order - 1) :]
        likely = np.stack([self.ngrams.distribution(row.numpy()) for row in context])  # [B, V]
        following = rows_of(torch.arange(self.vocabulary_size - len(SILENT)))
        return torch.from_numpy(likely)[:, following].log().float(), {"context": context}

    @property
    def ngrams(self) -> NGramModel:
        """The model behind it. Raises: InputError if its tables are damaged."""
        if self._model is None:
            self._model = NGramModel.from_state({name: table.cpu().numpy() for name, table in self.named_buffers()})
        return self._model
