"""Which texts and words surprised a language model most."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from readhead.data.encoder import TextEncoder
from readhead.prediction.evaluation import Evaluation
from readhead.run import Run
from readhead.tasks.language_modelling import LanguageModelReport

WORDS = 40  # that are listed
BEFORE = 6  # words that are shown in front of one
END = "(end)"  # what the end of a text is called


@dataclass(frozen=True, slots=True)
class SurprisingText:
    """A text.

    place: in the split.
    bits: a word, on average.
    words: each with its bits, and whether the vocabulary lacks it.
    """

    place: int
    bits: float
    words: list[tuple[str, float, bool]]

    @property
    def perplexity(self) -> float:
        """2 to the power of its bits a word."""
        return 2**self.bits if self.bits < 1000 else math.inf


@dataclass(frozen=True, slots=True)
class SurprisingWord:
    """A word where it stands: its bits, the words before it, where the text came from."""

    word: str
    bits: float
    before: str
    origin: str


@dataclass(frozen=True, slots=True)
class CostlyWord:
    """A word wherever it stands: how often, and its bits together."""

    word: str
    count: int
    bits: float


def surprising_texts(run: Run, measured: Evaluation, most: int) -> list[SurprisingText]:
    """The texts with the most bits a word, these first."""
    each = np.array([nats.mean() for nats in _nats(measured)]) / math.log(2)
    chosen = each.argsort(kind="stable")[::-1][:most].tolist()
    return [SurprisingText(place, float(each[place]), _words(run, measured, place)) for place in chosen]


def surprising_words(run: Run, measured: Evaluation) -> list[SurprisingWord]:
    """The words that were least expected where they stand, these first; ends of texts are not among them."""
    nats = _nats(measured)
    bits = np.concatenate([of_text[:-1] for of_text in nats]) / math.log(2)
    ends = np.cumsum([len(of_text) - 1 for of_text in nats])
    told = []
    for place in bits.argsort(kind="stable")[::-1][:WORDS].tolist():
        text = int(np.searchsorted(ends, place, side="right"))
        within = place - int(ends[text]) + len(nats[text]) - 1
        words = [word for word, _, _ in _words(run, measured, text)]
        before = " ".join(words[max(0, within - BEFORE) : within])
        told.append(SurprisingWord(words[within], float(bits[place]), before, measured.examples[text].origin))
    return told


def costly_words(run: Run, measured: Evaluation) -> list[CostlyWord]:
    """The words of the vocabulary that cost most in all, these first; all that it lacks count as one."""
    encoder, sums = _encoder(run), np.zeros((len(run.vocabulary), 2))
    for example, nats in zip(measured.examples, _nats(measured), strict=True):
        (text,) = example.texts.values()
        rows = encoder(text).ids[1:]
        np.add.at(sums, rows, np.stack([np.ones(len(rows)), nats / math.log(2)], axis=1))
    end = run.vocabulary.marker_row("end")
    most = sums[:, 1].argsort(kind="stable")[::-1][:WORDS].tolist()
    return [
        CostlyWord(END if row == end else run.vocabulary.entry(row), int(sums[row, 0]), float(sums[row, 1]))
        for row in most
        if sums[row, 0]
    ]


def _nats(measured: Evaluation) -> list[np.ndarray]:
    assert isinstance(measured.report, LanguageModelReport)
    return measured.report.nats


def _encoder(run: Run) -> TextEncoder:
    plan = run.recipe.text
    return TextEncoder(
        tokenizer=run.tokenizer,
        vocabulary=run.vocabulary,
        max_tokens=plan.max_tokens,
        first=plan.first,
        last=plan.last,
    )


def _words(run: Run, measured: Evaluation, place: int) -> list[tuple[str, float, bool]]:
    (text,) = measured.examples[place].texts.values()
    read = _encoder(run)(text)
    bits = (_nats(measured)[place] / math.log(2)).tolist()
    unknown = np.isin(read.ids[1:], run.vocabulary.oov_rows).tolist()
    words = [*read.tokens[1:-1], END]
    return list(zip(words, bits, unknown, strict=True))
