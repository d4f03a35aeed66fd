"""The exported folder, read without readhead and without torch."""

from __future__ import annotations

import io
import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from readhead.errors import InputError
from readhead.prediction.predictor import Predictor
from readhead.prediction.records import line_chunks, read_lines
from readhead.run import Run
from tests.cli.test_startup import seconds
from tests.export.conftest import Both, lines

pytest.importorskip("onnxruntime")

from readhead.export.check import difference
from readhead.export.folder import whole_or_absent

MOST_FOR_A_FIRST_ANSWER = 0.5  # seconds, of a process that has just been started
MOST_BESIDE_ITS_LIBRARIES = 0.2

ASKED = (
    lines(
        {"premise": "The baker sleeps.", "hypothesis": "A baker sleeps."},
        {"premise": "", "hypothesis": "🙂 zyxomma “so-called” <unk>"},
        {"premise": "The nurse sings and waits and laughs and reads.", "hypothesis": "No nurse sings."},
        {"premise": "The baker sleeps."},
        {"premise": "The baker sleeps.", "hypothesis": 3},
    )
    + '{"premise": \n\n[]\n'
)

ALONE = """
import runpy, sys
class Refuses:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"torch", "readhead", "onnx", "safetensors"}:
            raise ImportError(name)
sys.meta_path.insert(0, Refuses())
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def told(folder: Path, asked: str) -> list[dict[str, Any]]:
    """What reader.py says in a process that has nothing else."""
    command = [sys.executable, "-B", "-c", ALONE, str(folder / "reader.py")]
    ended = subprocess.run(command, input=asked, capture_output=True, encoding="utf-8", check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    return [json.loads(line) for line in ended.stdout.splitlines()]


def test_it_answers_as_predict_does(both: Both) -> None:
    predictor = Predictor(run=Run.open(both.run))
    chunks = read_lines(iter([[line.encode() for line in ASKED.split("\n")]]), predictor.form)
    expected = [answer for answers in predictor.stream(chunks) for answer in answers]
    assert expected[0].keys() == {"label", "scores"}
    assert [answer.get("truncated") for answer in expected] == [None, ["hypothesis"], ["premise"], *[None] * 4]
    assert ["error" in answer for answer in expected] == [False] * 3 + [True] * 4
    assert difference(expected, told(both.float32, ASKED)) <= 1e-5


def test_it_holds_nothing_else(both: Both) -> None:
    names = ["config.json", "model.onnx", "reader.py", "tokenizer.json", "vocabulary.txt"]
    assert sorted(path.name for path in both.float32.iterdir()) == names


def test_a_first_answer_comes_in_half_a_second(both: Both) -> None:
    answered = seconds(str(both.float32 / "reader.py"), most=MOST_FOR_A_FIRST_ANSWER, tries=5)
    if answered >= MOST_FOR_A_FIRST_ANSWER:
        # Most of it is the import of its libraries: where a busy machine makes that slow, what it adds is judged.
        answered -= seconds("-c", "import numpy, onnxruntime, tokenizers", most=0, tries=3)
        assert answered < MOST_BESIDE_ITS_LIBRARIES


def test_eight_bits_are_measured_on_the_dev_split(both: Both) -> None:
    assert (both.cost.measured_on, both.cost.figure) == ("the dev split", "accuracy")
    assert both.cost.after == pytest.approx(both.cost.before, abs=0.2)
    sizes = [(folder / "model.onnx").stat().st_size for folder in (both.int8, both.float32)]
    assert sizes[0] < sizes[1]
    answer = told(both.int8, ASKED)[0]
    assert difference(told(both.float32, ASKED)[0]["scores"], answer["scores"]) < 0.05


def test_a_folder_is_whole_or_absent(tmp_path: Path) -> None:
    with pytest.raises(KeyError), whole_or_absent(tmp_path / "out") as folder:
        (folder / "half").write_text("half")
        raise KeyError
    assert not list(tmp_path.iterdir())
    with whole_or_absent(tmp_path / "out") as folder:
        (folder / "whole").write_text("whole")
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "whole"]
    with pytest.raises(InputError, match="not there yet, or an empty one"), whole_or_absent(tmp_path / "out"):
        pass
    with pytest.raises(InputError, match="no such folder"), whole_or_absent(tmp_path / "no" / "out"):
        pass


def test_lines_of_a_stream_are_those_of_predict(both: Both) -> None:
    module = runpy.run_path(str(both.float32 / "reader.py"))
    source = b"a\r\n\nb" + b"c" * 70_000 + b"\nd"
    ours = list(line_chunks(io.BufferedReader(io.BytesIO(source))))
    assert list(module["_chunks"](io.BufferedReader(io.BytesIO(source)))) == ours
