"""States on disk that can't be opened, each told by name. That good ones can is a law (`test_reading_on`)."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from readhead.errors import InputError
from readhead.readers.causal import CausalReader
from readhead.readers.depth_gated import DepthGatedReader
from readhead.readers.lstm import LSTMReader
from readhead.readers.lstmn import LSTMNReader
from readhead.readers.state import FORMAT, open_state, save_state

METADATA = {"format": FORMAT, "reader": "LSTMNReader"}


def lstmn() -> LSTMNReader:
    return LSTMNReader(input_dim=3, hidden_dim=4)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A state of two texts, of an LSTMN of one layer of width 4."""
    path = tmp_path / "state.safetensors"
    save_state(path, lstmn(), lstmn().initial_state(2))
    return path


@pytest.mark.parametrize(
    ("reader", "told"),
    [
        (LSTMReader(input_dim=3, hidden_dim=4), "the state of a LSTMNReader; expected one of a LSTMReader"),
        (LSTMNReader(input_dim=3, hidden_dim=5), r"the state's 1.hidden_tape is \[B, M, 4\]; this .* \[B, M, 5\]"),
        (
            LSTMNReader(input_dim=3, hidden_dim=4, num_layers=2),
            "the state's 2.blend is missing; it has .*2.written",
        ),
        (lstmn().double(), r"the state's 1.\w+ is torch.float32; this reader's is torch.float64"),
    ],
    ids=["kind", "width", "layers", "precision"],
)
def test_another_readers_state_is_refused(reader: CausalReader, told: str, file: Path) -> None:
    with pytest.raises(InputError, match=told) as refusal:
        open_state(file, reader)
    assert refusal.value.file == file


def test_a_state_of_more_layers_is_refused(tmp_path: Path) -> None:
    higher, lower = (LSTMReader(input_dim=3, hidden_dim=4, num_layers=layers) for layers in (2, 1))
    save_state(tmp_path / "state", higher, higher.initial_state(1))
    with pytest.raises(
        InputError, match=r"the state's 2\.hidden is none of this reader's; it has 1\.hidden, 1\.memory"
    ):
        open_state(tmp_path / "state", lower)


def test_tensors_that_do_not_belong_together_are_refused(file: Path) -> None:
    tensors = load_file(file)
    save_file(tensors | {"1.blend": torch.zeros(3, 4)}, file, METADATA)
    with pytest.raises(InputError, match=r"the state's 1\.blend is of 3 texts, others are of 2"):
        open_state(file, lstmn())
    save_file(tensors | {"1.hidden_tape": torch.zeros(2, 4)}, file, METADATA)
    with pytest.raises(InputError, match=r"the state's 1\.hidden_tape is \[B, 4\]; this reader's is \[B, M, 4\]"):
        open_state(file, lstmn())
    save_file(tensors | {"1.written": torch.ones(2, 7, dtype=torch.bool)}, file, METADATA)
    with pytest.raises(InputError, match=r"the state's 1\.written is of 7 slots of layer 1, others are of 1"):
        open_state(file, lstmn())


@pytest.mark.parametrize(("name", "number"), [("1.blend", torch.tensor(0.5)), ("1.written", torch.tensor(True))])
def test_a_number_alone_is_refused(name: str, number: Tensor, file: Path) -> None:
    save_file(load_file(file) | {name: number}, file, METADATA)
    with pytest.raises(InputError, match=rf"the state's {name} is \[\]; this reader's is \[B, [4M]\]"):
        open_state(file, lstmn())


@pytest.mark.parametrize("size", [0, 5, 100, -1])
def test_a_file_cut_short_is_refused(size: int, file: Path) -> None:
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(InputError, match="damaged or cut short"):
        open_state(file, lstmn())


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_a_pickle_is_refused_unopened(protocol: int, file: Path) -> None:
    file.write_bytes(pickle.dumps({"1.blend": [0.0]}, protocol))
    with pytest.raises(InputError, match="this is a pickle"):
        open_state(file, lstmn())
    file.write_bytes(b"PK\x03\x04 as torch.save begins")
    with pytest.raises(InputError, match="this is a pickle"):
        open_state(file, lstmn())


def test_what_is_no_state_is_refused(file: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        open_state(file.with_name("nothing"), lstmn())
    save_file({"weight": torch.ones(2)}, file)
    with pytest.raises(InputError, match=r"expected a reader's state \('.*'\), found None"):
        open_state(file, lstmn())


def test_nothing_is_written_of_a_state_that_is_not_the_readers(tmp_path: Path) -> None:
    reader = LSTMReader(input_dim=3, hidden_dim=4)
    other = DepthGatedReader(input_dim=3, hidden_dim=6, num_layers=1)
    with pytest.raises(InputError, match=r"the state's 1\.hidden is \[B, 6\]; this reader's is \[B, 4\]"):
        save_state(tmp_path / "state", reader, other.initial_state(2))
    assert not list(tmp_path.iterdir())
