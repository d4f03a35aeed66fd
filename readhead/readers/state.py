"""A reader's state on disk, so that a text can be read on tomorrow."""

from __future__ import annotations

from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from readhead import durable
from readhead.errors import InputError
from readhead.readers.causal import CausalReader, State

FORMAT = "readhead reader state 1"


def save_state(path: Path, reader: CausalReader, state: State) -> None:
    """Writes a state durably, as safetensors.

    reader: the one whose state it is.

    Raises:
        InputError: the state is not the reader's.
        OSError: the file can't be written; the old one then still stands.
    """
    reader.expect_own(state)
    # A copy each: safetensors refuses tensors that share memory, which those of an initial state do.
    tensors = {name: value.detach().to("cpu", copy=True).contiguous() for name, value in state.items()}
    durable.write(path, save(tensors, metadata={"format": FORMAT, "reader": type(reader).__name__}))


def open_state(path: Path, reader: CausalReader) -> State:
    """A saved state, bit for bit, on the reader's device.

    Raises:
        InputError: the file is missing or damaged, is a pickle, or holds the state of another reader: one of another
            kind, of another width or of another number of layers.
    """
    tensors, words = _opened(path)
    if words.get("format") != FORMAT:
        raise InputError(f"expected a reader's state ('{FORMAT}'), found {words.get('format')!r}", file=path)
    if words.get("reader") != type(reader).__name__:
        found, expected = words.get("reader"), type(reader).__name__
        raise InputError(f"this is the state of a {found}; expected one of a {expected}", file=path)
    reader.expect_own(tensors, file=path)
    device = next(reader.parameters()).device
    # A copy each: a tensor of a file stands at any address, and the last bit of a sum can depend on that.
    return {name: value.to(device, copy=True) for name, value in tensors.items()}


def _opened(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    if not path.is_file():
        raise InputError("no such file", file=path)
    try:
        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - it is no mapping
            return tensors, file.metadata() or {}
    except (SafetensorError, ValueError, KeyError) as error:
        raise InputError(durable.why_no_safetensors(path, error), file=path) from None
