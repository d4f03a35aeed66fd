"""The record of one reading: what was read, what was answered, where the attention went, what the memory held, and
which words the answer rests on.

One format for every reader; the terminal, a page and an HTTP answer are all made from it. As JSON:

    {"format": 2,
     "texts": {"premise": {"text": "A dog", "tokens": ["∅", "a", "dog"], "offsets": [null, [0, 1], [2, 5]]},
               ...},
     "attention": {"premise->hypothesis": [[0.5, 0.5], ...]},
     "memory": {"premise->premise": [[1.2, 0.0, 0.0], ...]},
     "answer": {"label": "neutral", "scores": {"neutral": 0.9, ...}},
     "attribution": {"of": "neutral", "score": -0.2, "baseline": -1.6, "texts": {"premise": [0.1, 0.9, 0.4], ...}},
     "truncated": ["premise"]}

A language model's answer is {"perplexity": 120.5, "surprisal": [3.2, ...]} instead, and that to a question with one of
its candidates {"score": 0.9}. `memory` and `attribution` stand only where there is one; format 1, which is read too,
knew neither.

Attention alone is no explanation: a word may be looked at and change nothing. What the answer rests on is what the
attribution tells.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Float

from readhead.errors import InputError

FORMAT = 2

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
    groups: by the name of a group of labels, its share of what all groups have; empty where the run has none.

    Raises: ValueError if the label has no score, or a score is not a finite number.
    """

    label: str
    scores: Mapping[str, float]
    groups: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.label not in self.scores:
            raise ValueError(f"the answer {self.label!r} is none of the scores' {list(self.scores)}")
        for shares in (self.scores, self.groups):
            if not np.isfinite(list(shares.values())).all():
                raise ValueError(f"scores {dict(shares)} are not all finite")


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


@dataclass(frozen=True, slots=True)
class Attributed:
    """What an attribution shares out among the tokens: score - baseline, in bits.

    of: the label that was answered; `being right` of a candidate; `the text` of a language model.
    score: log2 of the probability that `of` was given.
    baseline: the same, had every token's vector been zero.

    Raises: ValueError if one of them is not finite.
    """

    of: str
    score: float
    baseline: float

    def __post_init__(self) -> None:
        if not np.isfinite([self.score, self.baseline]).all():
            raise ValueError(f"an attribution of scores {self.score} and {self.baseline}, which are not both finite")


