"""What stands in while a model is traced: the same numbers, in a form that can be exported.

A Python loop over tokens freezes at the length of the example, and says nothing. So each op, and each layer or function
with such a loop, has a stand-in with a loop that lasts. A new op is exported as soon as it has one here; a new reader
or model, that is made of what there is, by itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any
from unittest.mock import patch

from readhead.ops import OPS
from readhead.ops.backends import Implementation

OF_OPS: Mapping[str, str] = {
    "attend": "readhead.ops.attend.reference:attend",
    "lstmn": "readhead.export.stand_ins.lstmn:lstmn",
    "fusion": "readhead.export.stand_ins.fusion:fusion",
    "nse": "readhead.export.stand_ins.nse:nse",
}
"""By the op's name. It stands in for every backend: which of them a recipe names does not matter."""

OF_METHODS: Mapping[str, str] = {
    "readhead.layers.depth_gated_lstm:BottomLSTM.forward": "readhead.export.stand_ins.depth_gated:bottom",
    "readhead.layers.depth_gated_lstm:DepthGatedLSTM.forward": "readhead.export.stand_ins.depth_gated:above",
    "readhead.layers.distance_bias:DistanceBias.forward": "readhead.export.stand_ins.distance_bias:forward",
    "readhead.layers.match_lstm:MatchLSTMLayer.forward": "readhead.export.stand_ins.match_lstm:forward",
    "readhead.layers.word_by_word_attention:WordByWordAttention.forward": (
        "readhead.export.stand_ins.word_by_word:forward"
    ),
    "readhead.models.language_model:LanguageModel.forward": "readhead.export.stand_ins.language_model:forward",
    "readhead.readers.gated_feedback:GatedFeedbackReader.go_on": "readhead.export.stand_ins.gated_feedback:go_on",
}
"""By class and method."""

OF_FUNCTIONS: Mapping[str, str] = {
    "readhead.readers.packed:read_packed": "readhead.export.stand_ins.recurrent_network:read_packed",
    "readhead.readers.packed:run": "readhead.export.stand_ins.recurrent_network:run",
}
"""By function, wherever it was imported to."""


@contextmanager
def stand_ins() -> Iterator[None]:
    """Within it, every stand-in stands."""
    with ExitStack() as standing:
        for op, target in OF_OPS.items():
            implementations = import_module(OPS[op]).IMPLEMENTATIONS
            every = dict.fromkeys(implementations, Implementation(_found(target)))
            standing.enter_context(patch.dict(implementations, every))
        for method, target in OF_METHODS.items():
            owner, _, name = method.rpartition(".")
            standing.enter_context(patch.object(_found(owner), name, _found(target)))
        for function, target in OF_FUNCTIONS.items():
            for module, name in _places(_found(function)):
                standing.enter_context(patch.object(module, name, _found(target)))
        yield


def _found(target: str) -> Any:
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def _places(function: Callable[..., Any]) -> list[tuple[Any, str]]:
    """Every module of ours, and the name by which it knows a function; not those that stand in for it."""
    return [
        (module, name)
        for path, module in list(sys.modules.items())
        if path.startswith("readhead.") and not path.startswith(__name__)
        for name, value in list(vars(module).items())
        if value is function
    ]
