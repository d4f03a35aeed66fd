"""Leaving a label out where the reader is not sure enough of it (selective classification: Chow 1970)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from readhead.errors import InputError
from readhead.tasks.task import Task


def abstained(answers: Iterable[dict[str, Any]], *, least: float) -> list[dict[str, Any]]:
    """The answers, with the label None where every score is below `least`; error records stay as they are."""
    return [{**answer, "label": None} if _unsure(answer, least) else answer for answer in answers]


def check_labels(task: Task) -> None:
    """Raises: InputError for a task whose answers hold no label to leave out."""
    if task.foretells or task.several is not None:
        raise InputError("--abstain leaves labels out, and this run answers without any")


def _unsure(answer: dict[str, Any], least: float) -> bool:
    return "scores" in answer and max(answer["scores"].values()) < least
