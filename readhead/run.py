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

A run that was made smaller holds its word rows in eight bits (`readhead.data.int8_rows`), and neither checkpoint nor
log. It opens as every run does: what is opened has float32 rows.
"""

from __future__ import annotations

import dataclasses
import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from readhead import durable, recipe
from readhead.data.int8_rows import restored
from readhead.data.tokenizer import Tokenizer
from readhead.data.vocabulary import Vocabulary
from readhead.errors import InputError
from readhead.recipe import Recipe

if TYPE_CHECKING:
    import numpy as np
    import torch
    from torch import Tensor, nn

    from readhead.tasks.task import Task

FORMAT = 2  # the newest that is opened
PLAIN, SMALLER = 1, FORMAT  # as training writes it, and made smaller
TABLE = "embedding.table"  # among the weights, where the word rows train


@runtime_checkable
class MakesRoom(Protocol):
    """A model whose recipe does not tell how large its weights are."""

    def make_room(self, shapes: Mapping[str, torch.Size]) -> None:
        """Takes up weights of these names and shapes, whose numbers are put in next."""
        ...


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

    @property
    def shared(self) -> tuple[Path, ...]:
        """The files that others need to read with the run, and to know what it is; not what training it took."""
        needed = (self.recipe, self.record, self.vocabulary, self.tokenizer, self.weights, self.vectors)
        return (*needed, self.metrics, self.card)


@dataclass(slots=True)
class RunRecord:
    """run.json.

    labels: the classes' names, by class index.
    seed: what initialisation, order and dropout follow from.
    precision: `no` = float32; `bf16`, `fp16` = mixed.
    max_tokens: words of a text that are read; the rest is cut and reported.
    data: SHA-256 of every file read, by name.
    examples: by split, how many were trained on or watched.
    dropped, truncated: how many examples had no label, and how many texts were cut, by split.
    versions: of readhead and the libraries that trained it.
    complete_data: whether the corpus was whole, as published.
    started_from: the run whose weights this one began with.
    temperature: the logits are divided by it before they become probabilities.
    parameters: trainable numbers in the model.
    best: the watched metric's best value on dev, with its name and epoch.
    epochs, seconds: how long it trained; a part of an epoch counts as that part.
    finished: why training ended; empty while it has not.
    budget: the seconds that ended it before its plan did; None if its plan did.
    smaller: of a run that was made from a larger one, how: the types of its `words`' rows and its other `weights`,
        `kept` of how many words (`of`), and where it was measured what that cost on dev, as `cost`; None of one that
        was trained.
    format: of this file and its neighbours.
    """

    labels: list[str]
    seed: int
    precision: str
    max_tokens: int
    data: dict[str, str]
    examples: dict[str, int]
    dropped: dict[str, int]
    truncated: dict[str, int]
    versions: dict[str, str]
    complete_data: bool = True
    started_from: str | None = None
    temperature: float = 1.0
    parameters: int = 0
    best: dict[str, Any] = field(default_factory=dict)
    epochs: float = 0.0
    seconds: float = 0.0
    finished: str = ""
    budget: float | None = None
    smaller: dict[str, Any] | None = None
    format: int = PLAIN

    def is_done(self, budget: float | None) -> bool:
        """Whether nothing is left to train: its plan ended it, or a budget that was no smaller than this one.

        A run that was made smaller can't be gone on with, whatever ended it.
        """
        if self.smaller is not None:
            return True
        return bool(self.finished) and (self.budget is None or (budget is not None and budget <= self.budget))

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
        if not isinstance(values, dict) or not isinstance(values.get("format"), int):
            raise InputError("this is no run's record: expected an object with a format number", file=path)
        if values["format"] > FORMAT:
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
            told = f"training has not finished; to go on: {going_on(files.folder, record.seed)}"
            raise InputError(told, file=files.record)
        vocabulary = Vocabulary.open(_present(files.vocabulary))
        tokenizer = Tokenizer.open(_present(files.tokenizer))
        task: Task = chosen.parts["task"].build(labels=record.labels)
        model = rebuild(chosen, files, num_classes=task.num_classes(vocabulary), rows=len(vocabulary))
        put_weights(model, read_weights(files.weights), files.weights)
        where = torch.device(device)
        return cls(files, chosen, record, vocabulary, tokenizer, task, model.to(where).eval(), where)


def going_on(folder: Path, seed: int, corpora: Path | None = None) -> str:
    """The command that resumes the run in a folder, as a shell takes it; corpora: where they lie, if that is known."""
    words = ["readhead", "train", f"{folder}/recipe.toml", "--out", str(folder), "--seed", str(seed)]
    where = [] if corpora is None else ["--corpora", str(corpora)]
    return shlex.join([*words, *where, "--resume"])


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

    table: [V, E] float32; of one that trains only the width is kept, since the weights then hold it.
    pretrained: [V] bool, which rows came from a vectors file.
    """
    import numpy as np
    from safetensors.numpy import save

    kept = {"pretrained": pretrained, "table": table[:0] if trainable else table}
    durable.write(files.vectors, save({name: np.ascontiguousarray(values) for name, values in kept.items()}))


def rebuild(chosen: Recipe, files: RunFiles, *, num_classes: int, rows: int) -> nn.Module:
    """The run's network on its own table, with fresh weights. Raises: InputError when the table is damaged."""
    import numpy as np

    values = read_table(files)
    expected = 0 if chosen.table_trains else rows
    if (len(values.get("table", ())), len(values.get("pretrained", ()))) != (expected, rows):
        raise InputError(f"expected a table of {rows} rows, as vocabulary.txt has", file=files.vectors)
    table = values["table"] if expected else np.zeros((rows, values["table"].shape[1]), np.float32)
    return chosen.build_model(table=table, pretrained=values["pretrained"], num_classes=num_classes)


def read_table(files: RunFiles) -> Mapping[str, np.ndarray]:
    """What `save_table` kept. Raises: InputError when it is missing, damaged, or a pickle."""
    from safetensors.numpy import load

    values: Mapping[str, np.ndarray] = _tensors(files.vectors, load)
    return values


def read_weights(path: Path) -> Mapping[str, Tensor]:
    """A file of weights by name. Raises: InputError when it is missing, damaged, or a pickle."""
    from safetensors.torch import load

    weights: Mapping[str, Tensor] = _tensors(path, load)
    return weights


def put_weights(model: nn.Module, weights: Mapping[str, Tensor], path: Path) -> None:
    """Puts weights into a model. Raises: InputError, naming their file, when they are another model's."""
    if isinstance(model, MakesRoom):
        model.make_room({name: value.shape for name, value in weights.items()})
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

    try:
        return restored(load(_present(path).read_bytes()))
    except (SafetensorError, ValueError, KeyError) as error:
        raise InputError(durable.why_no_safetensors(path, error), file=path) from None


def _present(path: Path) -> Path:
    if not path.is_file():
        raise InputError("this file of the run is missing", file=path)
    return path