def answer_from(told: Mapping[str, Any]) -> Answer | Surprise | Relevance:
    """The answer in plain data, checked. Raises: KeyError, TypeError, ValueError where it is none."""
    if "score" in told:
        return Relevance(float(told["score"]))
    if "surprisal" in told:
        return Surprise(float(told["perplexity"]), tuple(float(bits) for bits in told["surprisal"]))
    return Answer(told["label"], told["scores"], told.get("groups", {}))


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """One reading, with its reasons.

    texts: by field name (`text`; `premise`, `hypothesis`; ...).
    attention: by name, [T, S] weights between 0 and 1. `premise->hypothesis` has a row for each premise token
        and a column for each hypothesis token; `premise->premise` is attention within a text. Several between the
        same texts are told apart behind: `premise->premise (intra 2)`.
    answer: label and scores, or how surprising each token was, or how likely a candidate is right.
    truncated: the fields whose text was longer than the reader reads; their tokens are those that were read.
    memory: by the name of the attention that reads it, [T, S]: how much stands in each slot, a token of the columns'
        text, after each token of the rows' text; the norm of its state, and 0 before it is written.
    attribution: by field name, [T]: how many bits each token adds to the answer's score, or takes from it. All of them
        together are `attributed.score - attributed.baseline`, but for `gap`.
    attributed: what is shared out so; None where no attribution was asked for.

    Raises: ValueError if there is no text, a name is of none, or an array has another shape than its texts.
    """

    texts: Mapping[str, TextRead]
    attention: Mapping[str, Float[np.ndarray, "T S"]]
    answer: Answer | Surprise | Relevance
    truncated: tuple[str, ...] = ()
    memory: Mapping[str, Float[np.ndarray, "T S"]] = field(default_factory=dict)
    attribution: Mapping[str, Float[np.ndarray, " T"]] = field(default_factory=dict)
    attributed: Attributed | None = None

    def __post_init__(self) -> None:
        if not self.texts:
            raise ValueError("an explanation of no text")
        unknown = [name for name in self.truncated if name not in self.texts]
        if unknown:
            raise ValueError(f"truncated texts {unknown}, but the texts are {list(self.texts)}")
        if isinstance(self.answer, Surprise):
            _check_surprise(self.answer, self.texts)
        for name, weights in self.attention.items():
            _check_shape(f"attention {name!r}", weights, _shape(name, self.texts))
            if not ((weights >= 0) & (weights <= 1 + _ROUNDING)).all():
                raise ValueError(f"attention {name!r} holds weights outside 0 to 1")
        for name, norms in self.memory.items():
            _check_shape(f"memory {name!r}", norms, _shape(name, self.texts, "memory"))
            if not ((norms >= 0) & np.isfinite(norms)).all():
                raise ValueError(f"memory {name!r} holds what is no norm of a state")
        _check_attribution(self.attribution, self.attributed, self.texts)

    @property
    def gap(self) -> float:
        """What the attribution leaves unexplained, in bits: score - baseline - the sum of all tokens'."""
        if self.attributed is None:
            return 0.0
        explained = sum(float(shares.sum()) for shares in self.attribution.values())
        return self.attributed.score - self.attributed.baseline - explained

    def to_json(self) -> str:
        """The record on one line of ASCII; weights, norms and surprisals to 4 decimals, all else to 6."""
        return json.dumps(self.plain())

    def plain(self) -> dict[str, Any]:
        """The record as plain data: what `to_json` writes, for answers that hold more than one."""
        texts = {
            name: {"text": read.text, "tokens": list(read.tokens), "offsets": _listed(read.offsets)}
            for name, read in self.texts.items()
        }
        memory = {name: _rounded(norms, 4) for name, norms in self.memory.items()}
        return {
            "format": FORMAT,
            "texts": texts,
            "attention": {name: _rounded(weights, 4) for name, weights in self.attention.items()},
            **({"memory": memory} if memory else {}),
            "answer": _plain(self.answer),
            **_plain_attribution(self.attribution, self.attributed),
            "truncated": list(self.truncated),
        }

    def _repr_html_(self) -> str:
        """What a notebook shows of it."""
        from readhead.explain.notebook import fragment

        return fragment(self)

    @classmethod
    def from_json(cls, line: str) -> Explanation:
        """The explanation that `to_json` wrote, up to its rounding.

        Raises: InputError if it is not such a record, or one of another format.
        """
        with refusing("an explanation"):
            return cls.from_plain(json.loads(line))

    @classmethod
    def from_plain(cls, record: Mapping[str, Any]) -> Explanation:
        """The other way round of `plain`. Raises: what `refusing` tells of, if it is no record."""
        check_keys(record, _KEYS)
        texts = {name: _text_read(**entry) for name, entry in record["texts"].items()}
        told = record.get("attribution")
        return cls(
            texts,
            {name: _matrix(rows, _shape(name, texts)) for name, rows in record["attention"].items()},
            answer_from(record["answer"]),
            tuple(record["truncated"]),
            {name: _matrix(rows, _shape(name, texts, "memory")) for name, rows in record.get("memory", {}).items()},
            {name: np.array(shares, np.float64) for name, shares in told["texts"].items()} if told is not None else {},
            Attributed(told["of"], float(told["score"]), float(told["baseline"])) if told is not None else None,
        )


@contextmanager
def refusing(what: str) -> Iterator[None]:
    """Reads what may be no record of ours. Raises: InputError, in one line, for whatever is wrong with it."""
    try:
        yield
    except KeyError as missing:
        raise InputError(f"not {what}: it has no {missing}") from None
    except (AttributeError, TypeError, ValueError) as wrong:
        raise InputError(f"not {what}: {wrong}") from None


