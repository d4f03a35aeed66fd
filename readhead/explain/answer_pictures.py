"""Pictures of what was answered: scores, a ranking, surprisal, and what the answer rests on."""

from __future__ import annotations

from collections.abc import Mapping

from readhead.explain.picture import Numbers, Picture, in_table
from readhead.explain.printable import brief
from readhead.explain.ranking import RankingExplained, answering, relevance
from readhead.explain.record import Explanation, Relevance, Surprise, TextRead
from readhead.explain.svg.attribution import attribution as draw_attribution
from readhead.explain.svg.attribution import signed
from readhead.explain.svg.scores import scores
from readhead.explain.svg.surprisal import surprisal

MOST_LABELS = 30  # that are drawn
_LONGEST = 60  # cells of a label in a sentence


def answer(explanation: Explanation) -> Picture:
    """The answer, whatever the task."""
    told = explanation.answer
    if isinstance(told, Surprise):
        return _surprisal(explanation.texts, told)
    if isinstance(told, Relevance):
        about = "How likely it is that the candidate answers the question."
        return _scores({"right": told.score}, None, about)
    groups = ", ".join(f"{brief(name, _LONGEST)} {share:.2f}" for name, share in told.groups.items())
    beside = f" Of the labels in groups: {groups}." if groups else ""
    return _scores(told.scores, told.label, f"The answer is {brief(told.label, _LONGEST)}.{beside}")


def _scores(shares: Mapping[str, float], chosen: str | None, about: str) -> Picture:
    drawn = dict(sorted(shares.items(), key=lambda one: -one[1])[:MOST_LABELS]) if len(shares) > MOST_LABELS else shares
    if len(drawn) < len(shares):
        about += f" Of {len(shares):,} labels the {MOST_LABELS} likeliest are drawn; the table has them all."
    return Picture(
        "answer",
        "How likely each answer is" if len(shares) > 1 else "How likely it is right",
        about,
        lambda width: scores(drawn, chosen, width=width, label=_bars(drawn)),
        Numbers(("label", "score"), [(in_table(name), f"{share:.4f}") for name, share in shares.items()]),
    )


def order(explained: RankingExplained) -> Picture:
    """The candidates of a ranking in their order, with a bar for each."""
    found = [(answering(candidate).text, relevance(candidate)) for candidate in explained.candidates]
    shares = {f"{rank}. {in_table(text)}": share for rank, (text, share) in enumerate(found[:MOST_LABELS], start=1)}
    few = f" Of {len(found):,}, the first {MOST_LABELS} are drawn." if len(found) > MOST_LABELS else ""
    rows = [
        (str(rank), f"{share:.4f}", in_table(text), str(place + 1))
        for rank, ((text, share), place) in enumerate(zip(found, explained.places, strict=True), start=1)
    ]
    return Picture(
        "ranking",
        "The order",
        f"How likely it is that each candidate answers the question.{few}",
        lambda width: scores(shares, None, width=width, label=_bars(shares)),
        Numbers(("rank", "score", "candidate", "given as number"), rows),
    )


def _bars(shares: Mapping[str, float]) -> str:
    return f"Bars: {', '.join(f'{brief(name, _LONGEST)} {share:.2f}' for name, share in shares.items())}"


def _surprisal(texts: Mapping[str, TextRead], answer: Surprise) -> Picture:
    (read,) = texts.values()
    told = (
        f"Perplexity {answer.perplexity:.1f}. Over each word stands how surprising it was after those before it, in "
        "bits: -log2 of its probability. The first word is given."
    )
    rows = [(in_table(word), f"{bits:.2f}") for word, bits in zip(read.tokens[1:], answer.surprisal, strict=True)]
    label = "Words with a bar over each for its surprisal"
    return Picture(
        "answer",
        "Surprisal, word by word",
        told,
        lambda width: surprisal(read.tokens, answer.surprisal, width=width, label=label),
        Numbers(("word", "bits"), rows),
    )


def attribution(explanation: Explanation) -> Picture:
    """What each word adds to the answer; of an explanation that has an attribution."""
    attributed, shares = explanation.attributed, explanation.attribution
    assert attributed is not None
    of = f"the probability of {brief(attributed.of, _LONGEST)}"
    told = (
        f"What each word adds to log2 of {of} (blue), or takes from it (brown, underlined), in bits: integrated "
        f"gradients. All together they lead from {attributed.baseline:.2f} without any word to {attributed.score:.2f}"
        f"{f'; {explanation.gap:+.2f} is left unexplained' if abs(explanation.gap) >= 0.01 else ''}."
    )
    rows = [
        (in_table(word), in_table(name), signed(share))
        for name, read in explanation.texts.items()
        for word, share in zip(read.tokens, shares[name].tolist(), strict=True)
    ]
    texts = {name: (read.tokens, shares[name]) for name, read in explanation.texts.items()}
    label = f"Words shaded by what they add to {of}"
    return Picture(
        "attribution",
        f"What {of} rests on",
        told,
        lambda width: draw_attribution(texts, width=width, label=label),
        Numbers(("word", "text", "bits"), rows),
    )
