"""A model as one ONNX graph: token ids and masks of any number of texts of any length, to logits or nats."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from importlib import import_module
from typing import Any

import torch
from torch import Tensor, nn

from readhead.data.batch import Batch, Text
from readhead.errors import InputError
from readhead.export.stand_ins import stand_ins
from readhead.export.translations import TRANSLATIONS
from readhead.models.output import Output

OPSET = 18
"""The version of ONNX that is written."""


class PlainModel(nn.Module):
    """A model from tensors to a tensor, as the exporter asks: no dataclasses at the door.

    model: `Batch` to `Output`.
    fields: the names of its texts, in the order in which it reads them.
    """

    def __init__(self, *, model: nn.Module, fields: Sequence[str]) -> None:
        super().__init__()
        self.model, self.fields = model, tuple(fields)

    def forward(self, *tensors: Tensor) -> Tensor:
        """Of each text the token ids and the mask, both [B, T]. Returns the logits [B, C], or the nats [B, T - 1]."""
        pairs = zip(self.fields, tensors[::2], tensors[1::2], strict=True)
        output: Output = self.model(Batch({field: Text(ids, mask) for field, ids, mask in pairs}))
        answered = output.nats if output.logits is None else output.logits
        assert answered is not None, "a model answers with logits or with nats"
        return answered


def input_names(fields: Sequence[str]) -> list[str]:
    """Of the graph's inputs, two a text."""
    return [f"{field}_{what}" for field in fields for what in ("ids", "mask")]


def onnx_graph(model: nn.Module, example: Batch) -> Any:
    """A model as an `onnx.ModelProto`, its weights within. Its inputs are `{field}_ids` and `{field}_mask`.

    model: `Batch` to `Output`; it must not have been packed (`readhead.layers.packs`).
    example: several texts, none of two fields padded to one length: they would be taken for texts that always are.

    Raises:
        InputError: it can't be written down; told with what the exporter said.
    """
    fields = list(example.texts)
    tensors = tuple(tensor for text in example.texts.values() for tensor in (text.token_ids, text.mask))
    with torch.no_grad(), _silence():
        model.eval()(example)  # what a model finds out at its first text is found out before it is traced
        try:
            return _written_down(PlainModel(model=model, fields=fields), tensors, input_names(fields))
        except (RuntimeError, ValueError) as error:  # the exporter's own, and torch's
            told = " ".join(str(error.__cause__ or error).split())[:300]
            raise InputError(f"this model can't be written down in ONNX, so nothing was written: {told}") from error


def _written_down(model: nn.Module, example: tuple[Tensor, ...], names: Sequence[str]) -> Any:
    any_size = torch.export.Dim.DYNAMIC
    shapes = (tuple({0: any_size, 1: any_size} for _ in example),)
    with stand_ins():
        traced = torch.export.export(model, example, dynamic_shapes=shapes, strict=True)
        program = torch.onnx.export(
            traced,
            dynamo=True,
            opset_version=OPSET,
            custom_translation_table=_translations(),
            input_names=list(names),
            output_names=["answers"],
            verbose=False,
        )
    assert program is not None
    return program.model_proto


def _translations() -> dict[Any, Any]:
    def found(target: str) -> Any:
        module, _, name = target.partition(":")
        return getattr(import_module(module), name)

    return {reduce(getattr, name.split("."), torch.ops): found(target) for name, target in TRANSLATIONS.items()}


@contextmanager
def _silence() -> Iterator[None]:
    """What exporters tell of themselves is for those who write them."""
    loggers = [logging.getLogger(name) for name in ("torch.onnx", "onnxscript")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
