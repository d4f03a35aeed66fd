"""`readhead bench training` and `inference`: what is timed is a whole step, and its own products."""

from __future__ import annotations

from functools import partial

import pytest
import torch

from readhead.bench import inference, pairs, training
from readhead.bench.products import products_of
from readhead.bench.readers import NUM_CLASSES, TIMED_READERS, timed_model
from readhead.bench.timing import Schedule

CPU = torch.device("cpu")
ONCE = Schedule(inputs=1, rounds=1, reruns=0)


def batches(count: int, size: int = 32) -> list[pairs.Batch]:
    return pairs.batches(count, size=size, vocabulary=50, num_classes=NUM_CLASSES, device=CPU)


def test_pairs_are_as_long_as_those_of_snli_and_little_padded() -> None:
    made = batches(8)
    for field, (mean, _) in pairs.LENGTHS.items():
        lengths = torch.cat([batch.texts[field].mask.sum(dim=1) for batch in made])
        assert lengths.float().mean() == pytest.approx(mean, abs=1)
        assert lengths.min() >= 3
    assert pairs.padding(made) < 0.1


def test_pairs_are_the_same_each_time_and_differ_by_batch() -> None:
    one, two = batches(2), batches(2)
    assert [len(batch) for batch in one] == [32, 32]
    for a, b in zip(one, two, strict=True):
        assert a.texts["premise"].token_ids.equal(b.texts["premise"].token_ids)
        assert a.labels is not None and b.labels is not None and a.labels.equal(b.labels)
    assert not one[0].texts["premise"].token_ids.equal(one[1].texts["premise"].token_ids)


def test_padding_by_hand() -> None:
    made = batches(1, size=2)
    masks = [text.mask for text in made[0].texts.values()]
    cells, real = sum(mask.numel() for mask in masks), sum(int(mask.sum()) for mask in masks)
    assert pairs.padding(made) == 1 - real / cells


@pytest.mark.parametrize(
    ("name", "reader", "size"),
    [("decomposable", "words", 381_803), ("decomposable", "intra-attention", 582_203)],
)
def test_readers_have_the_papers_size(name: str, reader: str, size: int) -> None:
    model = timed_model(name, reader, CPU)
    bias = 22 if reader == "intra-attention" else 0  # distance buckets, which the paper does not count
    assert sum(p.numel() for p in model.parameters() if p.requires_grad) == size + bias


def test_a_step_trains_every_parameter_and_evaluation_none() -> None:
    model, made = timed_model("decomposable", "intra-attention", CPU), batches(1)
    training.evaluation(model, made)(0)
    assert all(p.grad is None for p in model.parameters())
    before = model.predict.weight.detach().clone()
    training.training_step(model, made)(0)
    assert all(p.grad is not None and p.grad.any() for p in model.parameters())
    assert not model.predict.weight.equal(before)


def test_a_step_has_dropout_and_evaluation_has_not(monkeypatch: pytest.MonkeyPatch) -> None:
    model, made = timed_model("decomposable", "words", CPU), batches(1)
    modes: list[bool] = []
    model.register_forward_pre_hook(lambda module, _: modes.append(module.training))
    training.training_step(model, made)(0)
    training.evaluation(model, made)(0)
    assert modes == [True, False]


def test_products_of_decomposable_attention_by_hand() -> None:
    model, made = timed_model("decomposable", "words", CPU), batches(1)
    B, T = made[0].texts["premise"].mask.shape
    S = made[0].texts["hypothesis"].mask.shape[1]
    words = B * (T + S)
    projection = 300 * 200 * words
    attend_network, compare_network = 2 * 200 * 200 * words, (400 * 200 + 200 * 200) * words
    aggregate = B * (400 * 200 + 200 * 200 + 200 * 3)
    scores = blends = B * T * S * 200
    forward = projection + attend_network + scores + 2 * blends + compare_network + aggregate
    # The way back has two products for each; the projection one, since its input, the table, is frozen.
    expected = 2 * (3 * forward - projection)
    found = products_of(partial(training.training_step(model, made), 0))
    assert sum(product.flop for product in found) == expected


def test_training_rows() -> None:
    found = list(training.rows(CPU, ONCE))
    assert [(row["model"], row["reader"]) for row in found] == list(TIMED_READERS)
    for row in found:
        assert row["batch"] == 32
        assert 0 < row["products_ms"]["min"] <= row["products_ms"]["median"]
        assert row["ratio_to_products"] == pytest.approx(row["step_ms"]["median"] / row["products_ms"]["median"])
        assert row["evaluation_to_training"] == pytest.approx(
            row["pairs_per_second_evaluation"] / row["pairs_per_second_training"]
        )
        assert row["gflop"] > 0.5
        assert {"threads", "load_before", "load_after", "disturbed", "padding"} <= row.keys()


def test_inference_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert inference.BATCHES == (1, 32, 256)
    monkeypatch.setattr(inference, "BATCHES", (1, 5))
    found = list(inference.rows(CPU, ONCE))
    assert [row["batch"] for row in found] == [1, 5] * len(TIMED_READERS)
    for row in found:
        assert row["pairs_per_second"] == pytest.approx(1e3 * row["batch"] / row["median_ms"])
