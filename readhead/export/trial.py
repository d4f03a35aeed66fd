"""Texts that an exported model is tried with: random words of the run's own vocabulary, ragged, some of them empty."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from readhead.data.batch import Batch, Text
from readhead.run import Run

SHAPES = ((1, 1), (2, 3), (3, 7), (5, 16), (8, 40))
"""How many texts, and how many words the longest has: the five batches that an export is checked with."""

UNUSUAL = ("", " ", "Zyxomma!", "…", "<unk> <pad> <start>", "naïve café", "“quoted”", "can't won't", "🙂🙂", "\ud800")
"""Beside words of the vocabulary: no word, words nobody has read, markers that are none, signs in many spellings."""


def trial_batches(run: Run) -> Iterator[Batch]:
    """Five of different sizes, the texts in each of different lengths."""
    for seed, (num_texts, longest) in enumerate(SHAPES):
        yield trial_batch(run, num_texts=num_texts, longest=longest, seed=seed)


def trial_batch(run: Run, *, num_texts: int, longest: int, seed: int = 0) -> Batch:
    """Random rows of the vocabulary, between the markers that the run puts around a text.

    longest: in words, of the first of the texts that are read together; a second one's is two more. One text is so
        long; the others are shorter, and may be empty.
    """
    random, vocabulary, plan = np.random.default_rng(seed), run.vocabulary, run.recipe.text
    first, last = ([] if name is None else [vocabulary.marker_row(name)] for name in (plan.first, plan.last))
    rows = np.array([*vocabulary.oov_rows, *vocabulary.word_rows])

    def text(most: int) -> Text:
        lengths = [most, *random.integers(0, most + 1, size=num_texts - 1)]
        return Text.pad([np.array([*first, *random.choice(rows, size=n), *last], np.int64) for n in lengths])

    return Batch({field: text(longest + 2 * place) for place, field in enumerate(run.task.reads)})


def trial_records(run: Run, *, count: int = 24, seed: int = 0) -> list[dict[str, object]]:
    """What `readhead predict` can be asked, as records: random words of the vocabulary among unusual ones."""
    random, words = np.random.default_rng(seed), run.vocabulary.words
    unusual = itertools.cycle(UNUSUAL)

    def text() -> str:
        chosen = (
            [words[place] for place in random.integers(0, len(words), size=random.integers(0, 20))] if words else []
        )
        return " ".join([*chosen, next(unusual)])

    def asked(field: str) -> tuple[str, object]:
        return (f"{field}s", [text() for _ in range(3)]) if field == run.task.several else (field, text())

    long = " ".join(["word"] * min(run.recipe.text.max_tokens + 1, 500))  # where few words are read, it is cut
    records = [dict(asked(field) for field in run.task.fields) for _ in range(count)]
    cut = {field: [long] if field == run.task.several else long for field in run.task.fields}
    return [*records, {f"{f}s" if f == run.task.several else f: value for f, value in cut.items()}]
