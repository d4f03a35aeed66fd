"""A number of things, in words."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """ "1 row", "2 rows", "12,345 rows".

    noun: one that takes an s.
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
