"""A recipe: TOML, checked against the constructors it names, and built into parts.

The only reader of the tables. Nothing below knows that recipes exist: constructors take plain arguments.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from readhead.data.corpora import CORPORA
from readhead.errors import InputError
from readhead.models import MODELS
from readhead.optimizers import OPTIMIZERS
from readhead.plans import TextPlan, TrainingPlan, VectorPlan
from readhead.readers import READERS
from readhead.schema import check_options, nearest, options_of
from readhead.tasks import TASKS

if TYPE_CHECKING:
    import numpy as np
    from torch import nn

    from readhead.layers.embedding import Embedding

SHIPPED = Path(__file__).parent / "recipes"

# Sections whose `kind` picks a class, with the keywords that the builder gives.
TABLES: Mapping[str, tuple[Mapping[str, str], tuple[str, ...]]] = {
    "corpus": (CORPORA, ()),
    "task": (TASKS, ("labels",)),
    "reader": (READERS, ("input_dim",)),
    "model": (MODELS, ("embedding", "reader", "num_classes")),
    "optimizer": (OPTIMIZERS, ()),
}
# Sections of one class each.
SINGLE: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "text": ("readhead.plans:TextPlan", ()),
    "vectors": ("readhead.plans:VectorPlan", ()),
    "embedding": ("readhead.layers.embedding:Embedding", ("table", "pretrained")),
    "training": ("readhead.plans:TrainingPlan", ()),
}
# What a model's constructor asks for, and the sections that give it: a recipe has them just if its model asks.
ASKED_FOR: Mapping[str, tuple[str, ...]] = {
    "reader": ("reader",),
    "embedding": ("vectors", "embedding", "optimizer", "training"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """One section, checked: the class it names and all of that class's options."""

    kind: str
    target: str
    options: Mapping[str, Any]

    def load(self) -> Any:
        """The class, imported."""
        module, name = self.target.split(":")
        return getattr(importlib.import_module(module), name)

    def build(self, **derived: Any) -> Any:
        """Imports the class and makes it."""
        return self.load()(**derived, **self.options)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that one training run is told.

    name: how the command line calls it (`snli/decomposable`), or its file's path.
    summary: one line for people.
    paper: by row id of a paper's table, the figures printed there, by metric.
    partial: what of the paper's data is missing, in words; such a run never stands as a reproduction. None = nothing.
    deviates: where it differs from what the paper did, in words. None = nowhere that is known.
    parts: the sections, by name, checked, defaults filled in.
    """

    name: str
    summary: str
    paper: Mapping[str, Mapping[str, float]]
    partial: str | None
    deviates: str | None
    parts: Mapping[str, Part]

    @property
    def text(self) -> TextPlan:
        """[text]."""
        return TextPlan(**self.parts["text"].options)

    @property
    def vectors(self) -> VectorPlan:
        """[vectors]; of a model without any, one row for all unknown words and none that comes from a file."""
        return VectorPlan(**self.parts["vectors"].options) if "vectors" in self.parts else VectorPlan(dim=1, oov="zero")

    @property
    def training(self) -> TrainingPlan:
        """[training]; of a model that descends nothing, one reading of each text."""
        return TrainingPlan(**self.parts["training"].options) if "training" in self.parts else TrainingPlan(epochs=1)

    def why_partial(self, complete_data: bool) -> str | None:
        """Why what is trained by it reproduces nothing, in words: the recipe's own, or that the corpus is not whole."""
        return self.partial or (None if complete_data else "only a part of the corpus")

    def build_model(self, *, table: np.ndarray, pretrained: np.ndarray, num_classes: int) -> nn.Module:
        """The whole network, freshly initialised from torch's global generator.

        table: [V, E] float32, where word rows start; not looked at by a model without vectors.
        pretrained: [V] bool, which of them came from a vectors file.
        num_classes: C, as many logits as the task asks for.
        Raises: InputError where the parts do not fit each other.
        """
        given: dict[str, Any] = {"num_classes": num_classes}
        if "embedding" in self.parts:
            import torch

            rows, known = torch.from_numpy(table), torch.from_numpy(pretrained)
            embedding: Embedding = self.parts["embedding"].build(table=rows, pretrained=known)
            given["embedding"] = embedding
            if "reader" in self.parts:
                given["reader"] = self.parts["reader"].build(input_dim=embedding.output_dim)
        model: nn.Module = self.parts["model"].build(**given)
        return model

    @property
    def table_trains(self) -> bool:
        """Whether the words' vectors are weights; False where a model has none."""
        return "embedding" in self.parts and bool(self.parts["embedding"].options["trainable"])

    def to_toml(self) -> str:
        """The recipe with every default written out, as it can be read again."""
        document: dict[str, Any] = {"name": self.name, "summary": self.summary}
        document |= {key: value for key in ("partial", "deviates") if (value := getattr(self, key))}
        if self.paper:
            document["paper"] = {row: dict(figures) for row, figures in self.paper.items()}
        for section, part in self.parts.items():
            given = {key: value for key, value in part.options.items() if value is not None}
            document[section] = ({"kind": part.kind} if section in TABLES else {}) | given
        return tomli_w.dumps(document)


def shipped() -> Iterator[str]:
    """The names of all recipes in the package, sorted."""
    yield from sorted(path.relative_to(SHIPPED).with_suffix("").as_posix() for path in SHIPPED.rglob("*.toml"))


