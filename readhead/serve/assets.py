"""What the page is made of: files in `assets/`, read once, sent from memory."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources import files

from fastapi.responses import Response

from readhead.explain.html import SCRIPT, STYLE

TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file.

    content: its bytes.
    media_type: what it is.
    tag: by which a browser knows that it has this one already.
    """

    content: bytes
    media_type: str
    tag: str

    @classmethod
    def of(cls, content: bytes, ending: str) -> Asset:
        """One of those bytes. ending: that of its file's name."""
        return cls(content, TYPES[ending], f'"{hashlib.sha256(content).hexdigest()[:16]}"')

    def response(self, known: str | None) -> Response:
        """As it is sent. known: the tag of the one that the browser has."""
        headers = {"ETag": self.tag, "Cache-Control": "no-cache"}
        if known == self.tag:
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(self.content, headers=headers, media_type=self.media_type)


def assets() -> dict[str, Asset]:
    """By path; the page itself is `/`."""
    folder = files("readhead.serve") / "assets"
    found = {
        f"/assets/{entry.name}": Asset.of(entry.read_bytes(), "." + entry.name.rpartition(".")[2])
        for entry in folder.iterdir()
        if entry.is_file()
    }
    return {"/": found.pop("/assets/page.html"), **found, **_of_pictures()}


def _of_pictures() -> dict[str, Asset]:
    """The style and the script that pictures come with."""
    return {
        "/assets/explanation.css": Asset.of(STYLE.encode(), ".css"),
        "/assets/explanation.js": Asset.of(SCRIPT.encode(), ".js"),
    }
