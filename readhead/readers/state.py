"""A reader's state on disk, so that a text can be read on tomorrow."""

from __future__ import annotations

from collections.abc import Mapping
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
    _expect_state_of(reader, state, None)
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
    _expect_state_of(reader, tensors, path)
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
        # Asked only now: safetensors begins with a length, which may look like this too.
        if _begins_as_pickle(path):
            raise InputError(
                "this is a pickle, which can run code when opened; expected safetensors", file=path
            ) from None
        raise InputError(f"the file is damaged or cut short: {error}", file=path) from None


def _begins_as_pickle(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) in (b"PK", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")


def _expect_state_of(reader: CausalReader, state: Mapping[str, Tensor], path: Path | None) -> None:
    """That a reader can read on from it: it has the names, types and widths of the reader's own."""
    own = reader.initial_state(1)
    for name in sorted(own.keys() ^ state.keys()):
        told = "is missing" if name in own else "is none of this reader's"
        raise InputError(f"'{name}' {told}; it has {', '.join(sorted(own))}", file=path)
    for name, value in sorted(state.items()):
        if value.dtype != own[name].dtype:
            raise InputError(f"'{name}' is {value.dtype}; this reader's is {own[name].dtype}", file=path)
        if _axes(value) != _axes(own[name]):
            found, expected = (", ".join(_axes(one)) for one in (value, own[name]))
            raise InputError(f"'{name}' is [{found}]; this reader's is [{expected}]", file=path)
    _expect_one_size(state, path)


def _axes(value: Tensor) -> list[str]:
    """B texts, M slots, and the size of the last axis of real numbers: all that may not change from text to text."""
    letters = ["B", *"M" * (value.dim() - 1)]
    return [*letters[:-1], str(value.shape[-1])] if value.is_floating_point() else letters


def _expect_one_size(state: Mapping[str, Tensor], path: Path | None) -> None:
    """That all tensors are of as many texts, and those of a layer of as many slots."""
    sizes: dict[tuple[str, str], int] = {}
    for name, value in sorted(state.items()):
        for axis, size in zip(_axes(value), value.shape, strict=True):
            if axis in ("B", "M"):
                layer = name.partition(".")[0] if axis == "M" else ""
                expected = sizes.setdefault((layer, axis), size)
                if size != expected:
                    what = "texts" if axis == "B" else "slots"
                    raise InputError(f"'{name}' is of {size} {what}, others are of {expected}", file=path)
