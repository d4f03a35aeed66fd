"""Trains a reader on a CSV of texts and labels, and reads with it.

python train_on_csv.py messages.csv "Where is my bell?" "The lock is broken."
"""

from __future__ import annotations

import sys
from pathlib import Path

import readhead
from readhead.own_data import OwnData, own_recipe
from readhead.training.request import Request
from readhead.training.start import train


def trained(data: Path, out: Path) -> readhead.Reader:
    """A reader that has learnt from a file; one that was trained before is opened."""
    recipe = own_recipe(OwnData(task="classify", data=data), vectors=None, changes=["training.epochs=12"])
    train(Request(recipe=recipe, out=out, corpora=Path(), resume=out.exists(), quiet=True))
    return readhead.load(out)


def main(data: str, *texts: str) -> None:
    """Trains, and prints what each text is, and how sure that is."""
    reader = trained(Path(data), Path("runs/example"))
    best = reader.run.record.best
    print(f"{best['metric']} {best['value']:.2f} on texts that were set aside")
    for text, answer in zip(texts, reader(texts), strict=True):
        print(f"{answer['label']} ({answer['scores'][answer['label']]:.2f}): {text}")


if __name__ == "__main__":
    main(*sys.argv[1:])
