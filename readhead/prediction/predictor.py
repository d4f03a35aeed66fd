"""A run, answering."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from readhead.data.batch import Batch, Text
from readhead.data.encoder import EncodedText, TextEncoder
from readhead.data.example import Words
from readhead.explain.record import Answer, Explanation, TextRead
from readhead.models.output import Output
from readhead.prediction.records import Asked, error_record
from readhead.run import Run
from readhead.tasks.scoring import TOKENS, bounded_batches

Texts = Mapping[str, str | Words]


class Predictor:
    """Answers texts with an opened run.

    run: as `Run.open` gives it.
    batch_size: records read at once, at most; fewer where they are long.
    """

    def __init__(self, *, run: Run, batch_size: int = 64) -> None:
        self.run, self.batch_size = run, batch_size
        plan = run.recipe.text
        self.encoder = TextEncoder(
            tokenizer=run.tokenizer,
            vocabulary=run.vocabulary,
            max_tokens=plan.max_tokens,
            first=plan.first,
            last=plan.last,
        )

    def answers(self, texts: Sequence[Texts]) -> list[dict[str, Any]]:
        """One answer for each record of texts, in their order.

        texts: by field name, as the task's fields ask.
        Returns `label` and `scores` (or what else the task answers), and `truncated`, the fields that were cut, if any.
        """
        encoded = [self._encode(record) for record in texts]
        answered: list[dict[str, Any]] = [{} for _ in texts]
        for places in self._batches(encoded):
            output = self._read([encoded[i] for i in places])
            told = self.run.task.answers(output, temperature=self.run.record.temperature)
            for place, answer in zip(places, told, strict=True):
                answered[place] = {**answer, **_truncated(encoded[place])}
        return answered

    def stream(self, chunks: Iterable[Sequence[Asked]]) -> Iterator[list[dict[str, Any]]]:
        """Answers chunk by chunk, in order, in constant memory; a bad line yields an error record in its place."""
        for chunk in chunks:
            good = iter(self.answers([line.texts for line in chunk if line.texts is not None]))
            yield [error_record(line) if line.texts is None else next(good) for line in chunk]

    def explain(self, texts: Texts) -> Explanation:
        """One reading with its attention."""
        encoded = self._encode(texts)
        output = self._read([encoded])
        (answer,) = self.run.task.answers(output, temperature=self.run.record.temperature)
        read = {name: TextRead(_written(texts[name]), text.tokens, text.offsets) for name, text in encoded.items()}
        attention = {name: weights[0].float().cpu().numpy() for name, weights in output.attention.items()}
        cut = tuple(_truncated(encoded).get("truncated", ()))
        return Explanation(read, attention, Answer(answer["label"], answer["scores"]), cut)

    def _encode(self, texts: Texts) -> dict[str, EncodedText]:
        return {field: self.encoder(texts[field]) for field in self.run.task.fields}

    def _read(self, encoded: Sequence[Mapping[str, EncodedText]]) -> Output:
        texts = {field: Text.pad([one[field].ids for one in encoded]) for field in self.run.task.fields}
        with torch.inference_mode():
            output: Output = self.run.model(Batch(texts).to(self.run.device))
        return output

    def _batches(self, encoded: Sequence[Mapping[str, EncodedText]]) -> Iterator[list[int]]:
        # Texts of like length are read together, so that a long one does not make the short ones wait.
        if encoded:
            lengths = np.array([[len(text.ids) for text in one.values()] for one in encoded])  # [N, K]
            for places in bounded_batches(lengths, examples=self.batch_size, tokens=TOKENS):
                yield places.tolist()


def _written(text: str | Words) -> str:
    return text if isinstance(text, str) else " ".join(text)


def _truncated(encoded: Mapping[str, EncodedText]) -> dict[str, list[str]]:
    cut = [field for field, text in encoded.items() if text.truncated]
    return {"truncated": cut} if cut else {}
