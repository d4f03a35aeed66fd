"""What every reader and every model keeps. A new one is held to it by being in its table."""

from __future__ import annotations

import inspect
from collections.abc import Collection
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from readhead.data.batch import Batch, Text
from readhead.layers.embedding import Embedding
from readhead.models import MODELS
from readhead.models.output import Output
from readhead.readers import READERS
from readhead.readers.reading import Reading

VOCABULARY, EMBEDDED, CLASSES = 30, 5, 3
SMALL = {"hidden_dim": 12, "dropout": 0.0, "init_std": None, "init_range": None}
"""What a constructor is given of the options that it has."""
LAYERS = 2
"""Of a reader that can have several."""

LOOKS_BEFORE_THE_TEXT = {"lstmn", "mlstm", "lstmn-shallow-fusion", "lstmn-deep-fusion"}
"""Readers, and models with a reader of their own, that attend to slots before the text too: a row may sum to less."""

ATTENDS_AT_THE_END = {
    ("lstm-attention", "hypothesis->premise"),
    ("bilinear-attention", "hypothesis->premise"),
    ("mma-nse-attention", "hypothesis->premise (outputs)"),
}
"""Models, and which of their attention, in which only a text's last token attends."""

NEVER_LEARNS = {"attention.score.bias"}
"""What a softmax takes away again: it is there since the paper counts it."""

FIELDS = {1: ("text",), 2: ("premise", "hypothesis")}
"""The names of a batch's texts, by how many a model reads."""

NO_PAIR = {"language-model", "kneser-ney"}
"""Models that are asked something else than a label of a text or a pair: the laws of models are not for them."""


def constructor(target: str) -> Any:
    """The class of "module:Class"."""
    module, name = target.split(":")
    return getattr(import_module(module), name)


def options(target: str) -> Collection[str]:
    """The keywords that it takes."""
    return inspect.signature(constructor(target)).parameters.keys()


def make(target: str, **given: Any) -> Any:
    """A small one."""
    small = {option: value for option, value in SMALL.items() if option in options(target)}
    return constructor(target)(**small | given)


def make_reader(name: str, **given: Any) -> nn.Module:
    several = {"num_layers": LAYERS} if "num_layers" in options(READERS[name]) else {}
    reader: nn.Module = make(READERS[name], input_dim=EMBEDDED, **several | given)
    return reader


def make_model(name: str, reader: str | None, *, seed: int = 0) -> nn.Module:
    """reader: None for a model that has its own."""
    torch.manual_seed(seed)
    embedding = Embedding(table=torch.randn(VOCABULARY, 4), trainable=True, projection_dim=EMBEDDED)
    parts = {} if reader is None else {"reader": make_reader(reader)}
    model: nn.Module = make(MODELS[name], embedding=embedding, num_classes=CLASSES, **parts)
    return model


def arrangements() -> list[tuple[str, str | None]]:
    """Every reader in one model, and every model with two readers: not all products, which grow too many."""
    every_reader = [("sentence-pair", reader) for reader in READERS]
    every_model = [
        (model, reader)
        for model in MODELS
        if model not in NO_PAIR
        for reader in (("words", "lstm") if "reader" in options(MODELS[model]) else (None,))
    ]
    return list(dict.fromkeys([*every_reader, *every_model]))


def emptied_arrangements() -> list[tuple[str, str | None, tuple[str, ...]]]:
    """Each with the fields whose texts are empty: one of them, or all."""
    emptied = []
    for model, reader in arrangements():
        fields = FIELDS[constructor(MODELS[model]).num_texts]
        emptied += [(model, reader, some) for some in dict.fromkeys([*((field,) for field in fields), fields])]
    return emptied


def make_batch(B: int, *, of: str | None = None, seed: int = 0, shortest: int = 1, longest: int = 7) -> Batch:
    """Random texts, as many as the model called `of` reads; None for two."""
    random = np.random.default_rng(seed)

    def text() -> Text:
        lengths = random.integers(shortest, longest + 1, size=B)
        return Text.pad([random.integers(1, VOCABULARY, size=length) for length in lengths])

    num_texts = 2 if of is None else constructor(MODELS[of]).num_texts
    texts = {field: text() for field in FIELDS[num_texts]}
    return Batch(texts, torch.from_numpy(random.integers(0, CLASSES, size=B)))


