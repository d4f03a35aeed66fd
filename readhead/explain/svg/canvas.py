"""Elements of SVG as text, and a whole drawing."""

from __future__ import annotations

import re
from html import escape

from readhead.explain.asset import asset
from readhead.explain.printable import visible

STYLE = asset("pictures.css")

_SPECIAL = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\ufffe": "\ufffd", "\uffff": "\ufffd"}
_ESCAPED = re.compile("[" + "".join(_SPECIAL) + "]")  # the last two are no characters of XML
_TOKEN = re.compile(r"(--[a-z]+):\s*([^;}]+)")


def escaped(text: str) -> str:
    """A user's text for an element or an attribute: escaped, its control codes as pictures."""
    return _ESCAPED.sub(lambda match: _SPECIAL[match[0]], visible(text))


def number(value: float) -> str:
    """A coordinate to a tenth, as short as it goes: 12.0 is `12`, and 0.5 is `.5`."""
    written = f"{value:.1f}".removesuffix(".0")
    if written.startswith("0."):
        return written[1:]
    return "-" + written[2:] if written.startswith("-0.") else "0" if written == "-0" else written


def share(value: float) -> str:
    """An opacity to a hundredth: `.62`, `1`."""
    return f"{min(max(value, 0.0), 1.0):.2f}".rstrip("0").rstrip(".").removeprefix("0") or "0"


def shade(value: float) -> str:
    """The opacity of the ground of a share from 0 to 1: never so dark that letters could not be read on it."""
    return share(0.04 + 0.8 * value)


def element(name: str, *inside: str, **attributes: str | float | None) -> str:
    """`<name a="b">inside</name>`. What is inside is SVG already; attributes are plain.

    attributes: `data_to` is written data-to, and `class_` class; what is None is left out.
    """
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{told}>{''.join(inside)}</{name}>" if inside else f"<{name}{told}/>"


def drawing(kind: str, *inside: str, width: float, height: float, label: str, role: str = "img") -> str:
    """A whole picture.

    kind: what it is, a word for the style and the script.
    width, height: in pixels.
    label: what somebody is told who does not see it.
    role: `img`, or `group` if parts of it can be visited one by one.
    """
    return element(
        "svg",
        "".join(inside),
        xmlns="http://www.w3.org/2000/svg",
        class_=f"picture {kind}",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role=role,
        aria_label=label,
    )


def standalone(picture: str) -> str:
    """A drawing as a file of its own: on white, its style within, without variables, which few programs know."""
    light = dict(_TOKEN.findall(asset("tokens.css").partition("@media")[0]))
    style = re.sub(r"var\((--[a-z]+)\)", lambda match: light[match[1]].strip(), STYLE)
    paper = element("rect", width="100%", height="100%", fill=light["--back"])
    head, _, rest = picture.replace('class="picture ', 'class="readhead picture ', 1).partition(">")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}><style>{escape(style, quote=False)}</style>{paper}{rest}\n'
