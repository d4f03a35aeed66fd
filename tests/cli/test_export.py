"""`readhead export`: a counted language model as an ARPA file, and any other as an ONNX folder."""

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
    assert "known: arpa, onnx" in refusal(run_cli("export", counted, tmp_path / "kn5.arpa", "--format", "tflite"))
    assert "--int8 goes with --format onnx" in refusal(
        run_cli("export", counted, tmp_path / "kn5.arpa", "--format", "arpa", "--int8")
    )
    nowhere = tmp_path / "nowhere" / "kn5.arpa"
    assert "in a folder that is there" in refusal(run_cli("export", counted, nowhere, "--format", "arpa"))
    assert not list(tmp_path.iterdir())


def test_only_n_grams_are_exported_so(run_cli: Any, pair_run: Path, tmp_path: Path) -> None:
    told = refusal(run_cli("export", pair_run, tmp_path / "it.arpa", "--format", "arpa"))
    assert "expected a run of the model kneser-ney, found decomposable" in told
    assert not (tmp_path / "it.arpa").exists()


def test_n_grams_are_no_network(run_cli: Any, counted: Path, tmp_path: Path) -> None:
    pytest.importorskip("onnxscript")
    told = refusal(run_cli("export", counted, tmp_path / "kn5", "--format", "onnx"))
    assert "--format arpa writes it" in told
    assert not list(tmp_path.iterdir())


def test_a_missing_package_is_told_with_the_extra_that_has_it(
    run_cli: Any, counted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readhead.cli.export.find_spec", lambda package: None if package == "onnxscript" else package)
    told = refusal(run_cli("export", counted, tmp_path / "kn5", "--format", "onnx"))
    assert told == "--format onnx needs onnxscript: pip install 'readhead[onnx]'"


def test_what_is_there_is_left_alone(run_cli: Any, pair_run: Path, tmp_path: Path) -> None:
    pytest.importorskip("onnxscript")
    (tmp_path / "mine").write_text("mine")
    assert "not there yet, or an empty one" in refusal(run_cli("export", pair_run, tmp_path, "--format", "onnx"))
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_model_that_answers_otherwise_is_not_written(
    run_cli: Any, pair_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    from readhead.export import to_onnx

    def a_graph_that_says_yes_to_everything(model: Any, example: Any) -> Any:
        helper, types = onnx.helper, onnx.TensorProto
        inputs = [
            helper.make_tensor_value_info(f"{field}_{what}", kind, ["B", f"{field}_T"])
            for field in example.texts
            for what, kind in (("ids", types.INT64), ("mask", types.BOOL))
        ]
        nodes = [
            helper.make_node("Shape", ["premise_ids"], ["size"], start=0, end=1),
            helper.make_node("Concat", ["size", "three"], ["shape"], axis=0),
            helper.make_node("Expand", ["one", "shape"], ["answers"]),
        ]
        constants = [
            helper.make_tensor("three", types.INT64, [1], [3]),
            helper.make_tensor("one", types.FLOAT, [1], [1.0]),
        ]
        outputs = [helper.make_tensor_value_info("answers", types.FLOAT, ["B", 3])]
        graph = helper.make_graph(nodes, "yes", inputs, outputs, constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)

    monkeypatch.setattr(to_onnx, "onnx_graph", a_graph_that_says_yes_to_everything)
    told = refusal(run_cli("export", pair_run, tmp_path / "out", "--format", "onnx"))
    assert told.startswith("nothing was written: to 1 texts of up to")
    assert "expected at most 1e-05" in told
    assert not list(tmp_path.iterdir())
