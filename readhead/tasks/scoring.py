"""A model's score over a whole split. Training watches it, evaluation reports it."""

from __future__ import annotations

import torch
from torch import nn

from readhead.data.encoded import EncodedSplit
from readhead.data.sampler import in_order
from readhead.tasks.task import Score, Task

BATCH = 256  # examples at once: without gradients memory is no concern, and larger batches gain nothing more


def score_split(model: nn.Module, task: Task, split: EncodedSplit, *, device: torch.device) -> Score:
    """Runs the model over every example of a split, without dropout and without gradients.

    model: left in the mode (training or not) it came in.
    Returns the task's score, ready for `metrics()`.
    """
    score, was_training = task.new_score(), model.training
    model.eval()
    with torch.inference_mode():
        for indices in in_order(split.lengths, BATCH):
            batch = split.batch(indices).to(device)
            score.add(model(batch), batch, indices.tolist())
    model.train(was_training)
    return score