def loss(model: nn.Module, batch: Batch) -> Tensor:
    return nn.functional.cross_entropy(model(batch).logits, batch.labels)


def assert_every_parameter_learns(model: nn.Module, batch: Batch) -> None:
    loss(model, batch).backward()
    for name, parameter in model.named_parameters():
        if name in NEVER_LEARNS:
            continue
        assert parameter.grad is not None, f"{name} has no gradient"
        assert parameter.grad.isfinite().all(), f"{name} has a gradient that is not finite"
        assert parameter.grad.any(), f"{name} has only zeros for a gradient"


def single(text: Text, b: int, *, padding: int = 0) -> Text:
    """Row b alone, at its own length and so many columns more, in which the ids are not even zero."""
    length = max(1, int(text.mask[b].sum()))
    token_ids = torch.nn.functional.pad(text.token_ids[b : b + 1, :length], (0, padding), value=1)
    return Text(token_ids, torch.nn.functional.pad(text.mask[b : b + 1, :length], (0, padding)))


def assert_padding_and_batch_mates_change_nothing(model: nn.Module, batch: Batch) -> None:
    model.eval()
    together: Output = model(batch)
    for b in range(len(batch)):
        for padding in (0, 3):
            alone = Batch({field: single(text, b, padding=padding) for field, text in batch.texts.items()})
            torch.testing.assert_close(model(alone).logits[0], together.logits[b], rtol=0, atol=1e-6)


def assert_attention_is_a_distribution(
    weights: Tensor, rows: Tensor, columns: Tensor, *, of: str, at_the_end: bool = False
) -> None:
    """weights: [B, T, S]; rows [B, T] and columns [B, S]: True = a real token; every text has one.

    of: the reader's name, or that of a model with its own. at_the_end: only a text's last token attends.
    """
    if at_the_end:
        rows = rows & ~nn.functional.pad(rows[:, 1:], (0, 1))
    if of in LOOKS_BEFORE_THE_TEXT:
        assert (weights.sum(dim=-1) <= rows + 1e-6).all()
    else:
        torch.testing.assert_close(weights.sum(dim=-1), rows.to(weights.dtype), rtol=0, atol=1e-6)
    assert (weights >= 0).all()
    assert not weights.masked_fill(columns.unsqueeze(1), 0).any()
    assert not weights.masked_fill(rows.unsqueeze(2), 0).any()


def assert_reading_is_whole(reading: Reading, output_dim: int, *, of: str) -> None:
    """Of the width it says, zero where padded, and with attention over its own tokens."""
    assert reading.outputs.shape == (*reading.mask.shape, output_dim)
    assert not reading.outputs[~reading.mask].any()
    for weights in reading.attention.values():
        assert_attention_is_a_distribution(weights, reading.mask, reading.mask, of=of)


def assert_opens_as_saved(model: nn.Module, stranger: nn.Module, batch: Batch, file: Path) -> None:
    """stranger: another one of the same make, with other weights."""
    assert not torch.equal(model.eval()(batch).logits, stranger.eval()(batch).logits)
    save_file(model.state_dict(), file)
    stranger.load_state_dict(load_file(file))
    assert torch.equal(model(batch).logits, stranger(batch).logits)


def sees_the_future(reader: nn.Module, embedded: Tensor, mask: Tensor) -> bool:
    """Whether an earlier output changes with the last token. embedded: [B, T, E], without padding."""
    changed = embedded.clone()
    changed[:, -1] += 1
    before, after = reader(embedded, mask).outputs, reader(changed, mask).outputs
    return not torch.equal(before[:, :-1], after[:, :-1])


def assert_overfits(model: nn.Module, batch: Batch, *, steps: int = 200) -> None:
    """A few examples can be learned by heart."""
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for _ in range(steps):
        optimizer.zero_grad()
        surprise = loss(model, batch)
        if surprise < 0.1:
            return
        surprise.backward()
        optimizer.step()
    raise AssertionError(f"the loss is still {surprise:.3f} nats after {steps} steps")
