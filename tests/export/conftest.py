"""A reader of pairs, and the folder that it was exported to: written once for all tests."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from readhead.run import Run
from readhead.training.request import Request
from readhead.training.start import train
from tests.tiny import tiny_recipe


@dataclass(frozen=True)
class Both:
    """The run, the two folders made from it, and what the second one said of its cost."""

    run: Path
    float32: Path
    int8: Path
    cost: object


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """The graph is traced once: of eight bits is another copy of it."""
    pytest.importorskip("onnxscript")
    pytest.importorskip("onnxruntime")
    from readhead.export.graph import onnx_graph
    from readhead.export.to_onnx import write_checked
    from readhead.export.trial import trial_batch

    folder = tmp_path_factory.mktemp("exported")
    # Unknown words fall on a hundred rows, and a text is cut after five words.
    changes = ("training.epochs=2", 'vectors.oov="hashed"', "text.max_tokens=5", "vectors.dim=64")
    torch.manual_seed(0)
    train(Request(recipe=tiny_recipe(folder, changes), out=folder / "run", corpora=folder, device="cpu", quiet=True))
    run = Run.open(folder / "run")
    graph = onnx_graph(run.model, trial_batch(run, num_texts=3, longest=5))
    write_checked(run, graph, folder / "float32", int8=False, corpora=None)
    done = write_checked(run, graph, folder / "int8", int8=True, corpora=folder)
    return Both(folder / "run", folder / "float32", folder / "int8", done.cost)


def lines(*records: object) -> str:
    """As JSON lines."""
    return "".join(json.dumps(record) + "\n" for record in records)
