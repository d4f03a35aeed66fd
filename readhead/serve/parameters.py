"""What a request may ask for beside its texts, checked by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from readhead.data.records import json_word
from readhead.schema import nearest
from readhead.serve.refusal import wrong

Check = Callable[[Any], str]
"""What is expected, where a value is not that; else nothing."""


def flag(value: Any) -> str:
    """True or false."""
    return "" if isinstance(value, bool) else "true or false"


def share(value: Any) -> str:
    """A number from 0 to 1."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return "" if good else "a number from 0 to 1"


def count(value: Any) -> str:
    """A whole number above 0."""
    good = isinstance(value, int) and not isinstance(value, bool) and value > 0
    return "" if good else "a whole number above 0"


def checked(given: Mapping[str, Any], known: Mapping[str, Check], *, within: str = "parameters") -> dict[str, Any]:
    """The parameters that are not null, each of its kind. Raises: Refusal naming the first that is not."""
    for name, value in given.items():
        where = f"{within}.{name}" if within else name
        if name not in known:
            told = nearest(name, known) if known else "this route takes none"
            raise wrong("unknown field", f'the field "{where}" is unknown; {told}')
        expected = "" if value is None else known[name](value)
        if expected:
            raise wrong("wrong type", f'the field "{where}" must be {expected}, not {_told(value)}')
    return {name: value for name, value in given.items() if value is not None}


def _told(value: Any) -> str:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else json_word(value)
