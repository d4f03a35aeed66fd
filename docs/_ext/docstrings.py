"""The docstrings of the package, written for people who read the source, as reStructuredText for autodoc.

A docstring here has paragraphs of prose; equations and examples, which are shown as they stand; and items: `name: what
it is`, "Returns ..." and "Raises: ...", whose further lines are indented.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any

from sphinx.application import Sphinx

EQUATION = re.compile(r"\S+( \S+){0,2} = .*[^.:]")
ITEM = re.compile(r"(?P<name>Raises:|Returns|\w+(, \w+)*:) ?(?P<text>.*)")
MARKS = re.compile(r"[*|_\\]")
INDENT = " " * 4


def as_rst(docstring: str, names: set[str]) -> list[str]:
    """The lines of a docstring as reStructuredText.

    names: what a function takes, or an object has: a line that begins with these and a colon is an item.
    """
    paragraphs = re.split(r"\n\s*\n", inspect.cleandoc(docstring))
    return [line for paragraph in paragraphs for line in [*_paragraph(paragraph.split("\n"), names), ""]]


def _paragraph(lines: Sequence[str], names: set[str]) -> Iterator[str]:
    if all(line.startswith(INDENT) for line in lines) or all(map(EQUATION.fullmatch, lines)):
        yield from ("::", "", *(INDENT + line for line in lines))
        return
    inside = False  # an item, whose further lines stand below it
    for line in lines:
        item = _item(line, names)
        if item and not inside:
            yield ""
        inside = inside or bool(item)
        yield item or ("  " if inside else "") + escaped(line.strip())


def _item(line: str, names: set[str]) -> str:
    """The line that begins an item, or nothing if it begins none."""
    found = ITEM.fullmatch(line)
    if not found:
        return ""
    text = escaped(found["text"])
    if found["name"] in ("Raises:", "Returns"):
        return f"- *{found['name'].rstrip(':')}* {text}"
    taken = found["name"].rstrip(":").split(", ")
    is_item = found["name"].endswith(":") and names.issuperset(taken)
    return f"- {', '.join(f'``{name}``' for name in taken)}: {text}" if is_item else ""


def escaped(line: str) -> str:
    """Prose whose stars, bars and underscores mean themselves; what stands between backticks is left alone."""
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(part if part.startswith("`") else MARKS.sub(r"\\\g<0>", part) for part in parts)


def _convert(*said: Any) -> None:
    *_, thing, _options, lines = said  # autodoc also tells the kind and the name of what it is
    lines[:] = as_rst("\n".join(lines), _names(thing))


def _names(thing: Any) -> set[str]:
    try:
        taken = set(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        taken = set()
    return taken | set(getattr(thing, "__annotations__", {}))


def _plain_defaults(*said: Any) -> tuple[str, str] | None:
    """A signature with `...` where a dataclass makes a default anew, which Sphinx cannot parse."""
    *_, signature, returned = said
    return signature and (signature.replace("<factory>", "..."), returned)


def setup(app: Sphinx) -> dict[str, Any]:
    """Has autodoc ask here what a docstring and a signature say."""
    app.connect("autodoc-process-docstring", _convert)
    app.connect("autodoc-process-signature", _plain_defaults)
    return {"parallel_read_safe": True}
