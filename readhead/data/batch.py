"""What a model eats: token ids and their mask, made together and never apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float, Int, Int64
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Text:
    """A padded batch of token sequences.

    token_ids: [B, T], 0 where padded.
    mask: [B, T], True = a real token. Padding stands on the right.
    """

    token_ids: Int[Tensor, "B T"]
    mask: Bool[Tensor, "B T"]

    @classmethod
    def pad(cls, sequences: Sequence[np.ndarray]) -> Text:
        """Pads B sequences of token ids to the longest; at least one column, even if all are empty."""
        lengths = np.fromiter((len(s) for s in sequences), dtype=np.int64, count=len(sequences))
        mask = np.arange(max(1, lengths.max(initial=0))) < lengths[:, None]  # [B, T]
        token_ids = np.zeros(mask.shape, dtype=np.int64)
        if lengths.any():
            token_ids[mask] = np.concatenate(sequences)
        return cls(torch.from_numpy(token_ids), torch.from_numpy(mask))

    def to(self, device: torch.device) -> Text:
        """The same on another device."""
        return Text(self.token_ids.to(device), self.mask.to(device))


@dataclass(frozen=True, slots=True)
class Candidates:
    """Which examples are ranked together, and how those with equal scores are.

    group: [B], a number for each question.
    order: [B], the examples' ids as numbers: of two ids, the one that comes first as a string has the smaller one.
    """

    group: Int64[np.ndarray, " B"]
    order: Int64[np.ndarray, " B"]

    def __getitem__(self, indices: Int[np.ndarray, " b"]) -> Candidates:
        return Candidates(self.group[indices], self.order[indices])


@dataclass(frozen=True, slots=True)
class Batch:
    """B examples, ready to be read.

    texts: by field name, as in `Example.texts`, in the order in which they are read.
    labels: [B] class indices; None where they are not known.
    state: what a reader knows of the texts so far, by name, where these go on with those of the batch before; empty
        where nothing came before; None where each text stands alone.
    candidates: what a score of rankings needs to know; None where nothing is ranked. It stays off the device.
    soft: [B, C] probabilities of the classes, to learn from in the labels' place; None where there are none.
    """

    texts: Mapping[str, Text]
    labels: Int[Tensor, " B"] | None = None
    state: Mapping[str, Tensor] | None = None
    candidates: Candidates | None = None
    soft: Float[Tensor, "B C"] | None = None

    def __len__(self) -> int:
        return len(next(iter(self.texts.values())).mask)

    def to(self, device: torch.device) -> Batch:
        """The same on another device."""
        texts = {name: text.to(device) for name, text in self.texts.items()}
        state = None if self.state is None else {name: value.to(device) for name, value in self.state.items()}
        labels = None if self.labels is None else self.labels.to(device)
        soft = None if self.soft is None else self.soft.to(device)
        return Batch(texts, labels, state, self.candidates, soft)
