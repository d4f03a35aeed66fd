"""One example of a corpus, before any tokenizer has seen it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled text, or several that belong together.

    texts: by field name (`text`; `premise`, `hypothesis`; `question`, `candidate`; `source`, `target`): a string,
        or a tuple of words where the corpus is tokenised already.
    label: the gold label's name; None where there is none.
    origin: file and line it came from ("train.jsonl:17"), for messages.
    tags: what else the corpus says of it, by name (`source`, `phenomenon`): figures can be split by them.
    group: what it is ranked within, a question's id; None where examples are not compared with one another.
    id: its own name within the group, by which equal scores are put in order; None likewise.
    soft: by label, a teacher's probability, where labels are soft: `label` is then the likeliest.
    """

    texts: Mapping[str, str | Words]
    label: str | None
    origin: str
    tags: Mapping[str, str] = field(default_factory=dict)
    group: str | None = None
    id: str | None = None
    soft: Mapping[str, float] | None = None
