"""kenlm, the field's own scorer, answers what we do: of a file that we wrote, for each token."""

from __future__ import annotations

import kenlm
import numpy as np
import pytest

from readhead.ngrams import NGramModel, estimate, write_arpa
from tests.ngrams.texts import END, SILENT, START, UNKNOWN, WORDS, V, flat, texts

MODEL = estimate(*flat(texts(400)), vocabulary_size=V, silent=SILENT, order=5)


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> kenlm.Model:
    path = tmp_path_factory.mktemp("kenlm") / "model.arpa"
    write_arpa(path, MODEL, WORDS)
    return kenlm.Model(str(path))


def nats(oracle: kenlm.Model, words: list[str], **marks: bool) -> list[float]:
    """kenlm's log-probability of each word; by default the start mark stands before them, the end mark behind."""
    return [score * np.log(10) for score, _, _ in oracle.full_scores(" ".join(words), **marks)]


def ours(model: NGramModel, text: list[int]) -> list[float]:
    scores: list[float] = model.log_probabilities(*flat([text])).tolist()
    return scores


def test_order(oracle: kenlm.Model) -> None:
    assert oracle.order == MODEL.order


@pytest.mark.parametrize("text", [*texts(40), *texts(40, seed=1), [START, END]], ids=lambda text: f"{len(text)} ids")
def test_learnt_and_new_texts(oracle: kenlm.Model, text: list[int]) -> None:
    words = [WORDS[number] for number in text[1:-1]]
    assert ours(MODEL, text) == pytest.approx(nats(oracle, words), abs=1e-4)


def test_unknown_words(oracle: kenlm.Model) -> None:
    learnt = texts(400)[5]
    text = [START, UNKNOWN, *learnt[1:4], UNKNOWN, UNKNOWN, V - 1, *learnt[1:3], UNKNOWN, END]
    words = ["no-such-word" if number == UNKNOWN else WORDS[number] for number in text[1:-1]]
    assert ours(MODEL, text) == pytest.approx(nats(oracle, words), abs=1e-4)


def test_from_the_middle_of_a_text(oracle: kenlm.Model) -> None:
    text = max(texts(400), key=len)[2:-1]
    expected = nats(oracle, [WORDS[number] for number in text], bos=False, eos=False)
    assert ours(MODEL, text) == pytest.approx(expected[1:], abs=1e-4)
