"""One run that is served: what is asked of it, done."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import torch

from readhead.errors import InputError
from readhead.explain.ranking import RankingExplained
from readhead.explain.record import Explanation
from readhead.prediction.abstaining import abstained, check_labels
from readhead.prediction.attribution import attributable
from readhead.prediction.predictor import Predictor
from readhead.prediction.ranking import ranked
from readhead.prediction.records import Asked, Form
from readhead.prediction.sampling import Continuation
from readhead.prediction.word_by_word import check_reads_on, reads_on, word_by_word
from readhead.run import Run
from readhead.serve import envelope
from readhead.serve.batcher import Answer, Batcher, Texts
from readhead.serve.limits import Limits
from readhead.serve.metrics import Metrics
from readhead.serve.refusal import too_large, wrong

WARMING = "The first reading of all takes longest."
MOST_WORDS = 1000  # that one request has a language model draw
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Served:
    """A run under its name, with the thread that reads.

    name: by which it is asked for.
    predictor: its reader.
    batcher: everything that runs the model goes through it.
    limits, metrics: of the service.
    attends: whether its readings have attention to show.
    """

    name: str
    predictor: Predictor
    batcher: Batcher
    limits: Limits
    metrics: Metrics
    attends: bool

    @classmethod
    def begin(cls, name: str, run: Run, *, limits: Limits, metrics: Metrics, threads: int) -> Served:
        """A run that has read its first text. threads: that one reading may use."""
        predictor = Predictor(run=run, batch_size=limits.batch)
        first = predictor.explain(dict.fromkeys(run.task.fields, WARMING))
        batcher = Batcher(
            predictor.answers,
            size=limits.batch,
            room=limits.queue,
            begin=partial(torch.set_num_threads, threads),
            note=metrics.batches(name),
        )
        metrics.watch_queue(name, lambda: batcher.waiting)
        return cls(name, predictor, batcher, limits, metrics, bool(first.attention))

    async def predict(self, items: Sequence[Any], parameters: Mapping[str, Any]) -> list[Answer]:
        """An answer to each item, as `readhead predict` gives it; where one is bad, `{"error", "place"}`.

        parameters: `abstain`, `top_k`.
        Raises: Refusal if there are too many of them, or no room.
        """
        if "abstain" in parameters:
            self._check_labels()
        asked = [envelope.asked(item, place, self.predictor.form) for place, item in enumerate(items)]
        readings = [texts for one in asked for texts in one.texts or ()]
        self._check_count(max(len(items), len(readings)))
        told = iter(await self.batcher.answers(readings))
        answers = [await self._answer(one, list(islice(told, len(one.texts or ())))) for one in asked]
        self._count(answers)
        return abstained(answers, least=parameters["abstain"]) if "abstain" in parameters else answers

    async def rank(self, question: str, candidates: Sequence[str]) -> list[Answer]:
        """The candidates, the likeliest first. Raises: Refusal; InputError if the run ranks nothing."""
        several = self._ranked_field()
        self._check_count(len(candidates))
        texts = [{self._shared_field(): question, several: candidate} for candidate in candidates]
        ranking = ranked(texts, await self.batcher.answers(texts), several)
        self.metrics.records(self.name, "answered", 1)
        return ranking

    async def explain(self, item: Any, *, attribution: bool) -> Explanation | RankingExplained:
        """The record of one reading; of a question with its candidates, those of all.

        Raises: Refusal if the item is no record of this run.
        """
        several = self.predictor.run.task.several
        if several is None or (isinstance(item, dict) and several in item):
            (texts,) = self._readings(item, Form(self.predictor.run.task.fields))
            return await self._explained(texts, attribution)
        readings = self._readings(item, self.predictor.form)
        self._check_count(len(readings))
        ranking = ranked(readings, await self.batcher.answers(readings), several)
        # One by one, so that others have their turns between them.
        explained = [await self._explained(readings[entry["place"]], attribution) for entry in ranking]
        question = envelope.record(item, self.predictor.form)[self._shared_field()]
        return RankingExplained(question, tuple(explained), tuple(entry["place"] for entry in ranking))

    def stream(self, item: Any) -> AsyncIterator[tuple[str, Mapping[str, Any]]]:
        """A reading as events: `word` after each word, what the reader thinks so far, and `answer` after the last.

        Of a record that asks a language model for words, these: `word` for each as it is drawn.

        Raises: Refusal if the item is no record of this run; InputError if the run does not read word by word.
        """
        asked = envelope.asked(item, 0, self.predictor.form)
        if asked.texts is None:
            raise wrong("wrong record", asked.error)
        check_reads_on(self.predictor)
        wanted = self._wanted(asked)
        return self._read_on(asked.texts[0]) if wanted is None else self._gone_on(asked.texts[0], wanted)

    def about(self) -> dict[str, Any]:
        """What a client should know of it."""
        run = self.predictor.run
        record, parts = run.record, run.recipe.parts
        return {
            "name": self.name,
            "task": parts["task"].kind,
            "fields": list(self.predictor.form.names),
            "labels": list(run.task.labels) if run.task.several is None else [],
            "model": parts["model"].kind,
            "reader": parts["reader"].kind if "reader" in parts else None,
            "parameters": record.parameters,
            "max_tokens": record.max_tokens,
            "ranks": run.task.several is not None,
            "foretells": run.task.foretells,
            "streams": reads_on(self.predictor),
            "attends": self.attends,
            "attributable": attributable(run.model),
            "best": record.best,
            "device": str(run.device),
            "sha256": hashlib.sha256(run.files.weights.read_bytes()).hexdigest(),
            "versions": record.versions,
        }

    def close(self) -> None:
        """Lets the thread go."""
        self.batcher.close()

    def _readings(self, item: Any, form: Form) -> Sequence[Texts]:
        asked = envelope.asked(item, 0, form)
        if asked.texts is None:
            raise wrong("wrong record", asked.error)
        return asked.texts

    async def _explained(self, texts: Texts, attribution: bool) -> Explanation:
        explained = await self.batcher.call(partial(self.predictor.explain, texts, attribution=attribution))
        self.metrics.records(self.name, "explained", 1)
        return explained

    async def _answer(self, asked: Asked, told: list[Answer]) -> Answer:
        if asked.texts is None:
            return {"error": asked.error, "place": asked.line}
        several = self.predictor.run.task.several
        if several is not None:
            return {"ranking": ranked(asked.texts, told, several)}
        try:
            wanted = self._wanted(asked)
            if wanted is None:
                return told[0]
            drawn = [word async for word in self._drawn(asked.texts[0], wanted)]
            return {**told[0], "continuation": " ".join(drawn)}
        except InputError as error:
            return {"error": error.message, "place": asked.line}

    def _wanted(self, asked: Asked) -> Continuation | None:
        """The words that a record asks a language model for. Raises: InputError naming the key that is wrong."""
        if not self.predictor.run.task.foretells:
            return None
        wanted = Continuation.asked(asked.asked)
        if wanted is not None and wanted.words > MOST_WORDS:
            raise InputError(f'"continue" must be at most {MOST_WORDS} over HTTP, not {wanted.words}')
        return wanted

    async def _read_on(self, texts: Texts) -> AsyncIterator[tuple[str, Mapping[str, Any]]]:
        (text,) = texts.values()
        async for word in self.batcher.steps(_lazily(partial(word_by_word, self.predictor, text))):
            yield "word", word
        (answer,) = await self.batcher.answers([texts])
        yield "answer", answer

    async def _gone_on(self, texts: Texts, wanted: Continuation) -> AsyncIterator[tuple[str, Mapping[str, Any]]]:
        drawn = []
        async for word in self._drawn(texts, wanted):
            drawn.append(word)
            yield "word", {"word": word}
        (answer,) = await self.batcher.answers([texts])
        yield "answer", {**answer, "continuation": " ".join(drawn)}

    def _drawn(self, texts: Texts, wanted: Continuation) -> AsyncIterator[str]:
        return self.batcher.steps(_lazily(partial(self.predictor.words, texts, wanted)))

    def _shared_field(self) -> str:
        """Of a question and its candidates, the question."""
        task = self.predictor.run.task
        (shared,) = (field for field in task.fields if field != task.several)
        return shared

    def _ranked_field(self) -> str:
        several = self.predictor.run.task.several
        if several is None:
            kind = self.predictor.run.recipe.parts["task"].kind
            raise wrong("wrong model", f'the field "model" must name a run that ranks; {self.name} is one for {kind}')
        return several

    def _check_labels(self) -> None:
        try:
            check_labels(self.predictor.run.task)
        except InputError:
            told = 'the field "parameters.abstain" leaves labels out, and this run answers without any'
            raise wrong("wrong model", told) from None

    def _check_count(self, count: int) -> None:
        if count > self.limits.records:
            told = f"{count:,} texts, pairs or candidates are asked about; at most {self.limits.records:,} at once"
            raise too_large(told)

    def _count(self, answers: Sequence[Answer]) -> None:
        bad = sum("error" in answer for answer in answers)
        self.metrics.records(self.name, "error", bad)
        self.metrics.records(self.name, "answered", len(answers) - bad)
        self.metrics.records(self.name, "truncated", sum("truncated" in answer for answer in answers))


def _lazily(made: Callable[[], Iterator[T]]) -> Iterator[T]:
    """An iterator that is not made before its first step, since that reads a text too."""
    yield from made()
