"""`readhead recipes`: what can be trained, which rows of which paper it fills, the paper's figure and ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from readhead import durable, recipe
from readhead.cli.options import JSONOption, print_json
from readhead.cli.table import print_table
from readhead.errors import InputError
from readhead.results import merged, printed, read_result

verbs = typer.Typer(help="Every recipe with its corpus, the table rows it fills, the paper's figure and ours.")


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.add_typer(verbs, name="recipes")


@verbs.callback(invoke_without_command=True)
def default(context: typer.Context, as_json: JSONOption = False) -> None:
    """Every recipe with its corpus, the table rows it fills, the paper's figure and ours."""
    if context.invoked_subcommand is None:
        list_recipes(as_json=as_json)
    elif as_json:
        raise InputError(f"expected --json, if at all, behind {context.invoked_subcommand}")


@verbs.command("list")
def list_recipes(as_json: JSONOption = False) -> None:
    """List the recipes."""
    entries = [_entry(recipe.read(name)) for name in recipe.shipped()]
    if as_json:
        print_json(entries)
        return
    rows = [(e["name"], e["corpus"], _figures(e["paper"]), _ours(e)) for e in entries]
    print_table("", ("recipe", "corpus", "paper", "ours"), rows)
    print("\nrows of the papers' tables that they fill:")
    for entry in entries:
        for row in entry["rows"]:
            print(f"  {row}: {entry['name']}")


@verbs.command("show")
def show(name: Annotated[str, typer.Argument(metavar="RECIPE")]) -> None:
    """Print a recipe as it lies in the package."""
    print(recipe.find(name).read_text(encoding="utf-8"), end="")


@verbs.command("copy")
def copy(
    name: Annotated[str, typer.Argument(metavar="RECIPE")],
    to: Annotated[Path, typer.Argument(metavar="FILE.toml")],
) -> None:
    """Copy a recipe, to change it."""
    if to.suffix != ".toml":
        raise InputError(f"expected a file that ends in .toml, not '{to.name}'")
    if to.exists():
        raise InputError("this file exists already; nothing was copied", file=to)
    if not to.parent.is_dir():
        raise InputError("there is no such folder", file=to.parent)
    durable.write(to, recipe.find(name).read_bytes())
    print(f"{to}: to train it, readhead train {to}")


@verbs.command("check")
def check(name: Annotated[str, typer.Argument(metavar="RECIPE")]) -> None:
    """Check a recipe without training it."""
    chosen = recipe.read(name)
    sections = (section for section in recipe.TABLES if section in chosen.parts)
    parts = ", ".join(f"{section} {chosen.parts[section].kind}" for section in sections)
    print(f"{name}: good ({parts})")


def _entry(chosen: recipe.Recipe) -> dict[str, Any]:
    result = read_result(chosen.name)
    return {
        "name": chosen.name,
        "task": chosen.parts["task"].kind,
        "corpus": chosen.parts["corpus"].kind,
        "rows": list(chosen.paper),
        "paper": merged(chosen.paper),
        "ours": None if result is None else {metric: value["mean"] for metric, value in result["metrics"].items()},
        "complete": result is not None and result["complete"],
        "partial": None if result is None else result["partial"],
    }


def _ours(entry: dict[str, Any]) -> str:
    figures = _figures(entry["ours"])
    return figures if entry["ours"] is None or entry["complete"] else f"{figures} (partial)"


def _figures(metrics: dict[str, float] | None) -> str:
    shown = {} if metrics is None else {m: v for m, v in metrics.items() if m in _SHOWN}
    return ", ".join(f"{metric} {printed(metric, value)}" for metric, value in shown.items()) or "–"


_SHOWN = ("accuracy", "perplexity", "map", "mrr", "bleu")
