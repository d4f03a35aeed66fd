"""`readhead export`: a run in the format of other tools."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from readhead.cli.options import CorporaOption, RunArgument, corpora_folder
from readhead.cli.small_run import export_small_run
from readhead.errors import InputError
from readhead.schema import nearest

FORMATS = ("arpa", "onnx", "run")
NEEDED = ("onnx", "onnxscript", "onnxruntime")


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("export")(export)


def export(
    run: RunArgument,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="What to write: a file (arpa) or a folder (onnx, run).")],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="F",
            help="onnx: a folder with the model and a reader.py that needs neither readhead nor torch. "
            "run: a run directory without checkpoint and log, smaller with --int8 and --keep. "
            "arpa: the n-grams of a counted language model.",
        ),
    ],
    int8: Annotated[
        bool, typer.Option("--int8", help="onnx: weights, run: word rows in eight bits; tells what that costs.")
    ] = False,
    keep: Annotated[
        int | None, typer.Option("--keep", metavar="N", help="run: with its N most frequent words alone.")
    ] = None,
    corpora: CorporaOption = None,
) -> None:
    """Write a run in the format of other tools.

    An ONNX model is tried beside the run at five lengths and batch sizes, and written only if every answer is the same
    to 1e-5. An ARPA file that is there is replaced when the new one is whole.
    """
    if form not in FORMATS:
        raise InputError(f"--format {form}: {nearest(form, FORMATS)}")
    if keep is not None and form != "run":
        raise InputError("--keep goes with --format run")
    if form == "run":
        export_small_run(run, out, int8=int8, keep=keep, corpora=corpora)
    elif form == "arpa":
        _export_arpa(run, out, int8=int8)
    else:
        _export_onnx(run, out, int8=int8, corpora=corpora)


def _export_arpa(run: Path, out: Path, *, int8: bool) -> None:
    if int8:
        raise InputError("--int8 goes with --format onnx or run")
    if not out.parent.is_dir() or out.is_dir():
        raise InputError("expected a file to write, in a folder that is there", file=out)
    from readhead.prediction.arpa import export_arpa
    from readhead.run import Run

    export_arpa(Run.open(run), out)
    print(f"written: {out}")


def _export_onnx(run: Path, out: Path, *, int8: bool, corpora: Path | None) -> None:
    if missing := [package for package in NEEDED if find_spec(package) is None]:
        raise InputError(f"--format onnx needs {', '.join(missing)}: pip install 'readhead[onnx]'")
    folder = corpora_folder(corpora)
    from readhead.export.to_onnx import export_onnx
    from readhead.run import Run

    done = export_onnx(Run.open(run), out, int8=int8, corpora=folder)
    print(f"checked at five lengths and batch sizes: at most {done.difference:.0e} from the run")
    if done.cost is not None:
        told = f"{done.cost.figure} {done.cost.before:.4f} -> {done.cost.after:.4f}"
        print(f"float32 -> int8: {told}, on {done.cost.measured_on}")
    print(f"written: {out} ({done.megabytes:.1f} MB); python {out / 'reader.py'} answers JSON lines")
