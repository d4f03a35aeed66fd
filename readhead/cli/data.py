"""`readhead data`: where corpora come from, and what is wrong with a file of your own."""

from __future__ import annotations

import dataclasses
import heapq
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readhead.cli.options import (
    CorporaOption,
    JSONOption,
    LabelColumnOption,
    SoftLabelsOption,
    TextColumnOption,
    corpora_folder,
    print_json,
)
from readhead.cli.table import print_table
from readhead.counted import counted
from readhead.errors import InputError
from readhead.schema import nearest

if TYPE_CHECKING:
    from readhead.data.check import Report
    from readhead.data.fetch import Fetched
    from readhead.data.source import Source

SHOWN_LABELS = 30  # the most frequent, where there are more; --json has all

verbs = typer.Typer(help="Where a corpus comes from, its licence, its checksum; what is wrong with a file.")


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.add_typer(verbs, name="data")


@verbs.callback(invoke_without_command=True)
def default(context: typer.Context, as_json: JSONOption = False) -> None:
    """Where a corpus comes from, its licence, its checksum; what is wrong with a file."""
    if context.invoked_subcommand is None:
        list_sources(None, as_json=as_json)
    elif as_json:
        raise InputError(f"expected --json, if at all, behind {context.invoked_subcommand}")


@verbs.command("list")
def list_sources(
    name: Annotated[str | None, typer.Argument(metavar="[CORPUS]", show_default=False)] = None,
    corpora: CorporaOption = None,
    as_json: JSONOption = False,
) -> None:
    """List corpora and vectors with their licence, and which are here; of one, the address, checksum and files."""
    from readhead.data.sources import SOURCES

    folder = corpora_folder(corpora)
    if name is not None:
        _print_source(_entry(name, _source(name), folder), folder, as_json)
        return
    entries = [_entry(name, source, folder) for name, source in SOURCES.items()]
    if as_json:
        print_json(entries)
        return
    print(f"below {folder}:\n")
    rows = [(e["name"], _here(e), "yes" if e["downloads"] else "by hand", e["licence"]) for e in entries]
    print_table("", ("name", "here", "fetch", "licence"), rows)
    print("\n`readhead data list CORPUS` tells address, checksum, files and whom to cite.")


@verbs.command("fetch")
def fetch(
    name: Annotated[str, typer.Argument(metavar="CORPUS")],
    corpora: CorporaOption = None,
    mirror: Annotated[
        str | None, typer.Option(metavar="URL", help="Fetch the same path from below this address instead.")
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Download nothing; tell what is missing.")] = False,
) -> None:
    """Fetch a corpus or vectors, check the SHA-256, unpack what is read of it; go on where a download was cut."""
    if offline and mirror is not None:
        raise InputError("--offline downloads nothing, so it takes no --mirror")
    source, folder = _source(name), corpora or corpora_folder(None)  # one that is not there yet is made
    from readhead.cli.download_report import DownloadReport
    from readhead.data.fetch import fetch as start

    with DownloadReport() as report:
        fetched = start(source, folder, mirror=mirror, offline=offline, watcher=report)
    _print_fetched(fetched)


@verbs.command("check")
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    task: Annotated[str, typer.Option(help="What it is for: classify, pair, rank or language-model.")],
    text_column: TextColumnOption = None,
    label_column: LabelColumnOption = None,
    soft_labels: SoftLabelsOption = False,
    as_json: JSONOption = False,
) -> None:
    """Report every problem of your own file by line; exit 2 if training could not use it."""
    from readhead.data.check import check_file

    columns = {"text_columns": text_column or [], "label_column": label_column}
    report = check_file(file, task, **columns, soft_labels=soft_labels)  # type: ignore[arg-type]
    try:
        if as_json:
            print_json(_report(report))
        else:
            _print(report)
    finally:  # even if nobody reads on: the exit status is an answer too
        if not report.usable:
            problems = counted(sum(report.counts.values()), "problem")
            raise InputError(f"{problems}; training could not use this file", file=file)


def _source(name: str) -> Source:
    from readhead.data.sources import SOURCES

    if name not in SOURCES:
        raise InputError(f"there is no corpus '{name}'; {nearest(name, SOURCES)}")
    return SOURCES[name]


