"""A constructor is the schema: unknown keys, missing keys and wrong types are told by name."""

from __future__ import annotations

import pytest

from readhead.errors import InputError
from readhead.schema import REQUIRED, check_options, nearest, options_of

PLAN = "readhead.plans:TrainingPlan"
LSTM = "readhead.readers.lstm:LSTMReader"


def test_a_dataclass_is_read_from_source() -> None:
    options = options_of(PLAN)
    assert options["epochs"].annotation == "int"
    assert options["gradient_norm"].default is None


def test_a_constructor_is_read_from_source() -> None:
    options = options_of(LSTM)
    assert options["input_dim"].default is REQUIRED
    assert options["hidden_dim"].annotation == "int"


def test_defaults_are_filled_in() -> None:
    checked = check_options("training", PLAN, {"epochs": 3})
    assert (checked["epochs"], checked["batch_size"]) == (3, 32)


def test_an_unknown_key_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"my.toml: \[training\] .* 'epoch'; did you mean 'epochs'\?"):
        check_options("training", PLAN, {"epoch": 3}, file="my.toml")


def test_a_key_that_the_builder_gives_is_unknown() -> None:
    with pytest.raises(InputError, match="unknown key 'input_dim'"):
        check_options("reader", LSTM, {"input_dim": 3}, derived=("input_dim",))


def test_a_missing_key_is_named_with_its_type() -> None:
    with pytest.raises(InputError, match=r"lacks the key 'hidden_dim' \(expected: int\)"):
        check_options("reader", LSTM, {}, derived=("input_dim",))


@pytest.mark.parametrize(
    ("key", "value"),
    [("epochs", "three"), ("epochs", 1.5), ("epochs", True), ("decay", "0.5"), ("patience", [1])],
)
def test_a_value_of_another_type_is_told(key: str, value: object) -> None:
    with pytest.raises(InputError, match=rf"\[training\] {key} = .*expected"):
        check_options("training", PLAN, {key: value})


def test_a_choice_is_checked() -> None:
    with pytest.raises(InputError, match="oov = 'none': expected 'hashed' or 'zero' or 'normal'"):
        check_options("vectors", "readhead.plans:VectorPlan", {"oov": "none"})


def test_a_whole_number_is_a_float() -> None:
    assert check_options("training", PLAN, {"decay": 1})["decay"] == 1


def test_nearest_tells_all_that_is_known() -> None:
    assert nearest("adm", ["adam", "sgd"]) == "did you mean 'adam'? known: adam, sgd"
    assert nearest("xyz", ["adam", "sgd"]) == "known: adam, sgd"
    assert nearest("xyz", []) == "it takes none"
    assert nearest("adm", ["adam", *map(str, range(50))]) == "did you mean 'adam'?"
