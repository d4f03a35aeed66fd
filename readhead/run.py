"""A run directory: all that evaluate, predict, explain, serve and export need. The one place that knows its file names.

recipe.toml           the recipe, every default written out
run.json              format version, labels, temperature, seed, data, whether training is complete
vocabulary.txt        one entry a line
tokenizer.json        how text is cut into words
weights.safetensors   the best weights
vectors.safetensors   the table that words start from; kept once, as it does not train
checkpoint/           where training stands, for --resume
metrics.jsonl         one line an epoch
README.md             the model card
train.log             what training said
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readhead import durable, recipe
from readhead.data.tokenizer import Tokenizer
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.recipe import Recipe

if TYPE_CHECKING:
    import numpy as np
    import torch
    from torch import Tensor, nn

    from readhead.tasks.task import Task

FORMAT = 1


class RunFiles:
    """The paths of a run directory's files.

    folder: the run directory; it need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.recipe = folder / "recipe.toml"
        self.record = folder / "run.json"
        self.vocabulary = folder / "vocabulary.txt"
        self.tokenizer = folder / "tokenizer.json"
        self.weights = folder / "weights.safetensors"
        self.vectors = folder / "vectors.safetensors"
        self.checkpoint = folder / "checkpoint" / "state.safetensors"
        self.metrics = folder / "metrics.jsonl"
        self.card = folder / "README.md"
        self.log = folder / "train.log"


@dataclass(slots=True)
class RunRecord:
    """run.json.

    labels: the classes' names, in the order of the logits.
    seed: what initialisation, order and dropout follow from.
    data: SHA-256 of every file read, by name.
    examples: by split, how many were trained on or watched.
    dropped, truncated: how many examples had no label, and how many texts were cut.
    versions: of readhead and the libraries that trained it.
    temperature: the logits are divided by it before they become probabilities.
    parameters: trainable numbers in the model.
    best: the watched metric's best value on dev, with its name and epoch.
    epochs, seconds: how long it trained; a part of an epoch counts as that part.
    finished: why training ended; empty while it has not.
    format: of this file and its neighbours.
    """

    labels: list[str]
    seed: int
    data: dict[str, str]
    examples: dict[str, int]
    dropped: dict[str, int]
    truncated: dict[str, int]
    versions: dict[str, str]
    temperature: float = 1.0
    parameters: int = 0
    best: dict[str, Any] = field(default_factory=dict)
    epochs: float = 0.0
    seconds: float = 0.0
    finished: str = ""
    format: int = FORMAT

    def save(self, path: Path) -> None:
        """Writes it durably."""
        durable.write_json(path, dataclasses.asdict(self))

    @classmethod
    def open(cls, path: Path) -> RunRecord:
        """Reads it. Raises: InputError when it is missing, damaged or of a newer format."""
        try:
            values = json.loads(_present(path).read_text(encoding="utf-8"))
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise InputError(f"this run's record is damaged: {error}", file=path) from None
        if not isinstance(values, dict) or values.get("format", 0) > FORMAT:
            raise InputError(f"expected a run of format {FORMAT} or older; a newer readhead made this one", file=path)
        try:
            return cls(**values)
        except TypeError as error:
            raise InputError(f"this run's record is damaged: {error}", file=path) from None


@dataclass(frozen=True, slots=True)
class Run:
    """A trained reader, opened.

    files: where it lies.
    recipe, record, vocabulary, tokenizer, task: what it was made from.
    model: in evaluation mode, on its device.
    device: where.
    """

    files: RunFiles
    recipe: Recipe
    record: RunRecord
    vocabulary: Vocabulary
    tokenizer: Tokenizer
    task: Task
    model: nn.Module
    device: torch.device

    @classmethod
    def open(cls, folder: Path | str, *, device: str = "cpu") -> Run:
        """Opens a finished run. Executes nothing of its maker's: safetensors, JSON, TOML and text alone.

        Raises: InputError naming the file that is missing, damaged or of another model.
        """
        import torch

        files = run_files(folder)
        chosen, record = read_recipe(files), RunRecord.open(files.record)
        if not record.finished:
            hint = f"training has not finished; to go on: readhead train {chosen.name} --out {folder} --resume"
            raise InputError(hint, file=files.record)
        vocabulary = Vocabulary.open(_present(files.vocabulary))
        tokenizer = Tokenizer.open(_present(files.tokenizer))
        model = rebuild(chosen, files, num_classes=len(record.labels), rows=len(vocabulary))
        load_weights(model, files.weights)
        task = chosen.parts["task"].build(labels=record.labels)
        where = torch.device(device)
        return cls(files, chosen, record, vocabulary, tokenizer, task, model.to(where).eval(), where)


def run_files(folder: Path | str) -> RunFiles:
    """The files of an existing run directory. Raises: InputError when it is none."""
    path = Path(folder)
    if not path.is_dir():
        raise InputError("no such run directory", file=path)
    return RunFiles(path)


def read_recipe(files: RunFiles) -> Recipe:
    """The recipe that a run was made with. Raises: InputError when it is missing or damaged."""
    document = recipe.parse(_present(files.recipe))
    return recipe.check(document, name=document.get("name", str(files.folder)), file=files.recipe)


def save_table(files: RunFiles, table: np.ndarray, pretrained: np.ndarray, *, trainable: bool) -> None:
    """Keeps what word rows start from.

    table: [V, E] float32; left out when it trains, since the weights then hold it.
    pretrained: [V] bool, which rows came from a vectors file.
    """
    from safetensors.numpy import save

    kept = {"pretrained": pretrained} | ({} if trainable else {"table": table})
    durable.write(files.vectors, save(kept))


def rebuild(chosen: Recipe, files: RunFiles, *, num_classes: int, rows: int) -> nn.Module:
    """The run's network on its own table, with fresh weights. Raises: InputError when the table is damaged."""
    import numpy as np
    from safetensors.numpy import load

    values = _tensors(files.vectors, load)
    trainable = chosen.parts["embedding"].options["trainable"]
    if set(values) != {"pretrained"} | (set() if trainable else {"table"}) or len(values["pretrained"]) != rows:
        raise InputError(f"expected a table of {rows} rows, as vocabulary.txt has", file=files.vectors)
    table = values.get("table", np.zeros((rows, chosen.vectors.dim), np.float32))
    return chosen.build_model(table=table, pretrained=values["pretrained"], num_classes=num_classes)


def load_weights(model: nn.Module, path: Path) -> None:
    """Puts saved weights into a model. Raises: InputError when the file is missing, damaged or another model's."""
    from safetensors.torch import load

    weights: Mapping[str, Tensor] = _tensors(path, load)
    expected = model.state_dict()
    for name in sorted(expected.keys() ^ weights.keys()):
        raise InputError(f"the weight '{name}' is {'missing' if name in expected else 'unknown'}", file=path)
    for name, value in expected.items():
        if weights[name].shape != value.shape:
            shapes = f"{list(weights[name].shape)}, expected {list(value.shape)}"
            raise InputError(f"the weight '{name}' has the shape {shapes}", file=path)
    model.load_state_dict(weights)


def _tensors(path: Path, load: Any) -> Any:
    from safetensors import SafetensorError

    data = _present(path).read_bytes()
    if data[:2] in (b"PK", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"):
        raise InputError("this is a pickle, which can run code when opened; expected safetensors", file=path)
    try:
        return load(data)
    except (SafetensorError, ValueError, KeyError) as error:
        raise InputError(f"the file is damaged or cut short: {error}", file=path) from None


def _present(path: Path) -> Path:
    if not path.is_file():
        raise InputError("this file of the run is missing", file=path)
    return path
