"""A run, answering."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from readhead.data.batch import Batch, Text
from readhead.data.encoder import EncodedText, TextEncoder
from readhead.data.example import Words
from readhead.errors import InputError
from readhead.explain.ranking import RankingExplained
from readhead.explain.record import Attributed, Explanation, TextRead, answer_from, sides
from readhead.layers.packs import pack
from readhead.models.foretelling import Foretells
from readhead.models.output import Output
from readhead.prediction.attribution import integrated_gradients
from readhead.prediction.ranking import ranked
from readhead.prediction.records import Asked, Form, error_record
from readhead.prediction.sampling import Continuation, drawn
from readhead.run import Run
from readhead.tasks.scoring import TOKENS, bounded_batches

Texts = Mapping[str, str | Words]

READ_AHEAD = 512
"""How many texts are sorted by their length at a time, where there is no end of them."""


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
            told, _ = self._read(self._batch([encoded[i] for i in places]))
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
        """What a language model goes on with: `words` in one text. Raises: InputError as that does."""
        return " ".join(self.words(texts, wanted))

    def words(self, texts: Texts, wanted: Continuation) -> Iterator[str]:
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
        return (self.run.vocabulary.entry(row) for row in itertools.islice(rows, wanted.words))

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

    def explain(self, texts: Texts, *, attribution: bool = False) -> Explanation:
        """One reading with its attention, and what stood in the memory.

        Attention alone is no explanation: a word may be looked at and change nothing.

        attribution: whether also to work out what each token adds to the answer's score, on which the answer rests
            (`readhead.prediction.attribution`); it takes as long as some dozens of readings, or some hundreds.
        Raises: InputError if that is asked of a model without word vectors.
        """
        encoded = self._encode(texts)
        batch = self._batch([encoded])
        (told,), output = self._read(batch)
        explanation = self._explained(texts, encoded, told, output, 0)
        norms = {name: _between(name, states.norms()[0], explanation.texts) for name, states in output.memory.items()}
        explanation = replace(explanation, memory=norms)
        return self._attributed(explanation, batch, self.run.task.answered(told)) if attribution else explanation

    def explanations(self, texts: Iterable[Texts]) -> Iterator[Explanation]:
        """Many readings in their order, each with its attention alone: what is counted over a corpus."""
        stream = iter(texts)
        while chunk := list(itertools.islice(stream, READ_AHEAD)):
            encoded = [self._encode(one) for one in chunk]
            explained: dict[int, Explanation] = {}
            for places in self._batches(encoded):
                told, output = self._read(self._batch([encoded[i] for i in places]))
                for row, place in enumerate(places):
                    explained[place] = self._explained(chunk[place], encoded[place], told[row], output, row)
            yield from (explained[place] for place in range(len(chunk)))

    def explain_ranking(
        self, question: str | Words, candidates: Sequence[str | Words], *, attribution: bool = False
    ) -> RankingExplained:
        """The candidates of a question in the order of `ranking`, each explained as `explain` explains it.

        Raises: InputError if the run's task ranks nothing.
        """
        places = [entry["place"] for entry in self.ranking(question, candidates)]
        (other,) = (field for field in self.run.task.fields if field != self.run.task.several)
        texts = [{other: question, str(self.run.task.several): candidates[place]} for place in places]
        explained = tuple(self.explain(one, attribution=attribution) for one in texts)
        return RankingExplained(_written(question), explained, tuple(places))

    def _explained(
        self,
        texts: Texts,
        encoded: Mapping[str, EncodedText],
        told: Mapping[str, Any],
        output: Output,
        row: int,
    ) -> Explanation:
        """A row of a batch with its attention."""
        read = {
            name: TextRead(_written(texts[name]), encoded[name].tokens, encoded[name].offsets)
            for name in self.run.task.fields
        }
        attention = {name: _between(name, weights[row], read) for name, weights in output.attention.items()}
        return Explanation(read, attention, answer_from(told), tuple(_truncated(encoded).get("truncated", ())))

    def _attributed(self, explanation: Explanation, batch: Batch, of: str) -> Explanation:
        score = partial(self.run.task.bits, of=of, temperature=self.run.record.temperature)
        found = integrated_gradients(self.run.model, batch, score)
        shares = {name: found.shares[name] for name in explanation.texts}
        return replace(explanation, attribution=shares, attributed=Attributed(of, found.score, found.baseline))

    def _foretold(self, answer: Mapping[str, Any], encoded: Mapping[str, EncodedText]) -> dict[str, Any]:
        """The tokens that a language model was asked for, each in its surprisal's place, and where one is unknown."""
        if "surprisal" not in answer:
            return {}
        (text,) = encoded.values()
        unknown = np.flatnonzero(np.isin(text.ids[1:], self.run.vocabulary.oov_rows)).tolist()
        return {"tokens": list(text.tokens[1:])} | ({"unknown": unknown} if unknown else {})

    def _encode(self, texts: Texts) -> dict[str, EncodedText]:
        return {field: self.encoder(texts[field]) for field in self.run.task.reads}

    def _batch(self, encoded: Sequence[Mapping[str, EncodedText]]) -> Batch:
        texts = {field: Text.pad([one[field].ids for one in encoded]) for field in self.run.task.reads}
        return Batch(texts).to(self.run.device)

    def _read(self, batch: Batch) -> tuple[list[Mapping[str, Any]], Output]:
        """B answers, and what they follow from."""
        with torch.inference_mode():
            output: Output = self.run.model(batch)
        return self.run.task.answers(output, batch, temperature=self.run.record.temperature), output

    def _batches(self, encoded: Sequence[Mapping[str, EncodedText]]) -> Iterator[list[int]]:
        # Texts of like length are read together, so that a long one does not make the short ones wait.
        if encoded:
            lengths = np.array([[len(text.ids) for text in one.values()] for one in encoded])  # [N, K]
            for places in bounded_batches(lengths, examples=self.batch_size, tokens=TOKENS):
                yield places.tolist()


def _between(name: str, values: Float[Tensor, "T S"], texts: Mapping[str, TextRead]) -> Float[np.ndarray, "T S"]:
    """Numbers between tokens; a text without any was read as one that is padding."""
    rows, columns = (len(texts[side].tokens) for side in sides(name))
    array: np.ndarray = values[:rows, :columns].float().cpu().numpy()
    return array


def _written(text: str | Words) -> str:
    return text if isinstance(text, str) else " ".join(text)


def _truncated(encoded: Mapping[str, EncodedText]) -> dict[str, list[str]]:
    cut = [field for field, text in encoded.items() if text.truncated]
    return {"truncated": cut} if cut else {}
