"""A counted run as an ARPA file, for the tools that read those."""

from __future__ import annotations

from pathlib import Path

from readhead.errors import InputError
from readhead.models.kneser_ney import KneserNey
from readhead.ngrams import write_arpa
from readhead.run import Run

_NAMES = {"start": "<s>", "end": "</s>"}  # as the format has them


def export_arpa(run: Run, path: Path) -> None:
    """Writes a run's n-grams as an ARPA file.

    Raises: InputError if the run counts no n-grams, or one of its words cannot stand in such a file.
    """
    if not isinstance(run.model, KneserNey):
        found = run.recipe.parts["model"].kind
        raise InputError(f"an ARPA file holds n-grams; expected a run of the model kneser-ney, found {found}")
    words = [run.vocabulary.entry(row) for row in range(len(run.vocabulary))]
    for marker, name in _NAMES.items():
        words[run.vocabulary.marker_row(marker)] = name
    write_arpa(path, run.model.ngrams, words)
