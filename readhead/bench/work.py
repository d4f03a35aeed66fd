"""What is done with an op while it is timed: a step of training, or a reading."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from readhead.bench import correctness, memory
from readhead.bench.correctness import Op
from readhead.bench.timed_ops import Inputs
from readhead.bench.timing import Contestant


class Training:
    """Forward and backward, by every input and parameter."""

    mode = "train"

    def contestant(self, op: Op, inputs: list[Inputs]) -> Contestant:
        """Does it on one of the inputs."""
        leaves = [_leaves(given) for given in inputs]
        with torch.no_grad():
            gradients = [correctness.directions(op(**given)) for given in inputs]

        def run(number: int) -> object:
            learning = [*_learning(leaves[number]), *_parameters(op)]
            return torch.autograd.grad(op(**leaves[number]), learning, gradients[number])

        return run

    def saved_bytes(self, op: Op, given: Inputs) -> int | None:
        """What the forward pass keeps for the backward."""
        leaves = _leaves(given)
        return memory.saved_bytes(lambda: op(**leaves), given=[*leaves.values(), *_parameters(op)])


class Inference:
    """Forward alone, in inference mode."""

    mode = "inference"

    def contestant(self, op: Op, inputs: list[Inputs]) -> Contestant:
        """Does it on one of the inputs."""

        def run(number: int) -> object:
            with torch.inference_mode():
                return op(**inputs[number])

        return run

    def saved_bytes(self, op: Op, given: Inputs) -> int | None:
        """Nothing is kept."""
        return None


def _leaves(given: Inputs) -> Inputs:
    return {name: x.detach().clone().requires_grad_(x.is_floating_point()) for name, x in given.items()}


def _learning(leaves: Inputs) -> list[Tensor]:
    return [x for x in leaves.values() if x.requires_grad]


def _parameters(op: Op) -> list[Tensor]:
    """An op has none; torch.nn.LSTM does."""
    return list(op.parameters()) if isinstance(op, nn.Module) else []
