"""Starting at another run's weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.layers.next_words import rows_of
from readhead.models.language_model import LanguageModel
from readhead.run import TABLE, RunRecord, put_weights, read_weights, run_files

SOFTMAX = LanguageModel.by_class


def take_weights(model: nn.Module, folder: Path, *, vocabulary: Vocabulary, labels: Sequence[str]) -> None:
    """Puts a run's best weights into a model.

    A table that trains is taken over word by word, and so is a language model's softmax: words that only the new run
    has keep their own first values.

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
    fresh, old_words = model.state_dict(), Vocabulary.open(files.vocabulary)
    for name, entries in {TABLE: _rows, **dict.fromkeys(SOFTMAX, _classes)}.items():
        if name in fresh and name in weights:
            weights[name] = _by_entry(weights[name], entries(old_words), fresh[name], entries(vocabulary))
    put_weights(model, weights, files.weights)


def _rows(vocabulary: Vocabulary) -> list[str]:
    return [vocabulary.entry(row) for row in range(len(vocabulary))]


def _classes(vocabulary: Vocabulary) -> list[str]:
    return [vocabulary.entry(row) for row in rows_of(torch.arange(vocabulary.can_follow)).tolist()]


def _by_entry(old: Tensor, old_entries: Sequence[str], new: Tensor, entries: Sequence[str]) -> Tensor:
    """The new weight, with the old one's row for each entry that both vocabularies have."""
    if old.shape[1:] != new.shape[1:] or (len(old), len(new)) != (len(old_entries), len(entries)):
        return old  # of another width, or no row an entry: the shapes are compared, and told, where weights are put
    places = {entry: place for place, entry in enumerate(old_entries)}
    shared = [(place, places[entry]) for place, entry in enumerate(entries) if entry in places]
    weight = new.clone()
    to, come_from = torch.tensor(shared).T
    weight[to] = old[come_from]
    return weight
