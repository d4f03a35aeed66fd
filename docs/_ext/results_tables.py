"""Tables of figures that are filled from `results/` while the pages are built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import figures
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Figures(SphinxDirective):
    """A table of some recipes' figures: ``:::{figures} ptb/lstm ptb/lstmn``.

    `:metrics:` names the columns; without it there is one for every metric of the results.
    """

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {"metrics": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """The table, and a word on what partial means where one is."""
        names = self.arguments[0].split()
        metrics = [metric.strip() for metric in self.options.get("metrics", "").split(",") if metric.strip()]
        for path in filter(None, map(figures.path_of, names)):
            self.env.note_dependency(path)
        return self.parse_text_to_nodes("\n".join(figures.recipe_table(names, metrics)))


class AllResults(SphinxDirective):
    """Everything in `results/`: a section for each folder, a table for each kind of measurement."""

    def run(self) -> list[nodes.Node]:
        """The sections."""
        by_folder: dict[str, list[Path]] = {}
        for path in figures.files():
            self.env.note_dependency(path)
            by_folder.setdefault(path.parent.relative_to(figures.RESULTS).as_posix(), []).append(path)
        in_order = sorted(by_folder.items(), key=lambda item: item[0].startswith(("bench", "epoch")))  # times last
        text = "\n".join(line for folder, paths in in_order for line in _section(folder, paths))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


class OwnData(SphinxDirective):
    """The table of `results/bench/own-data.json`, or a word that it is not there yet."""

    def run(self) -> list[nodes.Node]:
        """The table."""
        path = figures.RESULTS / "bench" / "own-data.json"
        self.env.note_dependency(path)
        lines = figures.own_table(figures.read(path)) if path.exists() else ["*Not measured yet.*"]
        return self.parse_text_to_nodes("\n".join(lines))


def _section(folder: str, paths: Iterable[Path]) -> Iterator[str]:
    yield f"\n## {folder}\n"
    held = {path: figures.read(path) for path in paths}
    recipes = [figures.name_of(path) for path, value in held.items() if "recipe" in value]
    lines = (*(figures.recipe_table(recipes, []) if recipes else ()), "", *figures.reasons(recipes))
    yield from (line.replace(f"`{folder}/", "`") for line in lines)  # the heading has said it
    for path, value in held.items():
        if "recipe" not in value:
            yield f"\n`{figures.name_of(path)}.json`\n"
            yield from _measured(path.stem, value)


def _measured(name: str, value: Any) -> Iterator[str]:
    if name == "own-data":
        yield from figures.own_table(value)
    else:
        yield from figures.plain_table(value if isinstance(value, list) else list(figures.leaves(value)))


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the directives `figures`, `own-data` and `all-results`."""
    app.add_directive("figures", Figures)
    app.add_directive("own-data", OwnData)
    app.add_directive("all-results", AllResults)
    return {"parallel_read_safe": True}
