"""`readhead.models.language_model` with one shape for texts of all lengths."""

from __future__ import annotations

import torch

from readhead.data.batch import Batch
from readhead.layers.next_words import classes_of
from readhead.models.language_model import LanguageModel
from readhead.models.output import Output


def forward(model: LanguageModel, batch: Batch) -> Output:
    """As of `LanguageModel`, but nats are [B, T - 1]: those of padded tokens stand among them."""
    text = batch.texts["text"]
    followed = text.mask[:, 1:]  # [B, T - 1]
    reading = model.reader(model.embedding(text.token_ids[:, :-1], followed), followed)
    logits = model.predict.linear(reading.outputs)  # [B, T - 1, C]
    following = classes_of(text.token_ids[:, 1:]).unsqueeze(-1)  # [B, T - 1, 1]
    likely = torch.log_softmax(logits, dim=-1).gather(-1, following).squeeze(-1)  # [B, T - 1]
    return Output(None, nats=-likely)
