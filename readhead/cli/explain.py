"""`readhead explain`: one reading, or one ranking, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from readhead import durable
from readhead.cli.options import DeviceOption, RunArgument
from readhead.cli.options import device as usable_device
from readhead.cli.table import console
from readhead.errors import InputError

if TYPE_CHECKING:
    from readhead.explain.ranking import RankingExplained
    from readhead.explain.record import Explanation
    from readhead.prediction.predictor import Predictor

PAGES, PICTURE = (".html", ".htm"), ".svg"


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("explain")(explain)


def explain(
    run: RunArgument,
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT...", help="One for each text that the task reads; a question and any number of candidates."
        ),
    ],
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write all pictures as one HTML file that needs nothing else.")
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="FILE.svg: the main picture. Any other name: a folder, with each of them."),
    ] = None,
    attribution: Annotated[
        bool,
        typer.Option(
            "--attribution", help="Also what each word adds to the answer; told anyway if a reader has no attention."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record that every picture is made from.")] = False,
    device: DeviceOption = "cpu",
) -> None:
    """Show one reading: the answer, which words looked at which, and what stood in the memory."""
    _expect_folders(html, svg)
    where = usable_device(device)
    from readhead.prediction.attribution import attributable
    from readhead.prediction.predictor import Predictor
    from readhead.run import Run
    from readhead.serve.names import run_name

    predictor = Predictor(run=Run.open(run, device=where))
    explanation = _explained(predictor, texts, attribution)
    if not attribution and _only_attribution_tells(predictor, explanation):
        explanation = _explained(predictor, texts, True)
    told = [] if html is None else [_write_html(explanation, html, f"Read by {run_name(run)}.")]
    told += [] if svg is None else [_write_svg(explanation, svg)]
    if as_json:
        print(explanation.to_json())
    elif told:
        print(*told, sep="\n")
    else:
        from readhead.explain.terminal import show

        show(explanation, console())
        if not attribution and _attends(explanation) and attributable(predictor.run.model):
            console().print(
                "\nA look is no reason; --attribution tells what each word adds to the answer.", style="dim"
            )


def _explained(predictor: Predictor, texts: list[str], attribution: bool) -> Explanation | RankingExplained:
    fields, several = predictor.run.task.fields, predictor.run.task.several
    if several is not None and len(texts) > len(fields):
        question, *candidates = texts
        return predictor.explain_ranking(question, candidates, attribution=attribution)
    if len(texts) != len(fields):
        given = f"{len(texts)} text{'s' * (len(texts) != 1)} given"
        more = " (or several of the last)" if several is not None else ""
        raise InputError(f"{given}; this run reads {len(fields)}: {', '.join(fields)}{more}")
    return predictor.explain(dict(zip(fields, texts, strict=True)), attribution=attribution)


def _attends(explained: Explanation | RankingExplained) -> bool:
    from readhead.explain.ranking import RankingExplained

    readings = explained.candidates if isinstance(explained, RankingExplained) else (explained,)
    return any(reading.attention for reading in readings)


def _only_attribution_tells(predictor: Predictor, explained: Explanation | RankingExplained) -> bool:
    """Whether nothing else says why: no attention, and of a language model no surprisal."""
    from readhead.prediction.attribution import attributable

    foretold = predictor.run.task.foretells
    return not foretold and not _attends(explained) and attributable(predictor.run.model)


def _expect_folders(html: Path | None, svg: Path | None) -> None:
    for file in (html, svg):
        if file is not None and not file.parent.is_dir():
            raise InputError("there is no such folder to write to", file=file.parent)
        if file is not None and file.is_dir() and (file is html or any(file.iterdir())):
            told = (
                "a file to write, and this is a folder" if file is html else "a folder that is not there yet, or empty"
            )
            raise InputError(f"expected {told}", file=file)
    if html is not None and html.suffix not in PAGES:
        raise InputError(f"--html {html}: expected a file that ends in {' or '.join(PAGES)}")


def _write_html(explanation: Explanation | RankingExplained, file: Path, about: str) -> str:
    from readhead.explain.html import document

    page = document(explanation, about=about)
    durable.write_text(file, page)
    return f"written: {file}, {len(page.encode()) / 1000:,.0f} kB; it opens in any browser"


def _write_svg(explanation: Explanation | RankingExplained, to: Path) -> str:
    from readhead.explain.figures import figures, main_figure

    if to.suffix == PICTURE:
        durable.write_text(to, main_figure(explanation))
        return f"written: {to}, the main picture; a folder's name after --svg gets each of them"
    drawn = list(figures(explanation))
    to.mkdir(exist_ok=True)
    for name, picture in drawn:
        durable.write_text(to / f"{name}{PICTURE}", picture)
    return f"written: {to}, {len(drawn)} pictures"
