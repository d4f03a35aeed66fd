"""What is asked of which run: Hugging Face's `{"inputs", "parameters"}`, or records as `readhead predict` takes them.

    {"inputs": "A text.", "parameters": {"top_k": 2}, "model": "nli"}
    {"records": [{"text": "A text."}, {"text": "Another."}]}
    [{"premise": "A dog runs.", "hypothesis": "It rests."}]
    {"text": "A text."}

One in, one out; a list in, a list out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readhead.data.records import json_word
from readhead.prediction.records import Asked, Form, what_is_wrong
from readhead.serve.parameters import Check, checked
from readhead.serve.refusal import wrong

BESIDE = ("model", "parameters", "options")
"""Keys of a body that hold no text; `options` is of Hugging Face's clients and about their own service."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A request, opened.

    items: what is to be read; nothing of them has been looked at.
    alone: whether one thing was asked, and not a list.
    parameters: checked.
    model: the name of a run, if one was given.
    """

    items: Sequence[Any]
    alone: bool
    parameters: Mapping[str, Any]
    model: str | None


def opened(value: Any, known: Mapping[str, Check]) -> Envelope:
    """A body's parts. known: the parameters of the route. Raises: Refusal (422) naming the field that is wrong."""
    if isinstance(value, list):
        return Envelope(value, False, {}, None)
    if not isinstance(value, dict):
        told = f"the body must be an object or a list of records, not {json_word(value)}"
        raise wrong("wrong type", told)
    parameters = value.get("parameters", {})
    if not isinstance(parameters, dict):
        raise wrong("wrong type", f'the field "parameters" must be an object, not {json_word(parameters)}')
    items, alone = _items(value)
    return Envelope(items, alone, checked(parameters, known), _model(value.get("model")))


def asked(item: Any, place: int, form: Form) -> Asked:
    """One item checked: a record; its texts alone, in a list in the task's order; or a text where one is read.

    place: in the list, from 0.
    """
    found = record(item, form)
    told = what_is_wrong(found, form)
    if told:
        return Asked(place, None, told)
    rest = {name: value for name, value in found.items() if name not in form.names}
    return Asked(place, form.readings(found), asked=rest)


def record(item: Any, form: Form) -> Any:
    """An item by field names, where it is a text alone or a list of texts; anything else as it is."""
    if isinstance(item, str) and len(form.names) == 1:
        return {form.names[0]: item}
    if isinstance(item, list) and len(item) == len(form.names) > 1:
        return dict(zip(form.names, item, strict=True))
    if isinstance(item, dict) and len(form.names) == 2 and item.keys() >= {"text", "text_pair"}:
        rest = {name: value for name, value in item.items() if name not in ("text", "text_pair")}
        return {form.names[0]: item["text"], form.names[1]: item["text_pair"], **rest}
    return item


def _items(value: dict[str, Any]) -> tuple[Sequence[Any], bool]:
    if "inputs" in value and "records" in value:
        raise wrong("two lists", 'the body has "inputs" and "records"; expected one of them')
    for name in ("inputs", "records"):
        if name in value:
            unknown = next((key for key in value if key not in (name, *BESIDE)), None)
            if unknown is not None:
                expected = ", ".join(f'"{key}"' for key in (name, *BESIDE[:2]))
                raise wrong("unknown field", f'the field "{unknown}" is unknown; beside "{name}" expected {expected}')
            return _listed(name, value[name])
    return [{key: text for key, text in value.items() if key not in BESIDE}], True


def _listed(name: str, given: Any) -> tuple[Sequence[Any], bool]:
    if isinstance(given, list):
        return given, False
    if name == "records" or not isinstance(given, str | dict):
        expected = "a list of records" if name == "records" else "a text, a record or a list of them"
        raise wrong("wrong type", f'the field "{name}" must be {expected}, not {json_word(given)}')
    return [given], True


def _model(given: Any) -> str | None:
    if given is None or isinstance(given, str):
        return given
    raise wrong("wrong type", f'the field "model" must be a string, not {json_word(given)}')
