"""What README and docs point to is there, and the commands they show are commands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from readhead import recipe
from readhead.cli.main import app

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted(ROOT.glob("docs/**/*.md")),
    *sorted(ROOT.glob("tests/**/*.md")),
]
EACH = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))

# What stands for something else: <name>, FILE.toml, {…}, *.py, "...".
PLACEHOLDER = re.compile(r"[<>{}*…]|\.\.\.|^[A-Z]+(\.|$)")
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir()} | {
    "docs",
    "benchmarks",
    "results",
    "examples",
}


def code(document: Path) -> Iterator[str]:
    """Each line of a code block, and each inline piece of code."""
    text = document.read_text(encoding="utf-8")
    for block in re.findall(r"^ *```[^\n]*\n(.*?)^ *```", text, flags=re.M | re.S):
        yield from block.replace("\\\n", " ").splitlines()
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S))


def commands(document: Path, program: str) -> Iterator[list[str]]:
    """The arguments of each shown call of a program, without a prompt in front and a comment behind."""
    for line in code(document):
        called = re.match(rf"(?:\$ )?(?:\.venv/bin/)?{program}(?=\s|$)(.*)", line.strip())
        if called:
            yield shlex.split(re.split(r"[|>&;]", called[1])[0], comments=True)


def anchors(document: Path) -> set[str]:
    """The anchors that headings make: lower-case, without punctuation, spaces as hyphens."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_there_are_documents() -> None:
    assert {"README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"} <= {path.name for path in DOCUMENTS}


@EACH
def test_relative_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8"))
    for link in links:
        path, _, anchor = link.partition("#")
        if re.match(r"\w+:", link):
            continue
        target = document.parent / path if path else document
        assert target.exists(), f"{document.name} links to {link}"
        assert not anchor or anchor in anchors(target), f"{document.name} links to {link}: no such heading"


@EACH
def test_files_that_are_named_exist(document: Path) -> None:
    for piece in code(document):
        if " " in piece or "/" not in piece or PLACEHOLDER.search(piece) or piece.startswith(("/", "~", "-")):
            continue
        if piece.split("/")[0] in FOLDERS and not piece.startswith("runs/"):
            assert (ROOT / piece).exists(), f"{document.name} names {piece}"


@EACH
def test_make_targets_exist(document: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.M))
    for arguments in commands(document, "make"):
        named = {argument for argument in arguments if "=" not in argument}
        assert named <= targets, f"{document.name}: make {' '.join(arguments)}; the targets are {sorted(targets)}"


@EACH
def test_commands_exist(document: Path) -> None:
    for arguments in commands(document, "readhead"):
        shown = f"{document.name}: readhead {' '.join(arguments)}"
        command: Any = typer.main.get_command(app)
        while hasattr(command, "commands") and arguments and re.fullmatch(r"[a-z][a-z-]*", arguments[0]):
            assert arguments[0] in command.commands, f"{shown}; there are {sorted(command.commands)}"
            command = command.get_command(typer.Context(command), arguments.pop(0))  # verbs are imported when got
        known = {option for parameter in command.params for option in parameter.opts} | {"--help", "--debug"}
        options = {argument.partition("=")[0] for argument in arguments if argument.startswith("--")}
        assert options <= known, f"{shown}: no {sorted(options - known)}; there are {sorted(known)}"


@EACH
def test_recipes_that_are_shown_exist(document: Path) -> None:
    shipped = set(recipe.shipped())
    for arguments in commands(document, "readhead"):
        for name in arguments[1:]:
            if name.partition("/")[0] in {shipped_name.partition("/")[0] for shipped_name in shipped} and "/" in name:
                assert name in shipped, f"{document.name}: readhead {' '.join(arguments)}"
