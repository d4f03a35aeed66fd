"""JSON as it goes over the wire: any text comes in, and only what every parser reads goes out."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

_HALF = re.compile("[\ud800-\udfff]")  # of a surrogate pair; UTF-8 has no bytes for it


def json_bytes(value: Any) -> bytes:
    """A value as UTF-8. Half a surrogate pair, which JSON can bring in, leaves as U+FFFD, as readers read it."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _HALF.sub("\ufffd", text).encode()


def read_json(body: bytes) -> Any:
    """What a body says. Raises: ValueError, saying why, if it is not UTF-8 or not JSON."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise ValueError(f"byte 0x{body[error.start]:02x} at offset {error.start:,} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