def check_keys(record: Mapping[str, Any], known: Mapping[int, Collection[str]]) -> None:
    """That a record is of a format that is read, and holds nothing that this has no place for.

    known: the keys of a record, by its format.
    """
    if record["format"] not in known:
        read = " and ".join(map(str, known))
        raise ValueError(f"its format is {record['format']!r}, and this readhead reads {read}")
    strange = [key for key in record if key not in known[record["format"]]]
    if strange:
        raise ValueError(f"its {strange[0]!r} is no part of format {record['format']}")


_OLD_KEYS = ("format", "texts", "attention", "answer", "truncated")
_KEYS = {1: _OLD_KEYS, FORMAT: (*_OLD_KEYS, "memory", "attribution")}


def _plain(answer: Answer | Surprise | Relevance) -> dict[str, Any]:
    if isinstance(answer, Relevance):
        return {"score": round(answer.score, 6)}
    if isinstance(answer, Surprise):
        bits = [round(bits, 4) for bits in answer.surprisal]
        return {"perplexity": round(answer.perplexity, 4), "surprisal": bits}
    scores, groups = ({name: round(float(p), 6) for name, p in told.items()} for told in (answer.scores, answer.groups))
    return {"label": answer.label, "scores": scores} | ({"groups": groups} if groups else {})


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


def _shape(name: str, texts: Mapping[str, TextRead], what: str = "attention") -> tuple[int, int]:
    rows, columns = sides(name)
    if rows not in texts or columns not in texts:
        raise ValueError(f"{what} {name!r}: expected 'rows->columns', each one of {list(texts)}")
    return len(texts[rows].tokens), len(texts[columns].tokens)


def _check_shape(what: str, values: np.ndarray, shape: tuple[int, ...]) -> None:
    if values.shape != shape:
        raise ValueError(f"{what} has shape {list(values.shape)}, its tokens ask for {list(shape)}")


def _check_attribution(
    attribution: Mapping[str, np.ndarray], attributed: Attributed | None, texts: Mapping[str, TextRead]
) -> None:
    if attribution.keys() != (texts.keys() if attributed else set()):
        named = list(texts) if attributed else "none, since it says not of what"
        raise ValueError(f"an attribution to {list(attribution)}; expected {named}")
    for name, shares in attribution.items():
        _check_shape(f"attribution to {name!r}", shares, (len(texts[name].tokens),))
        if not np.isfinite(shares).all():
            raise ValueError(f"attribution to {name!r} holds numbers that are not finite")


def _plain_attribution(attribution: Mapping[str, np.ndarray], attributed: Attributed | None) -> dict[str, Any]:
    if attributed is None:
        return {}
    shares = {name: _rounded(values, 6) for name, values in attribution.items()}
    score, baseline = round(attributed.score, 6), round(attributed.baseline, 6)
    return {"attribution": {"of": attributed.of, "score": score, "baseline": baseline, "texts": shares}}


def _listed(offsets: Offsets) -> list[list[int] | None]:
    return [None if offset is None else list(offset) for offset in offsets]


def _rounded(values: np.ndarray, decimals: int) -> list[Any]:
    # Widened first: 0.3 rounded in float32 prints as 0.30000001192092896. A zero has no sign.
    rows: list[Any] = (np.round(values.astype(np.float64), decimals) + 0.0).tolist()
    return rows


def _text_read(text: str, tokens: list[str], offsets: list[list[int] | None]) -> TextRead:
    if not all(isinstance(word, str) for word in [text, *tokens]):
        raise ValueError("its texts and tokens are not all strings")
    return TextRead(text, tuple(tokens), tuple(None if o is None else (int(o[0]), int(o[1])) for o in offsets))


def _matrix(rows: list[list[float]], shape: tuple[int, int]) -> np.ndarray:
    weights = np.array(rows, dtype=np.float64)
    # JSON writes 0 rows of S columns as [], and forgets S.
    return weights.reshape(shape) if weights.size == 0 == min(shape) else weights
