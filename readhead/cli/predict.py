"""`readhead predict`: one JSON object a line in, one out, same order."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, cast

import typer

from readhead.cli.options import DeviceOption, RunArgument, ThreadsOption, use_threads
from readhead.cli.options import device as usable_device
from readhead.errors import InputError

if TYPE_CHECKING:
    from readhead.prediction.predictor import Predictor
    from readhead.prediction.records import Asked


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("predict")(predict)


def predict(
    run: RunArgument,
    input_file: Annotated[str, typer.Option("--input", metavar="FILE|-", help="JSON lines.")] = "-",
    output_file: Annotated[str, typer.Option("--output", metavar="FILE|-", help="JSON lines.")] = "-",
    abstain: Annotated[
        float | None, typer.Option(metavar="P", min=0, max=1, help="Give no label below this probability.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that answer, a thread each.")] = 1,
    device: DeviceOption = "cpu",
    threads: ThreadsOption = None,
) -> None:
    """Answer JSON lines: {"premise", "hypothesis"} or {"text"}; a bad line yields an error in its place.

    To {"question", "candidates": [...]} the answer is {"ranking": [...]}, the best candidate first, each with the
    probability that it is right as its score, and its place in the list that was given, counted from 0.

    With --abstain 0.8 an answer whose likeliest label has a probability below 0.8 is {"label": null, "scores": {...}}:
    its scores stay, and nothing else changes.

    A language model answers with each token's surprisal in bits; the last token is the text's end (⊣). To {"text",
    "continue": 20, "seed": 1} it adds at most 20 words that it draws.
    """
    _check_files(input_file, output_file)
    if workers > 1 and threads is not None:
        raise InputError("--threads goes with one process; each of several --workers has one thread")
    where = usable_device(device)
    use_threads(threads)
    from readhead.prediction.abstaining import abstained, check_labels
    from readhead.prediction.predictor import Predictor
    from readhead.prediction.records import line_chunks, read_lines
    from readhead.run import Run

    predictor = Predictor(run=Run.open(run, device=where))
    if abstain is not None:
        check_labels(predictor.run.task)
    with _reading(input_file) as stream, _writing(output_file) as out:
        chunks = read_lines(line_chunks(stream), predictor.form)
        for answers in _answered(predictor, chunks, workers, where):
            told = answers if abstain is None else abstained(answers, least=abstain)
            out.writelines(json.dumps(answer, ensure_ascii=False) + "\n" for answer in told)
            out.flush()  # whoever asked may wait for these before asking more


def _answered(
    predictor: Predictor, chunks: Iterable[Sequence[Asked]], workers: int, device: str
) -> Iterator[list[dict[str, Any]]]:
    if workers == 1:
        return predictor.stream(chunks)
    from readhead.prediction.workers import answer_in_processes

    return answer_in_processes(predictor.run.files.folder, chunks, workers=workers, device=device)


def _check_files(input_file: str, output_file: str) -> None:
    source, sink = Path(input_file), Path(output_file)
    if input_file != "-" and (source.is_dir() or not source.exists()):
        raise InputError("no such file; expected JSON lines", file=source)
    if "-" not in (input_file, output_file) and sink.exists() and sink.samefile(source):
        raise InputError("this is the input too; expected another file for the answers", file=sink)
    if output_file != "-" and sink.is_dir():
        raise InputError("this is a folder; expected a file to write", file=sink)
    if output_file != "-" and not sink.parent.is_dir():
        raise InputError("there is no such folder to write to", file=sink.parent)


@contextmanager
def _reading(name: str) -> Iterator[BufferedIOBase]:
    if name == "-":
        yield cast(BufferedIOBase, sys.stdin.buffer)
        return
    with Path(name).open("rb") as file:
        yield file


@contextmanager
def _writing(name: str) -> Iterator[TextIO]:
    if name == "-":
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
        yield sys.stdout
        return
    path = Path(name)
    # A device or a pipe can be written to, but not replaced.
    beside = path if path.exists() and not path.is_file() else path.with_name(path.name + ".part")
    try:
        with beside.open("w", encoding="utf-8", errors="backslashreplace") as file:
            yield file
        beside.replace(path)
    finally:
        if beside != path:
            beside.unlink(missing_ok=True)
