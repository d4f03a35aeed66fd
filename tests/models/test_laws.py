"""The laws, over the tables."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from readhead.data.batch import Batch, Text
from readhead.readers import READERS
from tests import laws

# A reader stands in this list or looks ahead: which of the two, the test asks for.
CAUSAL = {"words", "rnn", "lstm", "glstm", "dlstm", "lstmn"}

every_reader = pytest.mark.parametrize("reader", READERS)
every_arrangement = pytest.mark.parametrize(("model", "reader"), laws.arrangements())


@every_reader
def test_reading_is_whole(reader: str) -> None:
    network, text = laws.make_reader(reader), laws.make_batch(5).texts["premise"]
    embedded = torch.randn(*text.mask.shape, laws.EMBEDDED)  # not zero where padded
    laws.assert_reading_is_whole(network(embedded, text.mask), network.output_dim, of=reader)


@every_reader
def test_only_a_causal_reader_does_not_see_the_future(reader: str) -> None:
    embedded, mask = torch.randn(3, 5, laws.EMBEDDED), torch.ones(3, 5, dtype=torch.bool)
    assert laws.sees_the_future(laws.make_reader(reader), embedded, mask) == (reader not in CAUSAL)


@every_arrangement
def test_every_parameter_learns(model: str, reader: str | None) -> None:
    laws.assert_every_parameter_learns(laws.make_model(model, reader), laws.make_batch(16, of=model))


@every_arrangement
def test_padding_and_batch_mates_change_nothing(model: str, reader: str | None) -> None:
    laws.assert_padding_and_batch_mates_change_nothing(laws.make_model(model, reader), laws.make_batch(6, of=model))


@every_arrangement
def test_attention_is_a_distribution(model: str, reader: str | None) -> None:
    batch = laws.make_batch(6, of=model)
    for name, weights in laws.make_model(model, reader)(batch).attention.items():
        rows, columns = (batch.texts[field].mask for field in name.partition(" (")[0].split("->"))
        at_the_end = (model, name) in laws.ATTENDS_AT_THE_END
        laws.assert_attention_is_a_distribution(weights, rows, columns, of=reader or model, at_the_end=at_the_end)


@every_arrangement
def test_texts_are_told_apart_by_their_places_and_named_as_the_batch_names_them(model: str, reader: str | None) -> None:
    batch = laws.make_batch(3, of=model)
    if len(batch.texts) == 1:
        pytest.skip("a single text has one name")
    renamed = Batch(dict(zip(("candidate", "question"), batch.texts.values(), strict=True)), batch.labels)
    network = laws.make_model(model, reader).eval()
    given, other = network(batch), network(renamed)
    assert torch.equal(given.logits, other.logits)
    names = [name.replace("premise", "candidate").replace("hypothesis", "question") for name in given.attention]
    assert names == list(other.attention)


@every_arrangement
def test_same_seed_same_numbers(model: str, reader: str | None) -> None:
    batch = laws.make_batch(4, of=model)
    first, second, other = (laws.make_model(model, reader, seed=seed)(batch).logits for seed in (3, 3, 4))
    assert torch.equal(first, second)
    assert not torch.equal(first, other)


@every_arrangement
def test_opens_as_saved(model: str, reader: str | None, tmp_path: Path) -> None:
    ours, stranger = (laws.make_model(model, reader, seed=seed) for seed in (0, 1))
    laws.assert_opens_as_saved(ours, stranger, laws.make_batch(4, of=model), tmp_path / "weights.safetensors")


@every_arrangement
def test_eight_examples_can_be_learned_by_heart(model: str, reader: str | None) -> None:
    laws.assert_overfits(laws.make_model(model, reader), laws.make_batch(8, of=model, shortest=2))


@pytest.mark.parametrize(("model", "reader", "fields"), laws.emptied_arrangements())
def test_an_empty_text_is_answered(model: str, reader: str | None, fields: tuple[str, ...]) -> None:
    batch = laws.make_batch(3, of=model)
    empty = Text(torch.zeros(3, 1, dtype=torch.int64), torch.zeros(3, 1, dtype=torch.bool))
    batch = Batch({**batch.texts, **dict.fromkeys(fields, empty)}, batch.labels)
    network = laws.make_model(model, reader)
    output = network(batch)
    assert output.logits.isfinite().all()
    for weights in output.attention.values():
        assert weights.isfinite().all()
    laws.loss(network, batch).backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in network.parameters())
