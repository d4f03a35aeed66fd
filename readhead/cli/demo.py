"""`readhead demo`: what the shipped models read; then a small reader, trained before your eyes, and where it errs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from readhead import recipe, shipped
from readhead.cli.demo_shipped import show_shipped, tell_pair
from readhead.cli.options import ThreadsOption, use_threads
from readhead.cli.table import console, print_table
from readhead.data.grammar.showcase import SHOWCASE

if TYPE_CHECKING:
    from readhead.prediction.evaluation import Evaluation
    from readhead.prediction.predictor import Predictor
    from readhead.run import Run

RECIPE = "demo/decomposable"
SECONDS = 25.0  # of training, at most: the rest of a minute is for the shipped models, reading and scoring
WHY = """
What it gets wrong, and why: it compares each word with the words it aligns to,
and adds the comparisons up, so it sees no word order. "The dog is chasing the
cat" and "The cat is chasing the dog" are the same bag of aligned words to it.
Where it matters who did what to whom, it guesses: one in three is right."""


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("demo")(demo)


def demo(
    out: Annotated[Path, typer.Option(metavar="RUN", help="Where the reader is kept.")] = Path("runs/demo"),
    threads: ThreadsOption = 1,
) -> None:
    """Read with each shipped model; then train a small reader, and show where it looks and where it errs."""
    use_threads(threads)
    from readhead.prediction.evaluation import evaluate_split
    from readhead.prediction.predictor import Predictor
    from readhead.run import Run
    from readhead.training.request import Request
    from readhead.training.start import train

    chosen = recipe.read(RECIPE)
    shown = show_shipped()
    print(f"{shown + 1}. A decomposable attention reader learns entailment from generated pairs.\n", flush=True)
    train(Request(recipe=chosen, out=out, corpora=out, device="cpu", resume=out.is_dir(), budget=SECONDS))
    run = Run.open(out)
    predictor = Predictor(run=run)
    print(f"\n{shown + 2}. It reads pairs that it has never seen.\n")
    _read_showcase(predictor)
    print(f"\n{shown + 3}. Where it looked, for one of them.\n")
    _show_one(predictor)
    print(f"\n{shown + 4}. How often it is right on new pairs, by what they turn on.\n")
    _tell_the_truth(run, evaluate_split(run, "test", corpora=out))
    _tell_what_next(out)


def _read_showcase(predictor: Predictor) -> None:
    answers = predictor.answers([pair.texts for pair in SHOWCASE])
    for pair, answer in zip(SHOWCASE, answers, strict=True):
        tell_pair(pair.texts, answer, pair.label, note=f" ({pair.tags['phenomenon']})")


def _show_one(predictor: Predictor) -> None:
    from readhead.explain.terminal import show

    show(predictor.explain(SHOWCASE[0].texts), console())


def _tell_the_truth(run: Run, measured: Evaluation) -> None:
    figures = measured.by_tag["phenomenon"]
    worst_last = sorted(figures.items(), key=lambda item: -item[1]["accuracy"])
    rows = [(name, f"{f['accuracy']:.0%}", f"{f['n']:,}") for name, f in worst_last]
    overall = measured.report.metrics["accuracy"]
    print_table(
        "",
        ("phenomenon", "right", "pairs"),
        [*rows, ("all", f"{overall:.0%}", f"{len(measured.examples):,}")],
        numbers=(1, 2),
    )
    print(WHY)


def _tell_what_next(out: Path) -> None:
    print(
        f"\nGo on:\n"
        f"{_with_shipped()}"
        f'  readhead explain {out} "Every dog sleeps." "Some animal rests."\n'
        f"  readhead evaluate {out}\n"
        f"  readhead recipes\n"
        f"  readhead train --task pair --data YOUR.csv"
    )


def _with_shipped() -> str:
    return '  readhead explain sentiment "YOUR TEXT."\n' if "sentiment" in shipped.shipped() else ""