def _entry(name: str, source: Source, folder: Path) -> dict[str, Any]:
    from readhead.data.source import missing_files

    missing = [path.relative_to(folder).as_posix() for path in missing_files(source, folder)]
    return {
        "name": name,
        "title": source.title,
        "here": not missing,
        "files": list(source.files),
        "missing": missing,
        "licence": source.licence,
        "page": source.page,
        "downloads": [{"url": d.url, "sha256": d.sha256, "files": list(d.files)} for d in source.downloads],
        "citation": source.citation,
        "note": source.note,
    }


def _here(entry: Mapping[str, Any]) -> str:
    count, missing = len(entry["files"]), len(entry["missing"])
    return "yes" if not missing else "no" if missing == count else f"{count - missing} of {count}"


def _print_source(entry: Mapping[str, Any], folder: Path, as_json: bool) -> None:
    if as_json:
        print_json(entry)
        return
    said = [
        ("licence", entry["licence"]),
        ("page", entry["page"]),
        ("cite", entry["citation"]),
        ("note", entry["note"]),
    ]
    print(f"{entry['name']}: {entry['title']}")
    print_table("", ("", ""), [(what, text) for what, text in said if text])
    for download in entry["downloads"]:
        # On lines of their own and whole, so that they can be copied.
        print(f"\nfrom {download['url']}\nSHA-256 {download['sha256'] or 'not known: what comes is told, not checked'}")
    if not entry["downloads"]:
        print("\ncannot be fetched")
    print(f"\nbelow {folder}:")
    print_table("", ("file", "here"), [(f, "no" if f in entry["missing"] else "yes") for f in entry["files"]])


def _print_fetched(fetched: Fetched) -> None:
    for path in fetched.files:
        print(path)
    if not fetched.checked:
        print("all was here already")
    for file in fetched.checked:
        known = "as expected" if file.expected else "nothing known to compare it with"
        print(f"SHA-256 {file.sha256} ({known}): {file.url}")


def _print_labels(labels: Mapping[str, int]) -> None:
    """The most frequent ones, in the order of all."""
    if not labels:
        return
    shown, total = set(heapq.nlargest(SHOWN_LABELS, labels, key=lambda label: labels[label])), sum(labels.values())
    rows = [
        (textwrap.shorten(label, 40, placeholder="…"), f"{count:,}", f"{count / total:.1%}")
        for label, count in labels.items()
        if label in shown
    ]
    print()
    print_table("", ("label", "rows", "share"), rows, numbers=(1, 2))
    if rest := [count for label, count in labels.items() if label not in shown]:
        print(f"and {counted(len(rest), 'more label')}, of {min(rest):,} to {counted(max(rest), 'row')}")


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
        "lengths": {field: dataclasses.asdict(found) for field, found in summary.lengths.items()},
        "duplicates": summary.duplicates,
        "contradictions": summary.contradictions,
        "questions": None if summary.questions is None else dataclasses.asdict(summary.questions),
    }


def _print(report: Report) -> None:
    summary = report.summary
    for problem in report.problems:
        named = problem.column is None or f"'{problem.column}'" in problem.message
        print(f"{problem.error(report.file)}{'' if named else f' (column {problem.column})'}")
    for kind, count in report.counts.items():
        shown = sum(problem.kind == kind for problem in report.problems)
        if count > shown:
            print(f"… and {count - shown:,} more of the kind: {kind}")
    if len(report.counts) > 1:
        print("problems in all: " + ", ".join(f"{kind} {count:,}" for kind, count in report.counts.items()))
    print(f"{report.file}: {counted(summary.rows, 'good row')}")
    if summary.unlabelled and summary.labels:
        print(f"without an agreed label: {summary.unlabelled:,}, which training leaves out")
    if summary.duplicates:
        print(f"rows whose texts stood before: {summary.duplicates:,}, {summary.contradictions:,} with another label")
    if summary.questions is not None:
        total, unanswered, all_right = (f"{count:,}" for count in dataclasses.astuple(summary.questions))
        print(f"questions: {total}; {unanswered} with only wrong candidates, {all_right} with only right ones")
        if summary.questions.unanswered:
            print("those with only wrong candidates are trained on, but can't be scored")
    _print_labels(summary.labels)
    lengths = [
        (field, str(x.shortest), f"{x.median:.0f}", str(x.longest), str(x.empty))
        for field, x in summary.lengths.items()
    ]
    if lengths:
        print()
        print_table("", ("text", "shortest", "median", "longest (words)", "empty"), lengths, numbers=(1, 2, 3, 4))
