"""What a recipe trains on: its splits in ids, its vocabulary, the table its words start from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from readhead.data.corpora.corpus import Corpus
from readhead.data.encoded import EncodedSplit, TokenisedSplit
from readhead.data.example import Example
from readhead.data.tokenizer import Tokenizer
from readhead.data.vectors import Vectors, embedding_table, read_vectors
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.recipe import Recipe

VECTOR_SUFFIXES = ("", ".txt", ".txt.gz", ".txt.xz", ".txt.zip", ".zip")


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that a training run reads, read.

    train, dev: the splits.
    labels: the classes' names.
    table: [V, E] float32, where word rows start; pretrained: [V] bool, which came from a vectors file.
    data: SHA-256 by file name.
    dropped, truncated: by split, examples without a label and texts that were cut.
    """

    train: EncodedSplit
    dev: EncodedSplit
    labels: tuple[str, ...]
    tokenizer: Tokenizer
    vocabulary: Vocabulary
    table: np.ndarray
    pretrained: np.ndarray
    data: dict[str, str]
    dropped: dict[str, int]
    truncated: dict[str, int]


def gather(recipe: Recipe, *, corpora: Path, seed: int) -> Material:
    """Reads the corpus and the vectors of a recipe.

    corpora: the folder that corpora and vectors lie below.
    seed: of the random rows.
    Raises: InputError for whatever is missing or wrong, with file and line; nothing has been written then.
    """
    corpus: Corpus = recipe.parts["corpus"].build()
    tokenizer = Tokenizer(lowercase=recipe.text.lowercase)
    split = {name: _tokenised(recipe, corpus, name, corpora, tokenizer) for name in ("train", "dev")}
    labels = corpus.labels or tuple(corpus.learnt_labels())
    vectors, source = _vectors(recipe, split["train"], corpora)
    vocabulary = _vocabulary(recipe, split["train"], vectors)
    plan = recipe.vectors
    table, pretrained = embedding_table(
        vocabulary, vectors, dim=plan.dim, oov=plan.oov, normalise=plan.normalise, seed=seed
    )
    encoded = {name: encode(recipe, tokens, vocabulary, labels) for name, tokens in split.items()}
    return Material(
        train=encoded["train"],
        dev=encoded["dev"],
        labels=labels,
        tokenizer=tokenizer,
        vocabulary=vocabulary,
        table=table,
        pretrained=pretrained,
        data=fingerprints([*corpus.files(corpora).values(), *source]),
        dropped=dict(corpus.dropped),
        truncated={name: part.truncated for name, part in encoded.items()},
    )


def fingerprints(files: Iterable[Path]) -> dict[str, str]:
    """SHA-256 of each file, by its name."""
    return {path.name: _sha256(path) for path in files}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
