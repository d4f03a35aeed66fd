"""Refuses pages that load anything from elsewhere: they are read without a network, and tell nobody that they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

ELSEWHERE = re.compile(
    r"<(?:script|img|iframe|source|video|audio|object|embed)\b[^>]*\b(?:src|data)=[\"']?((?:https?:)?//[^\"'\s>]+)"
    r"|<link\b[^>]*\bhref=[\"']?((?:https?:)?//[^\"'\s>]+)"
    r"|(?:@import\s+|url\()[\"']?((?:https?:)?//[^\"'\s)]+)"
)


def loaded_from_elsewhere(text: str) -> Iterator[str]:
    """The addresses of what a page or a style sheet loads by itself; links that somebody must follow are none."""
    for match in ELSEWHERE.finditer(text):
        yield next(filter(None, match.groups()))


def _refuse(app: Sphinx, error: Exception | None) -> None:
    if error is not None or app.builder.format != "html":
        return
    for path in sorted(Path(app.outdir).rglob("*")):
        if path.suffix in (".html", ".css"):
            for address in loaded_from_elsewhere(path.read_text(encoding="utf-8")):
                raise ExtensionError(f"{path.relative_to(app.outdir)} loads {address}")


def setup(app: Sphinx) -> dict[str, Any]:
    """Looks at every page once all are written."""
    app.connect("build-finished", _refuse)
    return {"parallel_read_safe": True}
