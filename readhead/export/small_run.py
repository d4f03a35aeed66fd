"""A run as a smaller run: word rows in eight bits, and of the words only the most frequent.

What comes out is a run directory like every other, without checkpoint and log; `Run.open` opens it, and every verb
reads with it, in float32. Its answers are not those of the run it was made from: numbers are rounded, and a word that
was left out is read as an unknown one. They are as repeatable as any run's: the rounding was done when it was written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save
from torch import Tensor

from readhead import durable
from readhead.data.int8_rows import in_eight_bits
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.export.folder import expect_free, whole_or_absent
from readhead.models.language_model import LanguageModel
from readhead.prediction.evaluation import evaluate_split
from readhead.run import SMALLER, TABLE, Run, RunFiles, read_table, read_weights

ADDED = """
## Made smaller

It has {kept:,} words, the most frequent of the {of:,} that the run had which it was made from. A word that it lacks is
read as an unknown one. Word rows are in {words}, other matrices in {weights}. There is no checkpoint.

{cost}
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What the smaller run is worse by.

    split: of the run's corpus, with n examples.
    figures: by name, before and after.
    """

    split: str
    n: int
    figures: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Smaller:
    """What was written.

    before, after: bytes of all files that a reading needs.
    kept, of: words with a row of their own, after and before.
    cost: on the run's dev split, or in words why it could not be measured.
    """

    before: int
    after: int
    kept: int
    of: int
    cost: Cost | str


def write_small_run(run: Run, out: Path, *, int8: bool, keep: int | None, corpora: Path) -> Smaller:
    """Writes it, opens it again and scores both; `out` appears when all that has been done.

    out: a folder that is not there yet, or is empty.
    int8: whether word rows, and the rows of a language model's softmax, become eight bits a number; other matrices
        then become float16.
    keep: how many words keep their row, in the vocabulary's order: those of the training texts by falling count, then
        those that only the vectors had, as their file has them. None = all.
    corpora: where corpora lie; without the run's own, nothing is scored.

    Raises: InputError for a folder that is not empty, neither `int8` nor `keep`, a run without word rows, or more words
        to keep than it has.
    """
    _check(run, out, int8, keep)
    vocabulary = _cut(run.vocabulary, keep)
    kept, of = len(vocabulary.words), len(run.vocabulary.words)
    types = {"words": "int8", "weights": "float16"} if int8 else dict.fromkeys(("words", "weights"), "float32")
    told = {**types, "kept": kept, "of": of}
    with whole_or_absent(out) as folder:
        files = RunFiles(folder)
        for path in (run.files.recipe, run.files.tokenizer, run.files.metrics):
            if path.is_file():
                durable.write(folder / path.name, path.read_bytes())
        vocabulary.save(files.vocabulary)
        _save_tables(run, files, rows=len(vocabulary), int8=int8)
        record = replace(run.record, smaller=told, format=SMALLER)
        record.save(files.record)
        small = Run.open(folder, device=str(run.device))
        cost = _cost(run, small, corpora)
        record.smaller = told | {"cost": _plain(cost)}
        record.parameters = sum(weight.numel() for weight in small.model.parameters() if weight.requires_grad)
        record.save(files.record)
        card = run.files.card.read_text(encoding="utf-8") if run.files.card.is_file() else ""
        durable.write_text(files.card, card + ADDED.format(**told, cost=_sentence(cost)))
        written = Smaller(_size(run.files), _size(files), kept, of, cost)
    return written


def _check(run: Run, out: Path, int8: bool, keep: int | None) -> None:
    expect_free(out)
    if not int8 and keep is None:
        raise InputError("nothing would make the run smaller; expected --int8, --keep N, or both")
    if "embedding" not in run.recipe.parts:
        found = run.recipe.parts["model"].kind
        raise InputError(f"expected a run with word rows to make smaller; a {found} has none")
    if keep is None:
        return
    if run.task.foretells:
        told = "a language model that foretells fewer words is another model; train it with a larger [text] min_count"
        raise InputError(f"--keep {keep}: {told}")
    if not 1 <= keep <= len(run.vocabulary.words):
        raise InputError(f"--keep {keep}: expected from 1 to {len(run.vocabulary.words)}, the words that the run has")


def _cut(vocabulary: Vocabulary, keep: int | None) -> Vocabulary:
    return Vocabulary(words=vocabulary.words[:keep], oov_rows=len(vocabulary.oov_rows))


def _save_tables(run: Run, files: RunFiles, *, rows: int, int8: bool) -> None:
    """The word rows, wherever they are kept, and all other weights beside them."""
    vectors = {name: values[:rows] for name, values in read_table(run.files).items()}
    durable.write(files.vectors, _packed(vectors, {"table"} if int8 else set()))
    weights = {name: _array(values) for name, values in read_weights(run.files.weights).items()}
    if TABLE in weights:
        weights[TABLE] = weights[TABLE][:rows]
    by_word = {TABLE, *LanguageModel.by_class} if run.task.foretells else {TABLE}
    durable.write(files.weights, _packed(weights, by_word if int8 else set()))


def _array(values: Tensor) -> np.ndarray:
    array: np.ndarray = values.numpy()
    return array


def _packed(tensors: Mapping[str, np.ndarray], by_word: set[str]) -> bytes:
    """A safetensors file: the tables `by_word` in eight bits and other matrices in 16, or all as it is without any."""
    kept: dict[str, np.ndarray] = {}
    for name, values in tensors.items():
        if not by_word or values.ndim < 2:
            kept[name] = values
        else:
            kept |= in_eight_bits(name, values) if name in by_word else {name: _in_16_bits(name, values)}
    packed: bytes = save({name: np.ascontiguousarray(values) for name, values in kept.items()})
    return packed


def _in_16_bits(name: str, values: np.ndarray) -> np.ndarray:
    if (np.abs(values) > np.finfo(np.float16).max).any():
        raise InputError(f"the weight '{name}' holds numbers that are too large for float16; without --int8 it is kept")
    return values.astype(np.float16)


def _cost(run: Run, small: Run, corpora: Path) -> Cost | str:
    """Both scored on the run's dev split, or why they could not be."""
    try:
        dev = run.recipe.parts["corpus"].build().splits[1]
        before, after = (evaluate_split(one, dev, corpora=corpora) for one in (run, small))
    except InputError as error:
        return str(error)
    of_labels = {f"{figure}_{label}" for figure in ("precision", "recall") for label in run.task.labels}
    overall = {name: value for name, value in before.report.metrics.items() if name not in of_labels}
    figures = {name: (value, after.report.metrics[name]) for name, value in overall.items()}
    return Cost(dev, len(before.examples), figures)


def _plain(cost: Cost | str) -> Any:
    if isinstance(cost, str):
        return None
    return {"split": cost.split, "n": cost.n, "before_after": {name: list(both) for name, both in cost.figures.items()}}


def _sentence(cost: Cost | str) -> str:
    if isinstance(cost, str):
        return "What that costs was not measured."
    figures = ", ".join(f"{name} {before:.4f} → {after:.4f}" for name, (before, after) in cost.figures.items())
    return f"What that costs, on the {cost.split} split ({cost.n:,} examples): {figures}."


def _size(files: RunFiles) -> int:
    return sum(path.stat().st_size for path in files.shared if path.is_file())
