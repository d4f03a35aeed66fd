"""Starting at another run's weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.run import RunRecord, put_weights, read_weights, run_files

TABLE = "embedding.table"


def take_weights(model: nn.Module, folder: Path, *, vocabulary: Vocabulary, labels: Sequence[str]) -> None:
    """Puts a run's best weights into a model.

    A table that trains is taken over word by word: words that only the new run has keep their own first values.

    model: freshly built.
    folder: the other run's directory.
    vocabulary, labels: the new run's.
    Raises: InputError when the other run answers other labels, or its weights do not fit.
    """
    files = run_files(folder)
    weights = dict(read_weights(files.weights))
    before = RunRecord.open(files.record)
    if list(labels) != before.labels:
        told = f"it answers {', '.join(before.labels)}; this data has {', '.join(labels)}"
        raise InputError(f"expected a run with the same labels: {told}", file=files.record)
    fresh = model.state_dict()
    if TABLE in fresh and TABLE in weights:
        weights[TABLE] = _by_word(weights[TABLE], Vocabulary.open(files.vocabulary), fresh[TABLE], vocabulary)
    put_weights(model, weights, files.weights)


def _by_word(old: torch.Tensor, old_words: Vocabulary, new: torch.Tensor, words: Vocabulary) -> torch.Tensor:
    """The new table [V, E] with the old one's rows where the old vocabulary has the word."""
    if old.shape[1:] != new.shape[1:]:
        return old  # of another width: the shapes are compared, and told, where weights are put
    rows = dict(zip(old_words.words, old_words.word_rows, strict=True))
    shared = [(row, rows[word]) for row, word in zip(words.word_rows, words.words, strict=True) if word in rows]
    table = new.clone()
    if old_words.oov_rows == words.oov_rows:
        table[: words.word_rows.start] = old[: words.word_rows.start]  # padding, unknown words and markers
    if shared:
        to, come_from = torch.tensor(shared).T
        table[to] = old[come_from]
    return table
