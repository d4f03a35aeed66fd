"""What readers of several layers have in common: sound sizes, and a state by layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jaxtyping import Bool, Float
from torch import Tensor

from readhead.errors import InputError
from readhead.layers.pooling import last


def expect_stack(reader: str, *, hidden_dim: int, num_layers: int, dropout: float) -> None:
    """That such layers can be put on top of one another.

    reader: its name, for the message.

    Raises:
        InputError: a size is below 1, dropout is no probability below 1, or there is only one layer to put it between.
    """
    if hidden_dim < 1:
        raise InputError(f"hidden_dim = {hidden_dim}: the {reader} reader needs at least 1 feature")
    if num_layers < 1:
        raise InputError(f"num_layers = {num_layers}: the {reader} reader needs at least 1 layer")
    if not 0 <= dropout < 1:
        raise InputError(f"the {reader} reader's dropout is {dropout}; expected a probability, at least 0 and below 1")
    if dropout and num_layers == 1:
        raise InputError(f"the {reader} reader's dropout ({dropout}) stands between layers; it has only one layer")


def by_layer(**layers: Sequence[Tensor]) -> dict[str, Tensor]:
    """A state from what each layer holds: of `hidden=[a, b]` it makes `1.hidden` and `2.hidden`."""
    return {f"{layer}.{name}": value for name, values in layers.items() for layer, value in enumerate(values, start=1)}


def of_layers(state: Mapping[str, Tensor], name: str, num_layers: int) -> list[Tensor]:
    """The other way round: what each layer holds by that name."""
    return [state[f"{layer}.{name}"] for layer in range(1, num_layers + 1)]


def after_last_token(
    steps: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"], before: Float[Tensor, "B D"]
) -> Float[Tensor, "B D"]:
    """What a layer holds after each text's last real token.

    steps: [B, T, D], what it holds after each token. mask: [B, T]; padding stands on the right.
    before: [B, D], what it held before the first; it stays that of a text without a token.
    """
    return last(steps, mask).where(mask.any(dim=1, keepdim=True), before)
