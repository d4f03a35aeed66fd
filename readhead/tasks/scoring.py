"""A model's score over a whole split. Training watches it, evaluation reports it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from jaxtyping import Int
from torch import nn

from readhead.data.encoded import EncodedSplit
from readhead.data.sampler import in_order
from readhead.tasks.task import Score, Task

EXAMPLES = 256  # at once, at most: larger batches gain nothing more
TOKENS = 16_384  # at once, padding included, at most: a language model has V logits for each


def score_split(model: nn.Module, task: Task, split: EncodedSplit, *, device: torch.device) -> Score:
    """Runs the model over every example of a split, without dropout and without gradients.

    model: left in the mode (training or not) it came in.
    Returns the task's score, ready for `metrics()`.
    """
    score, was_training = task.new_score(), model.training
    model.eval()
    with torch.inference_mode():
        for indices in bounded_batches(split.lengths, examples=EXAMPLES, tokens=TOKENS):
            batch = split.batch(indices).to(device)
            score.add(model(batch), batch, indices.tolist())
    model.train(was_training)
    return score


def bounded_batches(lengths: Int[np.ndarray, "N K"], *, examples: int, tokens: int) -> Iterator[Int[np.ndarray, " B"]]:
    """Batches of similar lengths, always the same ones, none larger than two bounds allow.

    lengths: [N, K], tokens of each of the K texts of N examples.
    examples: B, at most.
    tokens: of a batch, all texts, padding included, at most; an example that is longer is read alone.
    Returns each batch's places among the N; every example once.
    """
    for indices in in_order(lengths, examples):
        longest = max(1, int(lengths[indices].max(axis=0).sum()))  # tokens that each example is padded to
        size = max(1, tokens // longest)
        yield from (indices[start : start + size] for start in range(0, len(indices), size))
