from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from readhead import own_spaces, recipe
from readhead.errors import InputError
from readhead.own_data import OwnData
from readhead.own_sizes import DEFAULT_READER
from readhead.own_spaces import ALSO_SEARCHED, SPACES
from readhead.search.space import Setting, Space


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.csv"
    path.write_text("text,label\na b,x\nc d,y\n")
    return path


def space(own: Path, *changes: str, reader: str | None = None, vectors: Path | None = None) -> Space:
    return Space(OwnData(task="classify", data=own, reader=reader), vectors, changes)


def test_the_table_that_people_read_is_the_one_that_is_used() -> None:
    lines = re.findall(r"^\| +(\S*) +\| ([a-z._]+) +\| (.*?) +\|$", str(own_spaces.__doc__), re.MULTILINE)
    told: dict[str, dict[str, str]] = {}
    for name, key, values in lines:
        if name and name != "recipe":
            told[name] = {}
        if key != "key":
            told[list(told)[-1]][key] = values
    assert told == {
        name: {key: ", ".join(map(str, values)) for key, values in keys.items()} for name, keys in SPACES.items()
    }


def test_every_recipe_for_own_data_has_a_line_and_every_line_its_recipe() -> None:
    assert SPACES.keys() == {name for name in recipe.shipped() if name.partition("/")[0] in DEFAULT_READER}


@pytest.mark.parametrize("name", SPACES)
def test_the_default_is_among_the_values_which_go_upwards(name: str) -> None:
    made = recipe.read(name)
    for key, values in SPACES[name].items():
        section, _, option = key.partition(".")
        assert made.parts[section].options[option] in values
        assert list(values) == sorted(set(values))
        assert [recipe.read(name, [f"{key}={value}"]) for value in values]


def test_readers_are_searched_unless_one_is_named(own: Path) -> None:
    assert set(space(own).keys) == set(ALSO_SEARCHED["classify"])
    assert next(iter(space(own).keys)) == space(own).start.reader == "words"
    assert set(space(own, reader="cnn").keys) == {"cnn"}


def test_what_is_set_is_not_searched(own: Path) -> None:
    found = space(own, "optimizer.learning_rate=0.01", reader="words")
    assert "optimizer.learning_rate" not in found.keys["words"]
    assert found.recipe(found.start).parts["optimizer"].options["learning_rate"] == 0.01


def test_vectors_have_their_own_width(own: Path, tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("a 1 2\n")
    found = space(own, vectors=tmp_path / "v.txt")
    assert not any("vectors.dim" in keys for keys in found.keys.values())
    assert found.start.reader == "cnn-static"
    assert set(found.keys) == {"cnn-static", *ALSO_SEARCHED["classify"]}


def test_a_change_that_fits_one_reader_alone_is_told_with_the_other(own: Path) -> None:
    with pytest.raises(InputError, match=r"'widths'.*reader 'words', one of 2.*--reader names one"):
        space(own, "reader.widths=[1]")


def test_the_start_is_what_training_without_a_search_has(own: Path) -> None:
    found = space(own)
    assert found.changes(found.start) == []
    assert found.recipe(found.start).to_toml() == space(own, reader="words").recipe(found.start).to_toml()


def test_a_setting_is_written_as_the_command_line_takes_it(own: Path) -> None:
    found = space(own, "training.epochs=2")
    setting = Setting("cnn", {**{key: values[-1] for key, values in found.keys["cnn"].items()}})
    words = shlex.split(found.command(setting, seed=5))
    assert words[:3] == ["readhead", "train", "--task"]
    changes = [words[place + 1] for place, word in enumerate(words) if word == "--set"]
    assert changes[0] == "training.epochs=2"
    again = Space(OwnData(task="classify", data=own, reader="cnn"), None, changes)
    assert again.recipe(again.start).to_toml() == found.recipe(setting).to_toml()


def test_as_many_settings_as_can_be_made(own: Path) -> None:
    found = space(own, reader="words")
    expected = 1
    for values in SPACES["classify/words"].values():
        expected *= len(values)
    assert found.size == expected
