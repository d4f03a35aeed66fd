"""`readhead export`: a counted language model as an ARPA file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from readhead.ngrams import read_arpa
from readhead.run import Run
from tests.cli.refusals import refusal

CORPORA = Path(__file__).parents[1] / "fixtures" / "corpora"


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from readhead import recipe
    from readhead.training.request import Request
    from readhead.training.start import train

    out = tmp_path_factory.mktemp("counted") / "run"
    train(Request(recipe=recipe.read("ptb/kn5"), out=out, corpora=CORPORA, device="cpu", quiet=True))
    return out


def test_the_n_grams_are_those_of_the_run(run_cli: Any, counted: Path, tmp_path: Path) -> None:
    ended = run_cli("export", counted, tmp_path / "kn5.arpa", "--format", "arpa")
    assert (ended.status, ended.stdout, ended.stderr) == (0, f"written: {tmp_path / 'kn5.arpa'}\n", "")
    model, words = read_arpa(tmp_path / "kn5.arpa")
    run = Run.open(counted)
    ids = [words.index(word) for word in ("<s>", "the", "company", "</s>")]
    rows = [
        run.vocabulary.marker_row("start"),
        *run.vocabulary.ids(["the", "company"]),
        run.vocabulary.marker_row("end"),
    ]
    import numpy as np

    given = [np.array(one) for one in (ids, rows)]
    read, kept = (
        m.log_probabilities(i, np.array([0, 4])) for m, i in zip((model, run.model.ngrams), given, strict=True)
    )
    assert read == pytest.approx(kept)


def test_refusals(run_cli: Any, counted: Path, tmp_path: Path) -> None:
    assert "known: arpa" in refusal(run_cli("export", counted, tmp_path / "kn5.arpa", "--format", "onnx"))
    nowhere = tmp_path / "nowhere" / "kn5.arpa"
    assert "in a folder that is there" in refusal(run_cli("export", counted, nowhere, "--format", "arpa"))
    assert not list(tmp_path.iterdir())


def test_only_n_grams_are_exported_so(run_cli: Any, pair_run: Path, tmp_path: Path) -> None:
    told = refusal(run_cli("export", pair_run, tmp_path / "it.arpa", "--format", "arpa"))
    assert "expected a run of the model kneser-ney, found decomposable" in told
    assert not (tmp_path / "it.arpa").exists()
