"""Writing a model as an ARPA file, which the field's toolkits read (SRILM, kenlm, ...)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from readhead import durable
from readhead.errors import InputError
from readhead.ngrams.model import NGramModel, Table

_IMPOSSIBLE = -99  # what the format has for log10(0)
_NOT_A_WORD = re.compile(r"[\0\t-\r ]|^$")  # no word of the format holds a space


def write_arpa(path: Path, model: NGramModel, words: Sequence[str]) -> None:
    """Writes a model durably, its logarithms with the nine digits that tell all numbers of single precision apart.

    path: the file; one that stands there is replaced when the new one is whole.
    words: V words by id. The start mark, the end mark and the unknown word are `<s>`, `</s>` and `<unk>`; other ids
        that are never predicted have no place in the format and are left out.

    Raises:
        InputError: there are not V different words, one holds a space, or one of the three is wanting or misplaced.
        OSError: the disk is full or the folder read-only; the old file then still stands.
    """
    _check_words(words, model)
    sections = (_section(n, table, grams, model.order) for n, table, grams in _grams(model, words))
    text = chain(_head(model), chain.from_iterable(sections), ["\n\\end\\\n"])
    durable.write(path, "".join(text).encode("utf-8", "surrogatepass"))


def _head(model: NGramModel) -> Iterator[str]:
    predicted = np.isfinite(model.tables[0].probability).sum()
    yield "\\data\\\n"
    yield f"ngram 1={predicted + 1}\n"  # and the start mark
    for n, table in enumerate(model.tables[1:], start=2):
        yield f"ngram {n}={len(table.keys)}\n"


def _grams(model: NGramModel, words: Sequence[str]) -> Iterator[tuple[int, Table, list[str]]]:
    """Each order, its table, and its n-grams in words."""
    grams = list(words)
    yield 1, model.tables[0], grams
    for n, table in enumerate(model.tables[1:], start=2):
        contexts, last = np.divmod(table.keys, model.vocabulary_size)
        grams = [f"{grams[c]} {words[w]}" for c, w in zip(contexts.tolist(), last.tolist(), strict=True)]
        yield n, table, grams


def _section(n: int, table: Table, grams: Sequence[str], order: int) -> Iterator[str]:
    yield f"\n\\{n}-grams:\n"
    rows = zip(table.probability.tolist(), grams, table.backoff.tolist(), strict=True)
    for probability, gram, backoff in rows:
        after = f"\t{backoff:.9g}\n" if n < order else "\n"
        if probability > -math.inf:
            yield f"{probability:.9g}\t{gram}{after}"
        elif gram == "<s>":
            yield f"{_IMPOSSIBLE}\t{gram}{after}"


def _check_words(words: Sequence[str], model: NGramModel) -> None:
    if not len(words) == len(set(words)) == model.vocabulary_size:
        found = f"{len(words)}, {len(set(words))} of them different"
        raise InputError(f"an ARPA file of this model takes {model.vocabulary_size} different words, found {found}")
    for word in words:
        if _NOT_A_WORD.search(word):
            raise InputError(f"an ARPA file has no place for {word!r}: a word is not empty and holds no space")
    for mark, is_predicted in (("<s>", False), ("</s>", True), ("<unk>", True)):
        if mark not in words:
            raise InputError(f"an ARPA file needs the word {mark}, which is not among the words")
        if np.isfinite(model.tables[0].probability[words.index(mark)]) != is_predicted:
            never = "never " if is_predicted else ""
            raise InputError(f"the word {mark} stands at an id that the model {never}predicts: the words are misplaced")
