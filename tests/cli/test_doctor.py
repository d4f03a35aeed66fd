"""`readhead doctor`: what this machine has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from readhead import __version__, shipped
from readhead.ops.native import ISAS, isas
from tests.cli.conftest import OWN
from tests.cli.refusals import refusal

CORPORA = OWN.parent / "corpora"


def test_json_tells_versions_devices_backends_and_data(run_cli: Any) -> None:
    ended = run_cli("doctor", "--corpora", CORPORA, "--json")
    assert (ended.status, ended.stderr) == (0, "")
    told = json.loads(ended.stdout)
    assert told.keys() == {"python", "packages", "devices", "kernels", "backends", "models", "data"}
    assert told["packages"]["readhead"] == __version__
    assert told["devices"]["cpu_threads"] == torch.get_num_threads()
    assert told["data"]["found"]["snli"]
    assert not told["data"]["found"]["glove.840B.300d"]


def test_every_backend_runs_or_has_a_reason(run_cli: Any) -> None:
    rows = json.loads(run_cli("doctor", "--json").stdout)["backends"]
    assert {row["backend"] for row in rows} == {"auto", "reference", "torch", "cpu", "triton"}
    assert all(row["runs"] or row["reason"] for row in rows)
    assert all(row["runs"] for row in rows if row["backend"] in {"auto", "reference", "torch"})


def test_every_instruction_set_runs_or_has_a_reason(run_cli: Any) -> None:
    kernels = json.loads(run_cli("doctor", "--json").stdout)["kernels"]
    assert [found["isa"] for found in kernels] == list(ISAS)
    assert [found["isa"] for found in kernels if found["runs"]] == list(isas())
    assert all(found["runs"] != bool(found["reason"]) for found in kernels)


def test_shipped_models_are_told_with_their_size(run_cli: Any) -> None:
    models = json.loads(run_cli("doctor", "--json").stdout)["models"]
    assert [model["name"] for model in models] == shipped.shipped()
    assert all(0 < model["bytes"] <= 20e6 and model["summary"] for model in models)


def test_the_tables_fit_80_columns(run_cli: Any) -> None:
    ended = run_cli("doctor", "--corpora", CORPORA)
    assert ended.status == 0
    assert f"CPU threads: {torch.get_num_threads()}" in ended.stdout
    tables = [line for line in ended.stdout.splitlines() if not line.startswith("data below")]
    assert max(map(len, tables)) <= 80


def test_a_folder_that_is_not_there_is_refused(run_cli: Any, tmp_path: Path) -> None:
    assert refusal(run_cli("doctor", "--corpora", tmp_path / "no")) == f"{tmp_path}/no: --corpora: no such folder"
