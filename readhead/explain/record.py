"""The record of one reading: what was read, what was answered, and where the attention went.

One format for every reader; the terminal, a page and an HTTP answer are all made from it. As JSON:

    {"format": 1,
     "texts": {"premise": {"text": "A dog", "tokens": ["∅", "a", "dog"], "offsets": [null, [0, 1], [2, 5]]},
               ...},
     "attention": {"premise->hypothesis": [[0.5, 0.5], ...]},
     "answer": {"label": "neutral", "scores": {"neutral": 0.9, ...}},
     "truncated": ["premise"]}

A language model's answer is {"perplexity": 120.5, "surprisal": [3.2, ...]} instead, and that to a question with one of
its candidates {"score": 0.9}.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from readhead.errors import InputError

FORMAT = 1

Offsets = tuple[tuple[int, int] | None, ...]

# A softmax in bfloat16 may exceed 1 by its rounding.
_ROUNDING = 1e-2


@dataclass(frozen=True, slots=True)
class TextRead:
    """A text and its tokens, as the reader saw them.

    text: the raw text.
    tokens: T tokens, in reading order.
    offsets: for each token, where it begins and ends in `text`, in characters; None for a marker such as `∅`,
        which stands in no text.

    Raises: ValueError if there is not one offset a token, or one lies outside the text.
    """

    text: str
    tokens: tuple[str, ...]
    offsets: Offsets

    def __post_init__(self) -> None:
        if len(self.tokens) != len(self.offsets):
            raise ValueError(f"{len(self.tokens)} tokens with {len(self.offsets)} offsets")
        for token, offset in zip(self.tokens, self.offsets, strict=True):
            if offset is not None and not 0 <= offset[0] <= offset[1] <= len(self.text):
                raise ValueError(f"token {token!r} at {list(offset)} in a text of {len(self.text)} characters")


@dataclass(frozen=True, slots=True)
class Answer:
    """What the reader answered.

    label: the answer's name.
    scores: by label name, in the label order of the run.

    Raises: ValueError if the label has no score, or a score is not a finite number.
    """

    label: str
    scores: Mapping[str, float]

    def __post_init__(self) -> None:
        if self.label not in self.scores:
            raise ValueError(f"the answer {self.label!r} is none of the scores' {list(self.scores)}")
        if not np.isfinite(list(self.scores.values())).all():
            raise ValueError(f"scores {dict(self.scores)} are not all finite")


@dataclass(frozen=True, slots=True)
class Surprise:
    """What a language model answered.

    perplexity: of the whole text.
    surprisal: in bits, of each token but the first, which is given and not foretold.

    Raises: ValueError if one of them is not finite.
    """

    perplexity: float
    surprisal: tuple[float, ...]

    def __post_init__(self) -> None:
        if not np.isfinite([self.perplexity, *self.surprisal]).all():
            raise ValueError("a perplexity and surprisals that are not all finite")


@dataclass(frozen=True, slots=True)
class Relevance:
    """What was answered to a question with one of its candidates.

    score: the probability that the candidate is right.

    Raises: ValueError if it is no number between 0 and 1.
    """

    score: float

    def __post_init__(self) -> None:
        if not 0 <= self.score <= 1:
            raise ValueError(f"a score of {self.score} is not between 0 and 1")


def answer_from(told: Mapping[str, Any]) -> Answer | Surprise | Relevance:
    """The answer in plain data, checked. Raises: KeyError, TypeError, ValueError where it is none."""
    if "score" in told:
        return Relevance(float(told["score"]))
    if "surprisal" in told:
        return Surprise(float(told["perplexity"]), tuple(float(bits) for bits in told["surprisal"]))
    return Answer(told["label"], told["scores"])


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """One reading, with its reasons.

    texts: by field name (`text`; `premise`, `hypothesis`; ...).
    attention: by name, [T, S] weights between 0 and 1. `premise->hypothesis` has a row for each premise token
        and a column for each hypothesis token; `premise->premise` is attention within a text. Several between the
        same texts are told apart behind: `premise->premise (intra 2)`.
    answer: label and scores, or how surprising each token was, or how likely a candidate is right.
    truncated: the fields whose text was longer than the reader reads; their tokens are those that were read.

    Raises: ValueError if there is no text, a name is of none, or a matrix has another shape than its texts.
    """

    texts: Mapping[str, TextRead]
    attention: Mapping[str, Float[np.ndarray, "T S"]]
    answer: Answer | Surprise | Relevance
    truncated: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.texts:
            raise ValueError("an explanation of no text")
        unknown = [name for name in self.truncated if name not in self.texts]
        if unknown:
            raise ValueError(f"truncated texts {unknown}, but the texts are {list(self.texts)}")
        if isinstance(self.answer, Surprise):
            _check_surprise(self.answer, self.texts)
        for name, weights in self.attention.items():
            _check(name, weights, _shape(name, self.texts))

    def to_json(self) -> str:
        """The record on one line of ASCII; weights to 4 decimals, scores to 6."""
        return json.dumps(
            {
                "format": FORMAT,
                "texts": {
                    name: {"text": read.text, "tokens": read.tokens, "offsets": read.offsets}
                    for name, read in self.texts.items()
                },
                "attention": {name: _rounded(weights, 4) for name, weights in self.attention.items()},
                "answer": _plain(self.answer),
                "truncated": self.truncated,
            }
        )

    def _repr_html_(self) -> str:
        """What a notebook shows of it."""
        from readhead.explain.notebook import fragment

        return fragment(self)

    @classmethod
    def from_json(cls, line: str) -> Explanation:
        """The explanation that `to_json` wrote, up to its rounding.

        Raises: InputError if it is not such a record, or one of another format.
        """
        try:
            record = json.loads(line)
            if record["format"] != FORMAT:
                raise ValueError(f"its format is {record['format']!r}, and this readhead reads format {FORMAT}")
            texts = {name: _text_read(**entry) for name, entry in record["texts"].items()}
            attention = {name: _matrix(rows, _shape(name, texts)) for name, rows in record["attention"].items()}
            return cls(texts, attention, answer_from(record["answer"]), tuple(record["truncated"]))
        except KeyError as missing:
            raise InputError(f"not an explanation: it has no {missing}") from None
        except (AttributeError, TypeError, ValueError) as wrong:
            raise InputError(f"not an explanation: {wrong}") from None


def _plain(answer: Answer | Surprise | Relevance) -> dict[str, Any]:
    if isinstance(answer, Relevance):
        return {"score": round(answer.score, 6)}
    if isinstance(answer, Surprise):
        bits = [round(bits, 4) for bits in answer.surprisal]
        return {"perplexity": round(answer.perplexity, 4), "surprisal": bits}
    return {"label": answer.label, "scores": {label: round(float(s), 6) for label, s in answer.scores.items()}}


def _check_surprise(answer: Surprise, texts: Mapping[str, TextRead]) -> None:
    (read,) = texts.values()
    if len(answer.surprisal) != len(read.tokens) - 1:
        raise ValueError(f"{len(answer.surprisal)} surprisals of {len(read.tokens)} tokens; expected one fewer")


def sides(name: str) -> tuple[str, str]:
    """The texts whose tokens are the rows and the columns: `a->b` has rows of `a`, columns of `b`.

    So has `a->b (memory)`: where there are several between the same texts, each has a name of its own behind.
    """
    rows, _, columns = name.partition(" (")[0].partition("->")
    return rows, columns


def _shape(name: str, texts: Mapping[str, TextRead]) -> tuple[int, int]:
    rows, columns = sides(name)
    if rows not in texts or columns not in texts:
        raise ValueError(f"attention {name!r}: expected 'rows->columns', each one of {list(texts)}")
    return len(texts[rows].tokens), len(texts[columns].tokens)


def _check(name: str, weights: np.ndarray, shape: tuple[int, int]) -> None:
    if weights.shape != shape:
        raise ValueError(f"attention {name!r} has shape {list(weights.shape)}, its tokens ask for {list(shape)}")
    if not ((weights >= 0) & (weights <= 1 + _ROUNDING)).all():
        raise ValueError(f"attention {name!r} holds weights outside 0 to 1")


def _rounded(weights: np.ndarray, decimals: int) -> list[list[float]]:
    # Widened first: 0.3 rounded in float32 prints as 0.30000001192092896.
    rows: list[list[float]] = np.round(weights.astype(np.float64), decimals).tolist()
    return rows


def _text_read(text: str, tokens: list[str], offsets: list[list[int] | None]) -> TextRead:
    if not all(isinstance(word, str) for word in [text, *tokens]):
        raise ValueError("its texts and tokens are not all strings")
    return TextRead(text, tuple(tokens), tuple(None if o is None else (int(o[0]), int(o[1])) for o in offsets))


def _matrix(rows: list[list[float]], shape: tuple[int, int]) -> np.ndarray:
    weights = np.array(rows, dtype=np.float64)
    # JSON writes 0 rows of S columns as [], and forgets S.
    return weights.reshape(shape) if weights.size == 0 == min(shape) else weights
