"""The convolutional network over words (Kim 2014, arXiv:1408.5882v2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from readhead.errors import InputError
from readhead.readers.reading import Reading

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"relu": torch.relu, "tanh": torch.tanh}


class CNNReader(nn.Module):
    """Each word is seen through windows of several widths w, by filters that are the same everywhere.

    c_t = f(W_w [x_{t-l}; ...; x_t; ...; x_{t+r}] + b_w)          (2)

    with l = ⌊(w-1)/2⌋ words before and r = ⌊w/2⌋ words after, zeros beyond the text. A text of T words has T windows
    of each width: the papers take those that lie wholly inside it (T - w + 1), of which a short text has none, or pad
    it on both sides.

    Pooled by `max`, Kim's classifier; width 2 with `tanh`, pooled by `mean`, the bigram model of Yu et al. (2014,
    arXiv:1412.1632), c_t = tanh(T_L x_t + T_R x_{t+1} + b).

    input_dim: features of an embedded token.
    hidden_dim: filters of each width; `output_dim` is their number together.
    widths: the windows' widths, in tokens.
    activation: f.

    Raises:
        InputError: hidden_dim or a width is below 1, there is no width or one twice, or no activation has that name.
    """

    def __init__(
        self,
        *,
        input_dim: int,
        hidden_dim: int = 100,
        widths: tuple[int, ...] = (3, 4, 5),
        activation: Literal["relu", "tanh"] = "relu",
    ) -> None:
        super().__init__()
        if hidden_dim < 1:
            raise InputError(f"hidden_dim = {hidden_dim}: the cnn reader needs at least 1 filter of each width")
        if not widths or min(widths) < 1 or len(set(widths)) < len(widths):
            raise InputError(f"widths = {list(widths)}: the cnn reader needs different widths of at least 1 token")
        if activation not in ACTIVATIONS:
            raise InputError(f"there is no activation {activation!r}; expected one of {', '.join(ACTIVATIONS)}")
        self.output_dim = len(widths) * hidden_dim
        self.activation = ACTIVATIONS[activation]
        self.widths = widths
        self.filters = nn.ModuleList(nn.Linear(width * input_dim, hidden_dim) for width in widths)

    def forward(self, embedded: Float[Tensor, "B T E"], mask: Bool[Tensor, "B T"]) -> Reading:
        """embedded: [B, T, E], mask: [B, T]. Returns a `Reading` of width len(widths) · hidden_dim."""
        real = mask.unsqueeze(-1)  # [B, T, 1]
        words = embedded * real
        seen = [filters(_windows(words, width)) for width, filters in zip(self.widths, self.filters, strict=True)]
        return Reading(self.activation(torch.cat(seen, dim=-1)) * real, mask)  # [B, T, D], eq. (2)


def _windows(words: Float[Tensor, "B T E"], width: int) -> Float[Tensor, "B T F"]:
    """The words around each token, side by side. One product over them is faster on a CPU than torch's convolution."""
    padded = nn.functional.pad(words, (0, 0, (width - 1) // 2, width // 2))  # [B, T + width - 1, E]
    return padded.unfold(1, width, 1).transpose(2, 3).flatten(2)  # [B, T, width · E]
