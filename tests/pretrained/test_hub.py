"""The hub, from a server of our own on this machine: nothing leaves it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import readhead
from readhead import Reader
from readhead.errors import InputError
from tests.pretrained.hub_server import Hub, hub_server

PAIR = {"premise": "The baker sings.", "hypothesis": "A baker sings."}
NOBODY = "http://127.0.0.1:9"


@pytest.fixture
def hub() -> Iterator[Hub]:
    with hub_server() as serving:
        yield serving


@pytest.fixture
def fetched(hub: Hub, tmp_path: Path) -> Callable[..., Reader]:
    def fetch(repo_id: str, **asked: object) -> Reader:
        known = {"endpoint": hub.url, "token": False, "cache_dir": tmp_path / "cache"}
        return Reader.from_pretrained(repo_id, **(known | asked))  # type: ignore[arg-type]

    return fetch


def test_there_and_back(hub: Hub, pair: Path, fetched: Callable[..., Reader]) -> None:
    reader = readhead.load(pair)
    where = reader.push_to_hub("someone/pairs", endpoint=hub.url, token=False)
    assert where.startswith(f"{hub.url}/someone/pairs/commit/")
    files = hub.repositories["someone/pairs"]
    assert files.keys() == {path.name for path in reader.run.files.shared}
    card = files.pop("README.md").decode()
    head = "---\nlibrary_name: readhead\npipeline_tag: text-classification\n---\n\n"
    assert card == head + (pair / "README.md").read_text()
    assert files == {name: (pair / name).read_bytes() for name in files}
    files |= {"README.md": card.encode(), "weights.pkl": b"cos\nsystem\n", "config.json": b"{}"}

    again = fetched("someone/pairs")
    assert again(**PAIR) == reader(**PAIR)
    assert {path.name for path in again.run.files.folder.iterdir()} == {path.name for path in reader.run.files.shared}
    assert not [line for line in hub.requests if ".pkl" in line or "config.json" in line]


def test_what_was_fetched_is_kept(hub: Hub, pair: Path, fetched: Callable[..., Reader]) -> None:
    hub.repositories["someone/pairs"] = {path.name: path.read_bytes() for path in pair.iterdir() if path.is_file()}
    assert "train.log" in hub.repositories["someone/pairs"]
    first = fetched("someone/pairs")
    assert not (first.run.files.folder / "train.log").exists()
    before = len(hub.requests)
    again = fetched("someone/pairs", local_files_only=True)
    assert (again(**PAIR), len(hub.requests)) == (first(**PAIR), before)


def test_saving_can_push_too(hub: Hub, pair: Path, tmp_path: Path) -> None:
    known = {"endpoint": hub.url, "token": False}
    readhead.load(pair).save_pretrained(tmp_path / "copy", push_to_hub=True, repo_id="someone/two", **known)
    assert hub.repositories["someone/two"].keys() == {path.name for path in (tmp_path / "copy").iterdir()}


def refused(ask: Callable[[], object]) -> str:
    with pytest.raises(InputError) as refusal:
        ask()
    return str(refusal.value)


def test_refusals_are_one_line(hub: Hub, pair: Path, fetched: Callable[..., Reader], tmp_path: Path) -> None:
    reader = readhead.load(pair)
    hub.repositories["someone/else"] = {"README.md": b"something else"}
    asked = {
        "no such repository": lambda: fetched("someone/nobody"),
        "'someone/else' on the hub holds no run": lambda: fetched("someone/else"),
        "is no id of a model on the hub; expected such as owner/name": lambda: fetched("some one/pairs"),
        "no such run directory, and no id on the hub": lambda: fetched("pairs"),
        "Cannot find an appropriate cached snapshot": lambda: fetched("someone/new", local_files_only=True),
        "'someone/new' on the hub: ": lambda: fetched("someone/new", endpoint=NOBODY),
        "'someone/pairs' on the hub: ": lambda: reader.push_to_hub("someone/pairs", endpoint=NOBODY, token=False),
        "expected neither config": lambda: reader.push_to_hub("someone/pairs", config={"a": 1}, endpoint=hub.url),
    }
    for message, ask in asked.items():
        told = refused(ask)
        assert message in told
        assert "\n" not in told
    copy = Path(shutil.copytree(pair, tmp_path / "without"))
    (copy / "README.md").unlink()
    without = Reader.from_pretrained(copy)
    assert "the model card of this run is missing" in refused(lambda: without.push_to_hub("a/b", endpoint=hub.url))
    assert hub.repositories.keys() == {"someone/else"}
