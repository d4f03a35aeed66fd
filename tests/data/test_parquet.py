"""Own files in Parquet: as CSV with the same rows, and a line that names the extra where pyarrow is missing."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest

from readhead.data.check import check_file
from readhead.data.own_file import OwnFile
from readhead.errors import InputError

OWN = Path(__file__).parents[1] / "fixtures" / "own"


def test_a_missing_pyarrow_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "own.parquet").touch()
    with pytest.raises(InputError) as caught:
        list(OwnFile(tmp_path / "own.parquet", task="classify").rows())
    assert str(caught.value) == f"{tmp_path}/own.parquet: Parquet needs pyarrow: pip install 'readhead[parquet]'"


def test_rows_are_those_of_the_same_csv(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    with (OWN / "pairs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "pairs.parquet")
    read, expected = (OwnFile(path, task="pair").examples() for path in (tmp_path / "pairs.parquet", OWN / "pairs.csv"))
    assert [(e.texts, e.label) for e in read] == [(e.texts, e.label) for e in expected]


def test_problems_name_the_row(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [{"text": "one", "label": 1}, {"text": None, "label": 2}, {"text": "two", "label": None}]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "own.parquet")
    report = check_file(tmp_path / "own.parquet", "classify")
    assert [(problem.line, problem.kind) for problem in report.problems[:2]] == [(2, "no text"), (3, "empty label")]


def test_a_broken_file_is_told(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "own.parquet").write_bytes(b"PAR1 and no more")
    report = check_file(tmp_path / "own.parquet", "classify")
    assert report.counts.keys() == {"broken Parquet"}
