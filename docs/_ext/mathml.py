"""Equations as MathML, made while the pages are built: a reader's browser draws them, and loads nothing for it."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

ACCENTS = "~ˆˉ→←"


def mathml(tex: str, *, block: bool) -> str:
    """TeX as a `<math>` element.

    Raises: ExtensionError, with the equation, for TeX that cannot be translated.
    """
    try:
        made = str(tex2mathml(tex, as_block=block))
    except MathError as error:
        raise ExtensionError(f"cannot be written as MathML: {error}: {tex}") from None
    ElementTree.register_namespace("", "http://www.w3.org/1998/Math/MathML")
    math = ElementTree.fromstring(made.replace("&ApplyFunction;", "\u2061"))
    for element in list(math.iter()):
        _keep_accent_on_letter(element)
        if element.get("class") == "ams-align":
            element.set("displaystyle", "true")  # a sum has its limits above and below in columns too
        if element.tag.endswith("}mi") and len(element.text or "") == 1:
            element.set("class", "letter")  # slanted by the style sheet: few machines have a font of slanted symbols
    return ElementTree.tostring(math, encoding="unicode", short_empty_elements=False)


def _keep_accent_on_letter(element: Element) -> None:
    """An accented letter with an index comes with the index below it and the accent above both: parts them."""
    if not element.tag.endswith("munderover") or (element[2].text or "").strip() not in set(ACCENTS):
        return
    space = element.tag.removesuffix("munderover")
    letter, index, accent = element
    accented = Element(f"{space}mover", accent="true")
    accented.extend([letter, accent])
    element.tag = f"{space}msub"
    element[:] = [accented, index]


def _inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(mathml(node.astext(), block=False))
    raise nodes.SkipNode


def _block(translator: Any, node: nodes.math_block) -> None:
    tex = node.astext()
    # Several lines, or an equation and its number, stand in columns.
    aligned = rf"\begin{{aligned}}{tex}\end{{aligned}}" if "&" in tex or r"\\" in tex else tex
    translator.body.append(f'<div class="equation">{mathml(aligned, block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the renderer as `mathml`."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_block, None))
    return {"parallel_read_safe": True}
