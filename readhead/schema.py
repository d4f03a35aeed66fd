"""A constructor is the schema: what a class may be told, read from its source without importing it.

Importing a model imports torch, which takes a second; checking a recipe should not.
"""

from __future__ import annotations

import ast
import difflib
import functools
import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readhead.errors import InputError

REQUIRED = object()
FEW = 20  # names that are told all, where one may have been meant


@dataclass(frozen=True, slots=True)
class Option:
    """One keyword of a constructor: its annotation as written, and its default (REQUIRED if it has none)."""

    annotation: str
    default: Any


def nearest(word: str, known: Iterable[str]) -> str:
    """The sentence part that tells what is known, the nearest first: "did you mean 'x'? known: x, y"."""
    names = sorted(known)
    if not names:
        return "it takes none"
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    meant = f"did you mean '{close[0]}'? " if close else ""
    return meant.rstrip() if close and len(names) > FEW else f"{meant}known: {', '.join(names)}"


@functools.cache
def options_of(target: str) -> Mapping[str, Option]:
    """The keywords that "module:Class" takes, in order: of `__init__`, of a dataclass's fields, or of the class above.

    A class above is looked for in the same module.
    """
    definition = _class_definition(target)
    for item in definition.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            keywords = zip(item.args.kwonlyargs, item.args.kw_defaults, strict=True)
            return {arg.arg: _option(arg.annotation, default) for arg, default in keywords}
    fields = {
        item.target.id: _option(item.annotation, item.value)
        for item in definition.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and not _of_the_class(item)
    }
    module, above = target.partition(":")[0], [ast.unparse(base) for base in definition.bases]
    here = {item.name for item in _parsed(module).body if isinstance(item, ast.ClassDef)}
    inherited = [options_of(f"{module}:{name}") for name in above if name in here]
    return fields or next(iter(inherited), {})


def check_options(
    section: str,
    target: str,
    given: Mapping[str, Any],
    *,
    derived: Iterable[str] = (),
    file: Path | str | None = None,
) -> dict[str, Any]:
    """The options with their defaults filled in, or the first that is wrong, by name.

    section: the recipe's section, for messages.
    target: "module:Class".
    given: what the recipe says.
    derived: keywords that the builder gives, which a recipe must not.
    file: the recipe's file, for messages.
    Raises: InputError for an unknown or missing key, or a value of another type.
    """
    options = {name: o for name, o in options_of(target).items() if name not in set(derived)}
    for key, value in given.items():
        if key not in options:
            raise InputError(f"[{section}] has an unknown key '{key}'; {nearest(key, options)}", file=file)
        _check_type(section, key, value, options[key].annotation, file)
    missing = [name for name, o in options.items() if o.default is REQUIRED and name not in given]
    if missing:
        wanted = options[missing[0]].annotation
        raise InputError(f"[{section}] lacks the key '{missing[0]}' (expected: {wanted})", file=file)
    return {name: _as_annotated(given.get(name, o.default), o.annotation) for name, o in options.items()}


def _of_the_class(field: ast.AnnAssign) -> bool:
    return ast.unparse(field.annotation).startswith("ClassVar")


def _class_definition(target: str) -> ast.ClassDef:
    module, name = target.split(":")
    for item in _parsed(module).body:
        if isinstance(item, ast.ClassDef) and item.name == name:
            return item
    raise LookupError(f"{module} defines no class {name}")


@functools.cache
def _parsed(module: str) -> ast.Module:
    # The package's own folder is found without importing the sub-packages on the way.
    root = importlib.util.find_spec("readhead")
    if root is None or root.origin is None:
        raise LookupError("readhead is not installed as files")
    path = Path(root.origin).parent.joinpath(*module.split(".")[1:]).with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


def _option(annotation: ast.expr | None, default: ast.expr | None) -> Option:
    written = "Any" if annotation is None else ast.unparse(annotation)
    return Option(written, REQUIRED if default is None else ast.literal_eval(default))


def _check_type(section: str, key: str, value: Any, annotation: str, file: Path | str | None) -> None:
    if not _fits(value, ast.parse(annotation, mode="eval").body):
        raise InputError(f"[{section}] {key} = {value!r}: expected {_in_words(annotation)}", file=file)


def _in_words(annotation: str) -> str:
    """An annotation as people write it: `Literal['a', 'b'] | None` is 'a' or 'b'; TOML has no word for None."""
    kinds = annotation.removesuffix(" | None")
    return kinds.removeprefix("Literal[").removesuffix("]").replace(", ", " or ") if "Literal" in kinds else kinds


_PLAIN: Mapping[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "str": (str,)}


def _fits(value: Any, kind: ast.expr) -> bool:
    """Whether a TOML value fits an annotation, given as its syntax tree."""
    match kind:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _fits(value, left) or _fits(value, right)
        case ast.Constant(value=None):
            return value is None
        case ast.Subscript(value=ast.Name(id="Literal"), slice=choices):
            return value in (
                ast.literal_eval(choices) if isinstance(choices, ast.Tuple) else [ast.literal_eval(choices)]
            )
        case ast.Subscript(value=ast.Name(id="tuple" | "dict" as holder), slice=ast.Tuple(elts=elements)):
            return _holds(value, holder, elements)
        case ast.Name(id="bool"):
            return isinstance(value, bool)
        case ast.Name(id=name) if name in _PLAIN:
            return isinstance(value, _PLAIN[name]) and not isinstance(value, bool)
    raise LookupError(f"an option is annotated {ast.unparse(kind)}, which no recipe can say")


def _holds(value: Any, holder: str, elements: Sequence[ast.expr]) -> bool:
    """Whether it is a list of what a `tuple[X, ...]` holds, or a table of what a `dict[str, X]` does."""
    if holder == "dict":
        return isinstance(value, dict) and all(_fits(v, elements[1]) for v in value.values())
    return isinstance(value, list | tuple) and all(_fits(v, elements[0]) for v in value)


def _as_annotated(value: Any, annotation: str) -> Any:
    return tuple(value) if isinstance(value, list) and annotation.startswith("tuple") else value
