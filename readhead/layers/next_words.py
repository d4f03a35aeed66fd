"""Which rows of a vocabulary can follow a word, and their classes."""

from __future__ import annotations

import torch
from jaxtyping import Int
from torch import Tensor

UNKNOWN = 1
SILENT = (0, 2, 3)
"""Rows that follow nothing: padding and the markers in front of a text. The unknown word's row is among them."""


def rows_of(classes: Int[Tensor, " N"]) -> Int[Tensor, " N"]:
    """The rows that classes stand for: class 0 is the unknown word, class 1 the end of the text, the others words.

    So they are in a vocabulary with one row for unknown words (`readhead.data.vocabulary`).
    """
    return torch.where(classes == 0, UNKNOWN, classes + len(SILENT))


def classes_of(rows: Int[Tensor, " N"]) -> Int[Tensor, " N"]:
    """The other way round; a row that can't follow counts as the unknown word."""
    return (rows - len(SILENT)).clamp(min=0)
