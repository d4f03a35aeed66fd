"""A model whose weights all start in one range."""

from __future__ import annotations

import math

import torch
from torch import nn

from readhead.errors import InputError
from readhead.layers.embedding import Embedding


def start_uniformly(model: nn.Module, embedding: Embedding, init_range: float | None) -> None:
    """Draws every weight and bias of a model from U(-init_range, init_range), but for word vectors from a file.

    embedding: the model's own.
    init_range: None leaves all of them as they were made.

    Raises:
        InputError: the range is not above 0, or not finite.
    """
    if init_range is None:
        return
    if not 0 < init_range < math.inf:
        raise InputError(f"[model] init_range = {init_range}: expected a number above 0")
    from_file = embedding.pretrained[:, None]
    with torch.no_grad():
        for parameter in model.parameters():
            drawn = torch.empty_like(parameter).uniform_(-init_range, init_range)
            parameter.copy_(torch.where(from_file, parameter, drawn) if parameter is embedding.table else drawn)
