"""Pictures that stand in the page itself, so that they have its colours, light or dark."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Picture(SphinxDirective):
    """An SVG file of `docs/pictures`, with what it says in words for those who don't see it.

    The text below is its caption.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"alt": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """The picture as a figure."""
        path = Path(self.env.srcdir) / "pictures" / f"{self.arguments[0]}.svg"
        self.env.note_dependency(path)
        if "alt" not in self.options or not path.is_file():
            raise self.error(f"expected a file {path.name} in docs/pictures, and :alt:")
        svg = re.sub(r"<\?xml.*?\?>\s*|<!--.*?-->\s*", "", path.read_text(encoding="utf-8"), flags=re.S)
        label = nodes.Element(alt=self.options["alt"]).starttag()  # quotes what must be quoted
        alt = label[label.index("alt=") + 4 : -1]
        drawn = svg.replace("<svg ", f'<svg role="img" aria-label={alt} ', 1)
        figure = nodes.figure(classes=["picture"])
        figure += nodes.raw("", drawn, format="html")
        if self.content:
            text, _ = self.parse_inline("\n".join(self.content))
            figure += nodes.caption("", "", *text)
        return [figure]


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the directive `picture`."""
    app.add_directive("picture", Picture)
    return {"parallel_read_safe": True}
