"""A run, answering."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from readhead.data.batch import Batch, Text
from readhead.data.encoder import EncodedText, TextEncoder
from readhead.data.example import Words
from readhead.errors import InputError
from readhead.explain.record import Explanation, TextRead, answer_from
from readhead.layers.packs import pack
from readhead.models.foretelling import Foretells
from readhead.models.output import Output
from readhead.prediction.ranking import ranked
from readhead.prediction.records import Asked, Form, error_record
from readhead.prediction.sampling import Continuation, drawn
from readhead.run import Run
from readhead.tasks.scoring import TOKENS, bounded_batches

Texts = Mapping[str, str | Words]


class Predictor:
    """Answers texts with an opened run.

    run: as `Run.open` gives it; its model is laid out for reading.
    batch_size: records read at once, at most; fewer where they are long.
    """

    def __init__(self, *, run: Run, batch_size: int = 64) -> None:
        self.run, self.batch_size = run, batch_size
        pack(run.model)
        plan = run.recipe.text
        self.encoder = TextEncoder(
            tokenizer=run.tokenizer,
            vocabulary=run.vocabulary,
            max_tokens=plan.max_tokens,
            first=plan.first,
            last=plan.last,
        )

    @property
    def form(self) -> Form:
        """What the run is asked with."""
        return Form(self.run.task.fields, self.run.task.several)

    def answers(self, texts: Sequence[Texts]) -> list[dict[str, Any]]:
        """One answer for each set of texts that are read together, in their order.

        texts: by field name, as the task's fields ask.
        Returns `label` and `scores` (or what else the task answers), and `truncated`, the fields that were cut, if any.
        """
        encoded = [self._encode(record) for record in texts]
        answered: list[dict[str, Any]] = [{} for _ in texts]
        for places in self._batches(encoded):
            told, _ = self._read([encoded[i] for i in places])
            for place, answer in zip(places, told, strict=True):
                answered[place] = {**answer, **self._foretold(answer, encoded[place]), **_truncated(encoded[place])}
        return answered

    def stream(self, chunks: Iterable[Sequence[Asked]]) -> Iterator[list[dict[str, Any]]]:
        """Answers chunk by chunk, in order, in constant memory; a bad line yields an error record in its place."""
        for chunk in chunks:
            told = iter(self.answers([texts for line in chunk for texts in line.texts or ()]))
            yield [self._record(line, told) for line in chunk]

    def ranking(self, question: str | Words, candidates: Sequence[str | Words]) -> list[dict[str, Any]]:
        """The candidates of a question, the likeliest answer first; of equal ones, the one given first.

        Returns for each its `candidate`, its `score`, the probability of being right, its `place` in the list given,
        from 0, and `truncated` as `answers` has it.
        Raises: InputError if the run's task ranks nothing.
        """
        several = self.run.task.several
        if several is None:
            raise InputError("only a run that was trained with --task rank can rank candidates")
        (other,) = (field for field in self.run.task.fields if field != several)
        texts = [{other: question, several: candidate} for candidate in candidates]
        return ranked(texts, self.answers(texts), several)

    def continuation(self, texts: Texts, wanted: Continuation) -> str:
        """What a language model goes on with: words drawn one after the other, up to an end of the text.

        Raises: InputError if the run's model foretells no words, or the text is longer than it reads.
        """
        model, (encoded,) = self.run.model, self._encode(texts).values()
        if not isinstance(model, Foretells):
            raise InputError("only a language model can go on with a text")
        if encoded.truncated:
            raise InputError(f"expected at most {self.encoder.max_tokens} words to go on from")
        given = torch.from_numpy(encoded.ids[:-1].astype("int64")).to(self.run.device)  # without the end marker
        end = self.run.vocabulary.marker_row("end")
        rows = itertools.takewhile(lambda row: row != end, drawn(model, given, seed=wanted.seed))
        return " ".join(self.run.vocabulary.entry(row) for row in itertools.islice(rows, wanted.words))

    def _record(self, line: Asked, told: Iterator[dict[str, Any]]) -> dict[str, Any]:
        """What is answered to a line, of which `told` gives as many readings as it asks for."""
        if line.texts is None:
            return error_record(line)
        answers = list(itertools.islice(told, len(line.texts)))
        if (several := self.run.task.several) is not None:
            return {"ranking": ranked(line.texts, answers, several)}
        return self._gone_on(answers[0], line)

    def _gone_on(self, answer: dict[str, Any], line: Asked) -> dict[str, Any]:
        """The answer with the words that its line asks a language model for."""
        if not line.texts or not isinstance(self.run.model, Foretells):
            return answer
        try:
            wanted = Continuation.asked(line.asked)
            return answer if wanted is None else {**answer, "continuation": self.continuation(line.texts[0], wanted)}
        except InputError as error:
            return error_record(replace(line, error=error.message))

    def explain(self, texts: Texts) -> Explanation:
        """One reading with its attention."""
        encoded = self._encode(texts)
        (told,), output = self._read([encoded])
        read = {
            name: TextRead(_written(texts[name]), encoded[name].tokens, encoded[name].offsets)
            for name in self.run.task.fields
        }
        attention = {name: weights[0].float().cpu().numpy() for name, weights in output.attention.items()}
        cut = tuple(_truncated(encoded).get("truncated", ()))
        return Explanation(read, attention, answer_from(told), cut)

    def _foretold(self, answer: Mapping[str, Any], encoded: Mapping[str, EncodedText]) -> dict[str, Any]:
        """The tokens that a language model was asked for, each in its surprisal's place, and where one is unknown."""
        if "surprisal" not in answer:
            return {}
        (text,) = encoded.values()
        unknown = np.flatnonzero(np.isin(text.ids[1:], self.run.vocabulary.oov_rows)).tolist()
        return {"tokens": list(text.tokens[1:])} | ({"unknown": unknown} if unknown else {})

    def _encode(self, texts: Texts) -> dict[str, EncodedText]:
        return {field: self.encoder(texts[field]) for field in self.run.task.reads}

    def _read(self, encoded: Sequence[Mapping[str, EncodedText]]) -> tuple[list[Mapping[str, Any]], Output]:
        """B answers, and what they follow from."""
        texts = {field: Text.pad([one[field].ids for one in encoded]) for field in self.run.task.reads}
        batch = Batch(texts).to(self.run.device)
        with torch.inference_mode():
            output: Output = self.run.model(batch)
        return self.run.task.answers(output, batch, temperature=self.run.record.temperature), output

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
