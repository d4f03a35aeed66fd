"""The most surprising texts and words of a language model, and the page that shows them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from readhead import recipe
from readhead.data.example import Example
from readhead.prediction.bootstrap import intervals
from readhead.prediction.error_page import Findings, error_page
from readhead.prediction.evaluation import Evaluation, evaluate
from readhead.prediction.slices import slices
from readhead.prediction.surprises import END, costly_words, surprising_texts, surprising_words
from readhead.run import Run
from readhead.tasks.language_modelling import LanguageModelReport
from readhead.training.request import Request
from readhead.training.start import train

SEEN = "The lamp stands on the table.\nThe lamp is green.\nA dog sleeps on the rug.\nThe rug is green.\n" * 5


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """N-grams of a few sentences."""
    folder = tmp_path_factory.mktemp("counted")
    for name in ("seen.txt", "dev.txt"):
        (folder / name).write_text(SEEN)
    changes = [f"corpus.train={folder / 'seen.txt'}", f"corpus.dev={folder / 'dev.txt'}"]
    chosen = recipe.read("language-model/kn5", changes)
    train(Request(recipe=chosen, out=folder / "run", corpora=folder, device="cpu", quiet=True))
    return Run.open(folder / "run")


@pytest.fixture(scope="module")
def measured(counted: Run) -> Evaluation:
    texts = ("The lamp is green.", "Zebras <b>sleep</b> on lamp the.", "A dog sleeps on the rug.")
    examples = [Example({"text": text}, None, f"new.txt:{line}") for line, text in enumerate(texts, 1)]
    return evaluate(counted, examples, data="new.txt")


def test_the_strangest_text_comes_first(counted: Run, measured: Evaluation) -> None:
    texts = surprising_texts(counted, measured, 2)
    assert len(texts) == 2 and texts[0].place == 1 and texts[0].bits > texts[1].bits
    words, bits, unknown = zip(*texts[0].words, strict=True)
    assert words[0] == "zebras" and words[-1] == END
    assert unknown[0] and not unknown[-1]
    assert texts[0].bits == pytest.approx(np.mean(bits))
    assert texts[0].perplexity == pytest.approx(2 ** np.mean(bits))
    report = measured.report
    assert isinstance(report, LanguageModelReport)
    assert sum(bits) * math.log(2) == pytest.approx(report.nats[1].sum())


def test_words_are_told_where_they_stand_and_in_all(counted: Run, measured: Evaluation) -> None:
    report = measured.report
    assert isinstance(report, LanguageModelReport)
    first, *_ = told = surprising_words(counted, measured)
    assert first.bits == pytest.approx(max(nats[:-1].max() for nats in report.nats) / math.log(2))
    assert first.origin == "new.txt:2" and END not in {one.word for one in told}
    after = {(one.word, one.before) for one in told}
    assert ("lamp", "the") in after and ("zebras", "") in after
    costly = costly_words(counted, measured)
    assert sum(one.count for one in costly) == sum(map(len, report.nats))
    assert sum(one.bits for one in costly) * math.log(2) == pytest.approx(sum(nats.sum() for nats in report.nats))
    assert {one.word: one.count for one in costly}[END] == 3


def test_they_stand_on_a_page(counted: Run, measured: Evaluation) -> None:
    bounds = intervals(measured.report.figures)
    page = error_page(Findings(counted, measured, bounds, slices(measured, counted.task)))
    for shown in (
        "Most surprising texts",
        "All 3 texts",
        "Most surprising words",
        "perplexity",
        'class="shaded-word unknown ',
    ):
        assert shown in page, shown
    assert "<b>" not in page