def find(name: str) -> Path:
    """The file of a recipe: a path that exists, or the name of a shipped one.

    Raises: InputError with the nearest shipped name.
    """
    if name.endswith(".toml"):
        if not Path(name).is_file():
            raise InputError("no such recipe file", file=name)
        return Path(name)
    if name not in (names := list(shipped())):
        raise InputError(f"no recipe is called '{name}'; {nearest(name, names)}")
    return SHIPPED / f"{name}.toml"


def read(name: str, changes: Sequence[str] = ()) -> Recipe:
    """Reads and checks a recipe.

    name: a shipped recipe's name, or a TOML file.
    changes: "section.key=value", applied in order; the value is TOML, or a bare string.
    Raises: InputError naming file, section and key, with the nearest known one.
    """
    path = find(name)
    document = parse(path)
    chosen = check(document, name=document.get("name", name), file=path)
    return changed(document, changes, name=chosen.name) if changes else chosen


def changed(document: dict[str, Any], changes: Sequence[str], *, name: str) -> Recipe:
    """A recipe from plain data and changes to it. Raises: InputError, which blames the changes and no file."""
    for written in changes:
        change(document, written)
    return check(document, name=name, file="--set" if changes else None)


def parse(path: Path) -> dict[str, Any]:
    """A TOML file as plain data.

    Raises: InputError with the line where it breaks.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not valid TOML: {error}", file=path) from None


def check(document: Mapping[str, Any], *, name: str, file: Path | str | None = None) -> Recipe:
    """A recipe from plain data; every wrong key is told by name.

    Raises: InputError.
    """
    words = {"name", "summary", "partial", "deviates"}
    known = {*words, "paper", *TABLES, *SINGLE}
    for key, value in document.items():
        if key not in known:
            raise InputError(f"a recipe has no section '{key}'; {nearest(key, known)}", file=file)
        if key in words and not isinstance(value, str):
            raise InputError(f"{key} = {value!r}: expected a string", file=file)
    for section in ("corpus", "task", "model"):
        if section not in document:
            raise InputError(f"the section [{section}] is missing", file=file)
    spared = _not_asked_for(_check_part("model", document["model"], file))
    for section in (*TABLES, *SINGLE):
        if section in spared and section in document:
            kind = document["model"]["kind"]
            raise InputError(f"a recipe with the model '{kind}' has no [{section}]: the model takes none", file=file)
        if section in TABLES and section not in spared and section not in document:
            raise InputError(f"the section [{section}] is missing", file=file)
    asked = [section for section in (*TABLES, *SINGLE) if section not in spared]
    parts = {section: _check_part(section, document.get(section, {}), file) for section in asked}
    told = {key: document.get(key) for key in ("partial", "deviates")}
    chosen = Recipe(name, document.get("summary", ""), _paper(document.get("paper", {}), file), **told, parts=parts)
    _check_numbers(chosen, file)
    return chosen


def _not_asked_for(model: Part) -> set[str]:
    keywords = options_of(model.target)
    return {section for keyword, sections in ASKED_FOR.items() if keyword not in keywords for section in sections}


def _check_numbers(chosen: Recipe, file: Path | str | None) -> None:
    """What a type does not say: a batch of 0, a learning rate below 0. None of this imports torch."""
    try:
        _ = chosen.text
        for section in {"vectors", "optimizer", "training"} & chosen.parts.keys():
            chosen.parts[section].build()
    except InputError as error:
        raise InputError(error.message, file=file) from None


def _paper(given: Any, file: Path | str | None) -> Mapping[str, Mapping[str, float]]:
    rows = given.values() if isinstance(given, dict) else [None]
    if not all(isinstance(row, dict) and all(isinstance(v, int | float) for v in row.values()) for row in rows):
        raise InputError("[paper] must hold a section for each row, with a number for each metric", file=file)
    return {row: dict(figures) for row, figures in given.items()}


def change(document: dict[str, Any], written: str) -> None:
    """Applies "section.key=value" to a recipe's plain data. Raises: InputError when it is written otherwise."""
    path, equals, value = written.partition("=")
    section, dot, key = path.strip().partition(".")
    if not (equals and dot and key) or not isinstance(document.get(section, {}), dict):
        raise InputError(f"--set {written}: expected section.key=value, such as training.epochs=3")
    document.setdefault(section, {})[key] = _value(value.strip())


def _check_part(section: str, given: Any, file: Path | str | None) -> Part:
    if not isinstance(given, dict):
        raise InputError(f"[{section}] must be a section of keys, not {given!r}", file=file)
    if section in SINGLE:
        target, derived = SINGLE[section]
        return Part(section, target, check_options(section, target, given, derived=derived, file=file))
    table, derived = TABLES[section]
    kind = str(given.get("kind"))
    if kind not in table:
        raise InputError(f"[{section}] kind = {kind!r}; {nearest(kind, table)}", file=file)
    options = {key: value for key, value in given.items() if key != "kind"}
    return Part(kind, table[kind], check_options(section, table[kind], options, derived=derived, file=file))


def _value(written: str) -> Any:
    try:
        return tomllib.loads(f"value = {written}")["value"]
    except tomllib.TOMLDecodeError:
        return written
