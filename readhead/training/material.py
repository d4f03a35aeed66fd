"""What a recipe trains on: its splits in ids, its vocabulary, the table its words start from."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from readhead.data.corpora.corpus import Corpus
from readhead.data.corpora.file import FileCorpus
from readhead.data.encoded import EncodedSplit, TokenisedSplit
from readhead.data.tokenizer import Tokenizer
from readhead.data.vectors import Vectors, embedding_table, read_vectors
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.recipe import Recipe
from readhead.tasks.task import Task
from readhead.training.fitting import task_for

RANDOM_DIM = 100  # features of a word's row where no file of vectors says
VECTOR_SUFFIXES = ("", ".txt", ".txt.gz", ".txt.xz", ".txt.zip", ".zip")


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that a training run reads, read.

    train, dev: the splits.
    task: what is asked of a model.
    labels: the classes' names.
    complete: whether the corpus is whole, as published.
    table: [V, E] float32, where word rows start; pretrained: [V] bool, which came from a vectors file.
    data: SHA-256 by file name.
    dropped, truncated: by split, examples without a label and texts that were cut.
    understood: of a user's own file, what was understood of it, in lines for people.
    """

    train: EncodedSplit
    dev: EncodedSplit
    task: Task
    labels: tuple[str, ...]
    complete: bool
    tokenizer: Tokenizer
    vocabulary: Vocabulary
    table: np.ndarray
    pretrained: np.ndarray
    data: dict[str, str]
    dropped: dict[str, int]
    truncated: dict[str, int]
    understood: list[str] = field(default_factory=list)


def gather(recipe: Recipe, *, corpora: Path, seed: int) -> Material:
    """Reads the corpus and the vectors of a recipe.

    corpora: the folder that corpora and vectors lie below.
    seed: of the random rows.
    Raises: InputError for whatever is missing or wrong, with file and line; nothing has been written then.
    """
    corpus: Corpus = recipe.parts["corpus"].build()
    task, labels = task_for(recipe, corpus), corpus.labels
    tokenizer = Tokenizer(lowercase=recipe.text.lowercase)
    train, dev = (
        _tokenised(recipe, corpus, split, corpora, tokenizer=tokenizer, reads=task.reads) for split in corpus.splits[:2]
    )
    counts = train.counts()
    vectors, source = _vectors(recipe, counts, corpora)
    vocabulary = _vocabulary(recipe, counts, vectors)
    plan = recipe.vectors
    dim = plan.dim or (RANDOM_DIM if vectors is None else vectors.rows.shape[1])
    rows = {"oov": plan.oov, "normalise": plan.normalise, "length": plan.length}
    table, pretrained = embedding_table(vocabulary, vectors, dim=dim, seed=seed, **rows)  # type: ignore[arg-type]
    encoded = {
        "train": _encoded(recipe, train, vocabulary, labels),
        "dev": _encoded(recipe, dev, vocabulary, labels),
    }
    if why := task.unscorable(encoded["dev"]):
        raise InputError(f"the {corpus.splits[1]} split: {why}", file=corpus.files(corpora).get(corpus.splits[1]))
    return Material(
        train=encoded["train"],
        dev=encoded["dev"],
        task=task,
        labels=labels,
        complete=corpus.complete and _is_whole(corpus, encoded),
        tokenizer=tokenizer,
        vocabulary=vocabulary,
        table=table,
        pretrained=pretrained,
        data=fingerprints({**corpus.files(corpora), **source}, corpora),
        dropped=dict(corpus.dropped),
        truncated={name: part.truncated for name, part in encoded.items()},
        understood=corpus.understood() if isinstance(corpus, FileCorpus) else [],
    )


def _is_whole(corpus: Corpus, read: Mapping[str, EncodedSplit]) -> bool:
    """Whether there are as many examples as were published, where that is known."""
    return all(len(read[split]) == count for split, count in corpus.sizes.items() if split in read)


def fingerprints(files: Mapping[str, Path], corpora: Path) -> dict[str, str]:
    """SHA-256 of each file: by its path below the corpora, or by its role and name if it lies elsewhere.

    files: by role (`train`, `dev`, `vectors`).
    """
    return {_place(role, path, corpora): _sha256(path) for role, path in files.items()}


def _place(role: str, path: Path, corpora: Path) -> str:
    return path.relative_to(corpora).as_posix() if path.is_relative_to(corpora) else f"{role}/{path.name}"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def locate_vectors(name: str, corpora: Path) -> Path:
    """A file of vectors: a path, or a name below the corpora's `vectors/`. Raises: InputError when there is none."""
    for folder in (Path(), corpora / "vectors"):
        for suffix in VECTOR_SUFFIXES:
            if (path := folder / f"{name}{suffix}").is_file():
                return path
    expected = f"expected a path, or {name}.txt (or .gz, .xz, .zip) in {corpora / 'vectors'}"
    raise InputError(f"no vectors '{name}'; {expected}; `readhead data list` tells where vectors come from")


def _encoded(recipe: Recipe, split: TokenisedSplit, vocabulary: Vocabulary, labels: Sequence[str]) -> EncodedSplit:
    return split.encode(vocabulary, labels=labels or None, first=recipe.text.first, last=recipe.text.last)


def _tokenised(
    recipe: Recipe, corpus: Corpus, split: str, corpora: Path, *, tokenizer: Tokenizer, reads: Sequence[str]
) -> TokenisedSplit:
    examples, most = corpus.read(split, corpora), recipe.text.max_tokens
    tokenised = TokenisedSplit(examples, fields=reads, tokenizer=tokenizer, max_tokens=most)
    if len(tokenised) == 0:
        what = "labelled example" if corpus.labels else "text"
        raise InputError(f"the {split} split has no {what}", file=corpus.files(corpora).get(split))
    return tokenised


def _vectors(recipe: Recipe, counts: Counter[str], corpora: Path) -> tuple[Vectors | None, dict[str, Path]]:
    """The vectors of the corpus's words, and the file they came from; nothing where the recipe names none."""
    plan = recipe.vectors
    if plan.file is None:
        return None, {}
    path = locate_vectors(plan.file, corpora)
    return read_vectors(path, wanted=counts, most_frequent=plan.most_frequent, dim=plan.dim), {"vectors": path}


def _vocabulary(recipe: Recipe, counts: Counter[str], vectors: Vectors | None) -> Vocabulary:
    return Vocabulary.build(
        counts,
        vector_words=None if vectors is None else vectors.words,
        most_frequent=() if vectors is None else vectors.most_frequent,
        oov=recipe.vectors.oov,
        min_count=recipe.text.min_count,
    )
