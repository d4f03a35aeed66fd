"""What a run answered wrongly, as plain records: the lines of `readhead evaluate --errors FILE.jsonl`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from readhead.data.example import Example
from readhead.prediction.comparison import Comparison
from readhead.prediction.evaluation import Evaluation
from readhead.tasks.task import Verdict


def texts_of(example: Example) -> dict[str, str]:
    """An example's texts by field, those that are words already with spaces between them."""
    return {name: text if isinstance(text, str) else " ".join(text) for name, text in example.texts.items()}


def mistakes(measured: Evaluation) -> Iterator[dict[str, Any]]:
    """Every wrong answer, the surest first."""
    for verdict in measured.report.mistakes:
        yield _record(measured.examples[verdict.index], verdict)


def differing(measured: Evaluation, against: Comparison) -> Iterator[dict[str, Any]]:
    """Every wrong answer of one run or of both, with `right`, who was right; the first run's surest mistakes first.

    What is right in the first run alone comes last, what the second was surest of first.
    """
    ours, theirs, exclusive = measured.report, against.measured.report, against.exclusive
    assert exclusive is not None and ours.units_right is not None
    right = dict(zip(range(len(ours.units)), ours.units_right.tolist(), strict=True))
    wrong = sorted((unit for unit in right if not right[unit]), key=lambda unit: -ours.verdict(unit).probability)
    second = set(exclusive.only_second.tolist())
    for unit in (*wrong, *surest(against.measured, exclusive.only_first.tolist())):
        first, other = ours.verdict(unit), theirs.verdict(unit)
        told = {"right": {"run": right[unit], "against": unit in second}, "against": _answer(other)}
        if other.index != first.index:
            told["against"] |= texts_of(measured.examples[other.index])
        yield _record(measured.examples[first.index], first) | told


def surest(measured: Evaluation, units: Sequence[int]) -> list[int]:
    """Units in the order of how sure their answers are."""
    return sorted(units, key=lambda unit: -measured.report.verdict(unit).probability)


def _record(example: Example, verdict: Verdict) -> dict[str, Any]:
    return {"origin": example.origin, **texts_of(example), "gold": verdict.gold, **_answer(verdict), **example.tags}


def _answer(verdict: Verdict) -> dict[str, Any]:
    return {"label": verdict.answered, "probability": round(verdict.probability, 6)}
