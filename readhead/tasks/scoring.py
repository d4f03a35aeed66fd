"""A model's score over a whole split. Training watches it, evaluation reports it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor, nn

from readhead.data.batch import Batch
from readhead.data.encoded import EncodedSplit
from readhead.data.sampler import in_order
from readhead.data.stream import StreamSplit
from readhead.models.output import Output
from readhead.tasks.task import Score, Task

EXAMPLES = 256  # at once, at most: larger batches gain nothing more
TOKENS = 16_384  # at once, padding included, at most: a language model has V logits for each


def score_split(model: nn.Module, task: Task, split: EncodedSplit | StreamSplit, *, device: torch.device) -> Score:
    """Runs the model over every example of a split, without dropout and without gradients.

    model: left in the mode (training or not) it came in.
    split: texts that stand alone, or a running text, of which each segment is read with the state of the one before.
    Returns the task's score, ready for `metrics()`.
    """
    score, was_training = task.new_score(), model.training
    state: Mapping[str, Tensor] = {}
    model.eval()
    with torch.inference_mode():
        for indices in _order(split):
            batch = going_on(split.batch(indices), state).to(device)
            output: Output = model(batch)
            score.add(output, batch, indices.tolist())
            state = carried(output)
    model.train(was_training)
    return score


def going_on(batch: Batch, state: Mapping[str, Tensor]) -> Batch:
    """A batch that goes on with the text of the one before, with the state that this left; others as they are."""
    return batch if batch.state is None else replace(batch, state=state)


def carried(output: Output) -> dict[str, Tensor]:
    """The state that an output leaves to the next batch, cut off from what made it; none if texts stand alone."""
    return {name: value.detach() for name, value in (output.state or {}).items()}


def _order(split: EncodedSplit | StreamSplit) -> Iterable[Int[np.ndarray, " B"]]:
    if isinstance(split, StreamSplit):
        return split.epoch(0)
    return bounded_batches(split.lengths, examples=EXAMPLES, tokens=TOKENS)


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
