"""A small corpus of our own and recipes that learn it in seconds, for tests of everything above the models."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from readhead import recipe
from readhead.recipe import Recipe

PEOPLE = ("baker", "sailor", "nurse", "painter", "farmer", "judge")
DOINGS = ("sleeps", "sings", "waits", "laughs", "reads")


def pairs() -> list[dict[str, str]]:
    """Sixty pairs whose label follows from the words: the same, another doing, another person."""
    rows = []
    for i, person in enumerate(PEOPLE):
        for j, doing in enumerate(DOINGS):
            premise, other = f"The {person} {doing}.", PEOPLE[(i + 1) % len(PEOPLE)]
            rows.append({"premise": premise, "hypothesis": f"A {person} {doing}.", "label": "entailment"})
            rows.append({"premise": premise, "hypothesis": f"A {other} {doing}.", "label": "neutral"})
            if j % 2:
                rows.append({"premise": premise, "hypothesis": f"No {person} {doing}.", "label": "contradiction"})
    return rows


def write_pairs(folder: Path, name: str = "pairs.jsonl") -> Path:
    """The pairs as JSON lines."""
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in pairs()), encoding="utf-8")
    return path


def tiny_recipe(folder: Path, changes: Sequence[str] = ()) -> Recipe:
    """Decomposable attention on the pairs: eight units, three epochs, dropout on."""
    document = recipe.parse(recipe.find("pair/decomposable"))
    document["corpus"] = {
        "kind": "file",
        "task": "pair",
        "train": str(write_pairs(folder)),
        "dev_fraction": 0.2,
    }
    document["vectors"] = {"dim": 8}
    document["model"] |= {"hidden_dim": 8}
    document["training"] = {"epochs": 3, "batch_size": 4}
    return recipe.changed(document, changes, name="tiny")
