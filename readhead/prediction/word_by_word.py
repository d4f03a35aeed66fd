"""Reading a text token by token, and saying after each one what the reader thinks so far."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from readhead.data.batch import Batch, Text
from readhead.data.encoder import EncodedText
from readhead.errors import InputError
from readhead.layers.next_words import classes_of
from readhead.models.classifier import Classifier
from readhead.models.foretelling import Foretells
from readhead.models.output import Output
from readhead.prediction.predictor import Predictor
from readhead.readers.causal import CausalReader


def reads_on(predictor: Predictor) -> bool:
    """Whether a run can be read with word by word: a language model, or a classifier whose reader never looks ahead."""
    model = predictor.run.model
    return isinstance(model, Foretells) or (isinstance(model, Classifier) and isinstance(model.reader, CausalReader))


def check_reads_on(predictor: Predictor) -> None:
    """Raises: InputError if the run's reader looks ahead, or the run reads more than a text."""
    if not reads_on(predictor):
        unit = predictor.run.task.unit.removesuffix("s")
        raise InputError(f"this run cannot be read with word by word: its reader has to see a {unit} whole")


def word_by_word(predictor: Predictor, text: str) -> Iterator[dict[str, Any]]:
    """One record a token, each made when it is asked for; the last one says what `Predictor.answers` says.

    Each has the `token` and its `offsets` in the text, None for a marker. A language model adds the token's `surprisal`
    in bits, the `perplexity` so far, and `unknown` where it is out of its vocabulary; a classifier its `label` and
    `scores` so far. The markers in front of a text are read and not told of.

    Raises: InputError if the run's reader looks ahead, or the run reads more than a text.
    """
    check_reads_on(predictor)
    encoded = predictor.encoder(text)
    return _foretold(predictor, encoded) if isinstance(predictor.run.model, Foretells) else _judged(predictor, encoded)


def _foretold(predictor: Predictor, encoded: EncodedText) -> Iterator[dict[str, Any]]:
    model, unknown, nats = predictor.run.model, predictor.run.vocabulary.oov_rows, 0.0
    assert isinstance(model, Foretells)
    ids = _on_device(encoded, predictor)
    state = model.begin(1)
    for place in range(1, len(ids)):
        with torch.inference_mode():
            logits, state = model.next_words(ids[place - 1 : place], state)  # [1, C]
            likely = torch.log_softmax(logits.double(), dim=-1)[0, classes_of(ids[place : place + 1])]  # [1]
        nats -= likely.item()
        told = {"surprisal": -likely.item() / math.log(2), "perplexity": math.exp(min(nats / place, 700.0))}
        yield _place(encoded, place) | told | ({"unknown": True} if int(encoded.ids[place]) in unknown else {})


def _judged(predictor: Predictor, encoded: EncodedText) -> Iterator[dict[str, Any]]:
    model = predictor.run.model
    assert isinstance(model, Classifier)
    assert isinstance(model.reader, CausalReader)
    ids = _on_device(encoded, predictor)
    state, outputs = model.reader.initial_state(1), []
    for place in range(len(ids)):
        with torch.inference_mode():
            one = torch.ones(1, 1, dtype=torch.bool, device=ids.device)
            embedded = model.embedding(ids[place].view(1, 1), one).squeeze(1)  # [1, E]
            output, state = model.reader.step(embedded, state)
            outputs.append(output)
            answer = _answer(predictor, torch.stack(outputs, dim=1), ids[: place + 1])
        if encoded.offsets[place] is not None or place == len(ids) - 1:
            yield {**_place(encoded, place), **answer}


def _answer(predictor: Predictor, outputs: Float[Tensor, "1 T D"], ids: Int[Tensor, " T"]) -> Mapping[str, Any]:
    """What a classifier answers to the tokens so far."""
    model, batch = predictor.run.model, Batch({"text": Text.pad([ids.cpu().numpy()])}).to(predictor.run.device)
    assert isinstance(model, Classifier)
    output = Output(model.judge(outputs, batch.texts["text"].mask))
    (answer,) = predictor.run.task.answers(output, batch, temperature=predictor.run.record.temperature)
    return answer


def _place(encoded: EncodedText, place: int) -> dict[str, Any]:
    return {"token": encoded.tokens[place], "offsets": encoded.offsets[place]}


def _on_device(encoded: EncodedText, predictor: Predictor) -> Tensor:
    return torch.from_numpy(encoded.ids.astype("int64")).to(predictor.run.device)
