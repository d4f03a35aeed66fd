"""An ONNX graph that takes the place of the model it was made from."""

from __future__ import annotations

from typing import Any

import onnxruntime  # type: ignore[import-untyped]
import torch
from torch import nn

from readhead.data.batch import Batch
from readhead.errors import InputError
from readhead.models.output import Output

QUIET = 3  # of onnxruntime's levels: errors alone


class OnnxModel(nn.Module):
    """`Batch` to `Output` through onnxruntime, so that tasks, predictor and evaluation take it as any model.

    graph: an `onnx.ModelProto`, as `readhead.export.graph` writes one.
    foretells: whether it answers with the nats of each token, and not with logits.

    Raises:
        InputError: onnxruntime does not take it.
    """

    def __init__(self, *, graph: Any, foretells: bool) -> None:
        super().__init__()
        self.foretells = foretells
        options = onnxruntime.SessionOptions()
        options.log_severity_level = QUIET
        try:
            self.session = onnxruntime.InferenceSession(graph.SerializeToString(), options)
        except (RuntimeError, ValueError) as error:
            raise InputError(f"onnxruntime does not take what was exported: {error}") from error

    def forward(self, batch: Batch) -> Output:
        """batch: texts that each stand alone. Returns the logits, or the nats; no attention."""
        given: dict[str, Any] = {}
        for field, text in batch.texts.items():
            given |= {f"{field}_ids": text.token_ids.numpy(), f"{field}_mask": text.mask.numpy()}
        (answers,) = self.session.run(None, given)
        answered = torch.from_numpy(answers)
        if not self.foretells:
            return Output(answered)
        (text,) = batch.texts.values()
        return Output(None, nats=answered[text.mask[:, 1:]])
