"""`readhead bench own`: how right readers of own files are without tuning, beside TF-IDF and logistic regression."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from readhead.cli.options import corpora_folder, print_json, use_threads
from readhead.cli.table import print_table
from readhead.errors import InputError
from readhead.own_figures import BASELINES, DATA, check_sklearn, measure, summaries
from readhead.schema import nearest

LIBRARIES = ("readhead", "torch", "numpy", "scikit-learn")


def bench_own(
    corpora: Path | None,
    *,
    data: Sequence[str],
    vectors: Path | None,
    seeds: int,
    changes: Sequence[str],
    threads: int,
    as_json: bool,
) -> None:
    """Measures and prints. data: names of `DATA`; none = all."""
    check_sklearn()
    for name in data:
        if name not in DATA:
            raise InputError(f"--data {name}: {nearest(name, DATA)}")
    folder = corpora_folder(corpora)
    use_threads(threads)
    from readhead.circumstances import commit, machine

    rows = []
    for name in data or DATA:
        for seed in range(seeds):
            for row in measure(name, seed, corpora=folder, vectors=vectors, changes=changes):
                print(f"measured {name}, seed {seed}: {row['system']} {row['accuracy']:.2f}", file=sys.stderr)
                rows.append(row)
    summary = summaries(rows)
    if as_json:
        told = {"commit": commit(), "versions": {name: version(name) for name in LIBRARIES}, "machine": machine()}
        vectors_name = None if vectors is None else vectors.name
        print_json({"changes": list(changes), "vectors": vectors_name, **told, "summary": summary, "rows": rows})
    else:
        _print(summary)


def _print(summary: Sequence[dict[str, Any]]) -> None:
    first = next(iter(BASELINES))
    cells = [
        (
            row["data"],
            row["system"],
            _figure(row["accuracy"]),
            "" if row["system"] == first else _figure(row[f"over_{first}"], sign="+"),
            f"{row['most_cpu_seconds']:.0f}",
        )
        for row in summary
    ]
    print_table("", ("data", "system", "accuracy", f"over {first}", "CPU s"), cells, numbers=(2, 3, 4))
    print(
        f"\n{first}: scikit-learn's TfidfVectorizer and LogisticRegression as they come;\n"
        "tfidf-bigrams: with pairs of words too, and logarithms of counts.\n"
        "±: half the 95 % interval over the seeds, Student's t."
    )


def _figure(found: dict[str, Any], sign: str = "") -> str:
    spread = "" if found["interval"] is None else f" ± {found['interval']:.2f}"
    return f"{found['mean']:{sign}.2f}{spread}"
