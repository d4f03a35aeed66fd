"""The laws of an n-gram model, whatever it was estimated from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readhead.errors import InputError
from readhead.ngrams import NGramModel, estimate
from readhead.ngrams.model import Table
from tests.ngrams.texts import SILENT, START, V, flat, texts

LEARNT = texts(400)
MODEL = estimate(*flat(LEARNT), vocabulary_size=V, silent=SILENT, order=4)
CONTEXTS = st.lists(st.integers(0, V - 1), max_size=6) | st.builds(
    lambda text, length: text[:length], st.sampled_from(LEARNT), st.integers(1, 5)
)
"""Any ids at all, and beginnings of texts that were learnt."""


@given(CONTEXTS)
def test_probabilities_sum_to_one_in_every_context(context: list[int]) -> None:
    distribution = MODEL.distribution(np.array(context, dtype=np.int64))
    assert distribution.sum() == pytest.approx(1, abs=1e-6)
    assert not distribution[list(SILENT)].any()
    assert (np.delete(distribution, SILENT) > 0).all()


@given(CONTEXTS.filter(bool))
def test_distribution_is_that_of_the_log_probabilities(context: list[int]) -> None:
    every = flat([[*context, number] for number in range(V) if number not in SILENT])
    last = MODEL.log_probabilities(*every)[len(context) - 1 :: len(context)]
    distribution = np.delete(MODEL.distribution(np.array(context)), SILENT)
    np.testing.assert_allclose(np.exp(last), distribution, rtol=1e-9)


def test_perplexity_of_a_uniform_model_is_v() -> None:
    uniform = Table(np.arange(V), np.full(V, -np.log10(V), dtype=np.float32), np.zeros(V, dtype=np.float32))
    log_probabilities = NGramModel(tables=[uniform]).log_probabilities(*flat(texts(20)))
    assert np.exp(-log_probabilities.mean()) == pytest.approx(V, rel=1e-6)


def test_each_text_is_read_by_itself() -> None:
    several = [*texts(5, seed=2), [], [START], *texts(5, seed=3)]
    alone = [MODEL.log_probabilities(*flat([text])) for text in several]
    np.testing.assert_array_equal(MODEL.log_probabilities(*flat(several)), np.concatenate(alone))
    assert [len(part) for part in alone] == [max(len(text) - 1, 0) for text in several]


def test_reading_on_from_the_last_words_is_reading_whole() -> None:
    text = max(texts(50, seed=4), key=len)
    step_by_step = [
        MODEL.log_probabilities(*flat([text[max(0, place - 3) : place + 1]]))[-1] for place in range(1, len(text))
    ]
    np.testing.assert_array_equal(MODEL.log_probabilities(*flat([text])), step_by_step)


def test_the_state_is_the_model() -> None:
    state = MODEL.state()
    opened = NGramModel.from_state(dict(reversed(state.items())))
    assert opened.order == 4 and opened.vocabulary_size == V
    np.testing.assert_array_equal(opened.log_probabilities(*flat(texts(9))), MODEL.log_probabilities(*flat(texts(9))))
    assert opened.state().keys() == state.keys()


Damage = Callable[[dict[str, np.ndarray]], object]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda state: state.clear(), "expected the arrays of an n-gram model, keys_1"),
        (lambda state: state.pop("backoff_2"), "found"),
        (lambda state: state.pop("keys_4"), "found"),
        (lambda state: state.update(weight=np.zeros(1)), "weight"),
        (lambda state: state.update(keys_2=state["keys_2"][:-1]), "the 2-grams are damaged: expected arrays of one"),
        (lambda state: state.update(keys_2=state["keys_2"][::-1].copy()), "the 2-grams .* rise"),
        (lambda state: state.update(keys_3=state["keys_3"] + 10**6), "the 3-grams .* rise"),
        (lambda state: state.update(keys_3=state["keys_3"].astype(np.int32)), "the 3-grams .* int64"),
        (lambda state: state.update(probability_1=state["probability_1"] + 9), "the 1-grams .* logarithms"),
        (lambda state: state.update(probability_1=state["probability_1"] * np.float32("nan")), "the 1-grams .* loga"),
        (lambda state: state.update(probability_2=state["probability_2"] * np.float32("inf")), "the 2-grams .* loga"),
        (lambda state: state.update(backoff_3=state["backoff_3"] * np.float32("nan")), "the 3-grams .* logarithms"),
    ],
)
def test_a_damaged_state(damage: Damage, message: str) -> None:
    state = MODEL.state()
    damage(state)
    with pytest.raises(InputError, match=message):
        NGramModel.from_state(state)


@pytest.mark.parametrize("outside", [-1, V])
def test_ids_outside_the_vocabulary(outside: int) -> None:
    with pytest.raises(ValueError, match=f"expected 0 to {V - 1}, found"):
        MODEL.log_probabilities(*flat([[START, outside]]))
    with pytest.raises(ValueError, match=f"expected 0 to {V - 1}, found"):
        MODEL.distribution(np.array([outside]))
