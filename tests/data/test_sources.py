"""The table of sources: every corpus and vector file of a recipe is in it, and says what it needs to."""

from __future__ import annotations

import tomllib
from pathlib import Path, PurePosixPath

import pytest

import readhead.recipes
from readhead.data.corpora import CORPORA
from readhead.data.sources import SOURCES

# The user's own, one that is generated, and two that are made of IMDB's and SST's files.
NO_FILES_OF_THEIR_OWN = {"file", "grammar", "imdb-text", "sentiment"}
RECIPES = [tomllib.loads(file.read_text()) for file in Path(readhead.recipes.__path__[0]).rglob("*.toml")]


def test_every_corpus_is_there() -> None:
    assert CORPORA.keys() - NO_FILES_OF_THEIR_OWN <= SOURCES.keys()


def test_every_vector_file_of_a_recipe_is_there() -> None:
    public = [recipe for recipe in RECIPES if recipe.get("corpus", {}).get("kind") != "file"]
    used = {recipe.get("vectors", {}).get("file") for recipe in public} - {None}
    assert used
    assert used <= SOURCES.keys()


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_says_what_it_needs_to(name: str) -> None:
    source = SOURCES[name]
    assert source.files and source.licence
    assert len(set(source.files)) == len(source.files)
    if source.by_hand:
        assert source.note, "what cannot be fetched says why"
    if source.downloads:
        assert source.page
    for download in source.downloads:
        assert download.url.startswith("https://")
        if download.contents is None:
            assert download.sha256 is not None, "only an archive can be told from half of one without a checksum"
        assert download.sha256 is None or len(bytes.fromhex(download.sha256)) == 32


@pytest.mark.parametrize("name", SOURCES)
def test_every_file_stays_below_the_folder(name: str) -> None:
    source = SOURCES[name]
    for file in (*source.files, *(download.place for download in source.downloads)):
        path = PurePosixPath(file)
        assert len(path.parts) > 1 and not path.is_absolute() and ".." not in path.parts


def test_no_file_and_no_download_has_two_owners() -> None:
    files = [file for source in SOURCES.values() for file in source.files]
    places = [download.place for source in SOURCES.values() for download in source.downloads]
    assert len(set(files)) == len(files)
    assert len(set(places)) == len(places)
