"""Readings of every kind, hand-made: a tape, a rewritten memory, two texts, a language model, a ranking."""

from __future__ import annotations

import numpy as np

from readhead.explain.ranking import RankingExplained
from readhead.explain.record import Answer, Attributed, Explanation, Relevance, Surprise, TextRead
from tests.explain.readings import SCORES, marked, pair, soft, words

SAYS = Answer("good", {"good": 0.75, "bad": 0.25})


def tape(read: TextRead, name: str = "text->text") -> Explanation:
    """A text that looks back: the first word at nothing; its tape is written word by word."""
    count = len(read.tokens)
    weights = np.tril(soft(read, read), -1)
    weights[1:] /= weights[1:].sum(axis=1, keepdims=True)
    memory = np.tril(np.ones((count, count))) * np.arange(1, count + 1)
    return Explanation({"text": read}, {name: weights}, SAYS, memory={name: memory})


def rewritten(read: TextRead) -> Explanation:
    """A text with a memory that is full from the beginning, and rewritten."""
    count = len(read.tokens)
    memory = 1 + np.arange(count * count, dtype=float).reshape(count, count) / 10
    return Explanation({"text": read}, {"text->text": soft(read, read)}, SAYS, memory={"text->text": memory})


def shared(premise: TextRead, hypothesis: TextRead) -> Explanation:
    """Two texts, the second of which rewrites the memory of the first."""
    texts = {"premise": premise, "hypothesis": hypothesis}
    size = len(hypothesis.tokens), len(premise.tokens)
    name = "hypothesis->premise (memory)"
    memory = 1 + np.arange(np.prod(size), dtype=float).reshape(size)
    return Explanation(texts, {name: soft(hypothesis, premise)}, Answer("neutral", SCORES), memory={name: memory})


def attributed(read: TextRead, shares: list[float]) -> Explanation:
    """A text with what each of its words adds."""
    return Explanation(
        {"text": read}, {}, SAYS, attribution={"text": np.array(shares)}, attributed=Attributed("good", -0.5, -1.0)
    )


def surprise(read: TextRead) -> Explanation:
    """What a language model answers."""
    return Explanation({"text": read}, {}, Surprise(8.0, tuple(float(place) for place in range(1, len(read.tokens)))))


def ranking(question: str, *candidates: str) -> RankingExplained:
    """Candidates, the one given last ranked first."""
    count = len(candidates)
    explained = tuple(
        Explanation(
            {"question": words(question), "candidate": words(text)},
            {"question->candidate": soft(words(question), words(text))},
            Relevance((place + 1) / (count + 1)),
        )
        for place, text in reversed(list(enumerate(candidates)))
    )
    return RankingExplained(question, explained, tuple(reversed(range(count))))


HOSTILE = "</script><script>alert(1)</script> <!--\" onload=x \x00\x1b[2J \ud800 \u202ereversed\u2066 '& \ufffe \u0301"

KINDS = {
    "no attention": Explanation({"text": words("It works .")}, {}, SAYS),
    "no words": Explanation({"text": words("")}, {"text->text": np.zeros((0, 0))}, SAYS),
    "one word": rewritten(words("Yes")),
    "tape": tape(words("one two three four")),
    "layers": Explanation(
        {"text": words("a b c")}, {f"text->text (intra {n})": soft(*[words("a b c")] * 2) for n in (1, 2)}, SAYS
    ),
    "rewritten": rewritten(words("a small dog barks")),
    "pair": pair(marked("two dogs bark"), words("dogs sleep"), truncated=("premise",)),
    "shared": shared(words("two dogs bark"), words("dogs sleep")),
    "attributed": attributed(words("never dull , always good"), [-0.5, 0.01, 0.0, 0.2, 1.5]),
    "surprise": surprise(marked("the dog barks")),
    "nothing to foretell": surprise(words("the")),
    "relevance": ranking("who ?", "she").candidates[0],
    "ranking": ranking("who came ?", "a dog came", "nobody", "a dog came"),
    "no candidates": ranking("who ?"),
    "names": Explanation({"é": words("a"), "ü": words("b")}, {"é->ü": np.ones((1, 1)), "ü->é": np.ones((1, 1))}, SAYS),
    "hostile": shared(words(HOSTILE), words(HOSTILE)),
    "hostile text": tape(words(HOSTILE)),
    "hostile memory": rewritten(words(HOSTILE)),
    "hostile question": ranking(HOSTILE, HOSTILE, "b"),
    "hostile label": Explanation({HOSTILE: words("a")}, {}, Answer(HOSTILE, {HOSTILE: 1.0, "b": 0.0})),
    "many labels": Explanation({"text": words("a")}, {}, Answer("5", {str(n): (n % 7) / 700 for n in range(200)})),
    "many candidates": ranking("who ?", *(f"candidate {n}" for n in range(45))),
    "languages": tape(words("电影 שלום مرحبا 👩‍👩‍👧 naïve ﷽ \u200d")),
}
