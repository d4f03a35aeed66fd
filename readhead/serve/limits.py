"""How much the service takes on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What is refused rather than waited for.

    body: bytes of a request, at most; beyond it 413.
    records: texts, pairs or candidates that one request asks about, at most; beyond it 413.
    queue: of these, how many of all requests may wait for a run; beyond it 429.
    requests: that are in the house at once, at most; beyond it 429, before their bodies are read.
    batch: texts, pairs or candidates that are read at once, at most.
    seconds: within which a request is answered; beyond it 504.
    """

    body: int = 2 * 2**20
    records: int = 1024
    queue: int = 4096
    requests: int = 256
    batch: int = 64
    seconds: float = 30.0
