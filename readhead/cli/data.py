"""`readhead data`: where corpora come from, and what is wrong with a file of your own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readhead.cli.options import (
    CorporaOption,
    JSONOption,
    LabelColumnOption,
    TextColumnOption,
    corpora_folder,
    print_json,
)
from readhead.cli.table import print_table
from readhead.data.sources import SOURCES, Source, missing_files
from readhead.errors import InputError
from readhead.schema import nearest

if TYPE_CHECKING:
    from readhead.data.check import Report

verbs = typer.Typer(help="Where a corpus comes from, its licence, its checksum; what is wrong with a file.")


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.add_typer(verbs, name="data", short_help="List and fetch corpora; check a file of your own.")


@verbs.callback(invoke_without_command=True)
def default(context: typer.Context, as_json: JSONOption = False) -> None:
    """Where a corpus comes from, its licence, its checksum; what is wrong with a file."""
    if context.invoked_subcommand is None:
        list_sources(as_json=as_json)
    elif as_json:
        raise InputError(f"expected --json, if at all, behind {context.invoked_subcommand}")


@verbs.command("list")
def list_sources(corpora: CorporaOption = None, as_json: JSONOption = False) -> None:
    """List corpora and vectors with licence and address, and which are here."""
    folder = corpora_folder(corpora)
    entries = [_entry(name, source, folder) for name, source in SOURCES.items()]
    if as_json:
        print_json(entries)
        return
    print(f"below {folder}:\n")
    for entry in entries:
        print(f"{entry['name']}: {entry['title']}" + (" (here)" if entry["here"] else ""))
        print(f"    licence: {entry['licence']}")
        print(f"    from: {entry['url'] or 'cannot be fetched'}")
        print(f"    SHA-256: {entry['sha256'] or 'not known'}")
        if entry["note"]:
            print(f"    note: {entry['note']}")


@verbs.command("fetch")
def fetch(
    name: Annotated[str, typer.Argument(metavar="CORPUS")],
    corpora: CorporaOption = None,
) -> None:
    """Fetch a corpus or vectors, check its SHA-256, unpack what is read of it."""
    if name not in SOURCES:
        raise InputError(f"there is no corpus '{name}'; {nearest(name, SOURCES)}")
    from readhead.data.fetch import fetch as start

    fetched = start(SOURCES[name], corpora_folder(corpora))
    for path in fetched.files:
        print(path)
    print("all was here already" if fetched.sha256 is None else f"SHA-256 {fetched.sha256}")


@verbs.command("check")
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    task: Annotated[str, typer.Option(help="What it is for: classify or pair.")],
    text_column: TextColumnOption = None,
    label_column: LabelColumnOption = None,
    as_json: JSONOption = False,
) -> None:
    """Report every problem of your own file by line; exit 2 if training could not use it."""
    from readhead.data.check import check_file

    report = check_file(file, task, text_columns=text_column or [], label_column=label_column)
    if as_json:
        print_json(_report(report))
    else:
        _print(report)
    if not report.usable:
        count = sum(report.counts.values())
        problems = f"{count} problem{'s' * (count != 1)}"
        raise InputError(f"{problems}; training could not use this file", file=file)


def _entry(name: str, source: Source, folder: Path) -> dict[str, Any]:
    return {
        "name": name,
        "title": source.title,
        "here": not missing_files(source, folder),
        "files": list(source.files),
        "licence": source.licence,
        "url": source.url,
        "sha256": source.sha256,
        "citation": source.citation,
        "note": source.note,
    }


def _report(report: Report) -> dict[str, Any]:
    summary = report.summary
    return {
        "file": str(report.file),
        "usable": report.usable,
        "problems": [
            {"line": p.line, "column": p.column, "kind": p.kind, "message": p.message} for p in report.problems
        ],
        "counts": dict(report.counts),
        "rows": summary.rows,
        "unlabelled": summary.unlabelled,
        "labels": dict(summary.labels),
        "duplicates": summary.duplicates,
        "contradictions": summary.contradictions,
    }


def _print(report: Report) -> None:
    summary = report.summary
    for problem in report.problems:
        print(problem.error(report.file))
    for kind, count in report.counts.items():
        shown = sum(problem.kind == kind for problem in report.problems)
        if count > shown:
            print(f"… and {count - shown} more of the kind: {kind}")
    print(f"{report.file}: {summary.rows:,} good rows")
    if summary.unlabelled:
        print(f"without an agreed label: {summary.unlabelled:,}, which training leaves out")
    if summary.duplicates:
        print(f"rows whose texts stood before: {summary.duplicates:,}, {summary.contradictions:,} with another label")
    rows = [
        (label, f"{count:,}", f"{count / sum(summary.labels.values()):.1%}") for label, count in summary.labels.items()
    ]
    if rows:
        print()
        print_table("", ("label", "rows", "share"), rows, numbers=(1, 2))
    lengths = [
        (field, str(x.shortest), f"{x.median:.0f}", str(x.longest), str(x.empty))
        for field, x in summary.lengths.items()
    ]
    if lengths:
        print()
        print_table("", ("text", "shortest", "median", "longest (words)", "empty"), lengths, numbers=(1, 2, 3, 4))
