"""Ranking candidates, in our own words or in those that other rerankers are asked with.

    {"question": "...", "candidates": [...]}              -> {"ranking": [{"candidate", "score", "place"}, ...]}
    {"query": "...", "documents": [...], "top_n": 3}      -> {"results": [{"index", "relevance_score"}, ...]}

Whoever asks in the second way is answered in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readhead.data.records import json_word
from readhead.serve.batcher import Answer
from readhead.serve.parameters import checked, count, flag
from readhead.serve.refusal import wrong

OPTIONS = {"top_n": count, "top_k": count, "return_documents": flag}


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be ranked.

    text: the question.
    candidates: in the order given.
    theirs: whether it was asked as query and documents.
    most: how many of the ranking are wanted; None = all.
    with_texts: whether the candidates' texts are wanted back.
    model: the name of a run, if one was given.
    """

    text: str
    candidates: Sequence[str]
    theirs: bool
    most: int | None
    with_texts: bool
    model: str | None

    def answer(self, ranking: Sequence[Answer]) -> dict[str, Any]:
        """The ranking in the words it was asked with."""
        kept = ranking[: self.most]
        if not self.theirs:
            return {"ranking": list(kept)}
        return {"results": [self._theirs(entry) for entry in kept]}

    def _theirs(self, entry: Answer) -> dict[str, Any]:
        told: dict[str, Any] = {"index": entry["place"], "relevance_score": entry["score"]}
        if self.with_texts:
            told["document"] = {"text": entry["candidate"]}
        return told | ({"truncated": entry["truncated"]} if "truncated" in entry else {})


def read(value: Any) -> Question:
    """A body checked. Raises: Refusal (422) naming the field that is wrong."""
    if not isinstance(value, dict):
        raise wrong("wrong type", f"the body must be an object, not {json_word(value)}")
    theirs = "query" in value or "documents" in value
    question, candidates = ("query", "documents") if theirs else ("question", "candidates")
    for name in (question, candidates):
        if name not in value:
            raise wrong("missing field", f'the field "{name}" is missing; expected "{question}" and "{candidates}"')
    beside = {name: given for name, given in value.items() if name not in (question, candidates, "model")}
    options = checked(beside, OPTIONS, within="")
    return Question(
        _text(question, value[question]),
        _texts(candidates, value[candidates]),
        theirs,
        options.get("top_n", options.get("top_k")),
        options.get("return_documents", False),
        _text("model", value["model"]) if value.get("model") is not None else None,
    )


def _text(name: str, given: Any) -> str:
    if isinstance(given, str):
        return given
    raise wrong("wrong type", f'the field "{name}" must be a string, not {json_word(given)}')


def _texts(name: str, given: Any) -> list[str]:
    if not isinstance(given, list):
        raise wrong("wrong type", f'the field "{name}" must be a list of strings, not {json_word(given)}')
    return [_entry(f"{name}[{place}]", entry) for place, entry in enumerate(given)]


def _entry(name: str, given: Any) -> str:
    text = given.get("text") if isinstance(given, Mapping) else given
    if isinstance(text, str):
        return text
    raise wrong("wrong type", f'the field "{name}" must be a string or an object with "text", not {json_word(given)}')
